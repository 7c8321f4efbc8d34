import ArgumentParser
import Conveyor
import Files
import Pipelines
import PluginKit
import Series
import SystemPackage

struct FollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow",
    abstract: "Be told when a number changes; without a number, list those that are followed.",
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
    if let number, ListNumber(number) == nil {
      throw ValidationError("\(number) is no number of a list: \(ListNumber.rule).")
    }
    if number == nil, name != nil {
      throw ValidationError("Say which number \"\(name ?? "")\" is.")
    }
  }

  func run() throws {
    let active = try options.load()
    let lists = Lists(spool: active.spool)
    guard let number = number.flatMap({ ListNumber($0)?.text }) else { return try list(lists) }
    try Spool.make(active.spool)
    try lists.store().follow(FollowedNumber(number: number, label: name, since: wallTime()))
    try renewPages(active, lists)
    let reader = try lists.reader()
    var told = false
    for series in try reader?.series() ?? [] {
      guard let reader, let answer = try LookupAnswer(number, in: series, reader),
        !answer.story.isEmpty
      else { continue }
      for line in answer.lines(withHistory: false, now: wallTime()) {
        Console.print(Console.plain(line))
      }
      told = true
    }
    if !told {
      Console.print("\(number) is followed. No list has it yet; you are told when one does.")
    }
    if active.configuration.notify.isEmpty {
      Console.complain(
        "note: pipelines.json names nobody under \"notify\"; news is in the log and on the pages only"
      )
    }
  }

  private func list(_ lists: Lists) throws {
    let followed = try lists.reader()?.followed() ?? []
    for one in followed {
      if json {
        let line: JSON = [
          "number": .string(one.number), "label": one.label.map { .string($0) },
          "since": .integer(Int(one.since)),
        ]
        Console.print(String(decoding: line.line, as: UTF8.self))
      } else {
        Console.print(Console.plain(one.label.map { "\(one.number)  \($0)" } ?? one.number))
      }
    }
    if followed.isEmpty, !json { Console.print("no number is followed") }
  }
}

struct UnfollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Be told of a number no longer.")

  @Argument(help: "The number.")
  var number: String

  @OptionGroup var options: ConfigurationOption

  func run() throws {
    let active = try options.load()
    guard let digits = ListNumber(number)?.text else {
      throw ValidationError("\(number) is no number of a list: \(ListNumber.rule).")
    }
    let lists = Lists(spool: active.spool)
    guard try lists.reader() != nil, try lists.store().unfollow(digits) else {
      Console.complain("\(digits) was not followed")
      throw ExitCode(1)
    }
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
