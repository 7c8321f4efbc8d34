import ArgumentParser
import Conveyor
import Files
import Pipelines
import PlainText
import PluginKit
import Series
import SystemPackage

struct FollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract:
      "Follow a number and be told when it changes; without a number, list those you follow.",
    discussion: """
      News of followed numbers goes to the targets of "notify" in pipelines.json and onto the page \
      SERIES.status.html in the outbox.
      """)

  @Argument(help: "The number.")
  var number: String?

  @Option(help: ArgumentHelp("What to call it.", valueName: "label"))
  var name: String?

  @Flag(help: "Print as JSON Lines.")
  var json = false

  @OptionGroup var options: ConfigurationOption

  func validate() throws {
    if number == nil, name != nil {
      throw ValidationError("Say which number \"\(name ?? "")\" is.")
    }
  }

  func run() throws {
    if let number { try ListNumber.require(number) }
    let active = try options.loadWithSpool()
    let lists = Lists(spool: active.spool)
    guard let number = number.flatMap({ ListNumber($0)?.text }) else { return try list(lists) }
    try Spool.make(active.spool)
    let answers = try answers(number, active, lists)
    try lists.store().follow(FollowedNumber(number: number, label: name, since: wallTime()))
    try renewPages(active, lists)
    let found = answers.filter { !$0.story.isEmpty }
    let keepsLists = !active.configuration.pipelines.allSatisfy { $0.series == nil }
    Console.print(
      "\(number) is followed."
        + (found.isEmpty && keepsLists ? " No list has it yet; you are told when one does." : ""))
    if !keepsLists {
      Console.complain(
        "note: no list is kept here, so there will be no news: give a pipeline a \"series\"")
    }
    for var answer in found {
      answer.label = name ?? answer.label
      for line in answer.lines(withHistory: false, now: wallTime()) {
        Console.print("\(line)")
      }
    }
    if found.isEmpty {
      for slip in answers.flatMap(\.similar).prefix(3) {
        Console.complain("note: \(slip.number) is in a list: \(slip.slip.rawValue)?")
      }
    }
    if active.configuration.notify.isEmpty {
      Console.complain(
        "note: pipelines.json names nobody under \"notify\"; news is in the log and on the pages only"
      )
    }
  }

  /// What the kept lists say of it.
  ///
  /// - Throws: where it cannot be a number of any list that there is to be.
  private func answers(
    _ number: String, _ active: ActiveConfiguration, _ lists: Lists
  ) throws -> [LookupAnswer] {
    guard let reader = try lists.reader() else { return [] }
    let kept = try reader.series()
    let answers = try kept.compactMap { try LookupAnswer(number, in: $0, reader) }
    if answers.allSatisfy({ $0.story.isEmpty }),
      let complaint = try NumberLengths(of: kept, reader).complaint(about: number)
    {
      // Numbers of a list that has not come yet may have any length.
      guard active.configuration.pipelines.compactMap(\.series).allSatisfy(kept.contains) else {
        Console.complain("note: \(complaint)")
        return answers
      }
      Console.complain("procd: \(complaint); it is not followed")
      throw ExitCode(64)
    }
    return answers
  }

  private func list(_ lists: Lists) throws {
    let followed = try lists.reader()?.followed() ?? []
    for one in followed {
      if json {
        let line: JSON = [
          "number": .string(one.number), "label": one.label.map { .string($0) },
          "since": .string(timestamp(one.since)),
        ]
        Console.print(line: line)
      } else {
        Console.print("\(one.label.map { "\(one.number)  \($0)" } ?? one.number)")
      }
    }
    if let reader = try lists.reader(), !json {
      let lengths = try NumberLengths(of: reader.series(), reader)
      for one in followed {
        if let complaint = lengths.complaint(about: one.number) {
          Console.complain("note: \(complaint)")
        }
      }
    }
    if followed.isEmpty, !json { Console.print("no number is followed") }
  }
}

struct UnfollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Stop following a number.")

  @Argument(help: "The number.")
  var number: String

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let digits = try ListNumber.require(number).text
    let active = try options.loadWithSpool()
    let lists = Lists(spool: active.spool)
    guard try lists.reader() != nil, try lists.store().unfollow(digits) else {
      Console.complain("\(digits) was not followed")
      throw ExitCode(1)
    }
    Console.print("\(digits) is no longer followed.")
    try renewPages(active, lists)
  }
}

/// The pages of all lists show who is followed.
private func renewPages(_ active: ActiveConfiguration, _ lists: Lists) throws {
  guard let reader = try lists.reader(), let outbox = try? Folder.open(active.folder(.outbox))
  else {
    return
  }
  for series in try reader.series() { try StatusPages.renew(series, reader, outbox: outbox) }
}
