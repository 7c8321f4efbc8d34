import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import SystemPackage

/// `procd init`: a configuration to start from, asked for in four questions and tried.
struct InitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Write a pipelines.json to start from, and try it.",
    discussion: """
      Asks what comes in, what you want from it, and where; options answer in advance. Without a \
      terminal nothing is asked. An existing pipelines.json is never touched.
      """)

  /// Kinds of files as the option has them: `scans,word`, `both` for scans and PDFs, `all`.
  struct Incoming: ExpressibleByArgument {
    var kinds: [ShippedRules.Kind]

    init?(argument: String) {
      let all = ShippedRules.Kind.allCases
      let words = argument.split(separator: ",").map(String.init)
      let named = words.flatMap { word -> [ShippedRules.Kind?] in
        switch word {
        case "all": all
        case "both": [.scans, .pdfs]
        default: [ShippedRules.Kind(rawValue: word)]
        }
      }
      guard !named.isEmpty, !named.contains(nil) else { return nil }
      kinds = all.filter(named.contains)
    }

    static var allValueStrings: [String] {
      ShippedRules.Kind.allCases.map(\.rawValue) + ["both", "all"]
    }
  }

  @Argument(
    help: "The folder for pipelines.json, inbox, outbox and everything else; created if needed.")
  var folder: String?

  @Option(
    name: .customLong("in"),
    help: ArgumentHelp(
      "What comes in: scans, pdfs, word, sheets, mail, with commas between several; both for scans and pdfs; all if left out.",
      valueName: "kinds"))
  var incoming: Incoming?

  @Option(help: "What you want: searchable PDFs, text, or tables.")
  var want: ShippedRules.Wanted?

  @Flag(inversion: .prefixedNo, help: "Crop photos of letters to the sheet; done if left out.")
  var crop: Bool?

  private static let name = "pipelines.json"

  func run() async throws {
    let questions = Questions()
    if let folder, let obstacle = Self.obstacle(Self.inHome(folder)) {
      Console.complain("procd: \(obstacle)")
      throw ExitCode(73)
    }
    let installed = ShippedRules.installed(
      in: Installation.ofThisProgram().catalog(configured: []).catalog)
    if let missing = incoming?.kinds.first(where: { !installed.contains($0) }) {
      Console.complain("procd: the steps for \(missing.rawValue) are not installed")
      throw Status.configuration
    }
    let kinds =
      try incoming?.kinds
      ?? questions.askForSeveral(
        "What comes in?",
        installed.map { (ShippedRules.name(of: $0), $0) })
    let want =
      try self.want
      ?? questions.ask(
        "What do you want from it?",
        [
          ("searchable PDFs", .searchable), ("the text", .text), ("the tables", .tables),
        ], usual: .searchable)
    let crop =
      try self.crop
      ?? (kinds.contains(.scans)
        ? questions.ask(
          "Photos of letters: crop them to the sheet?", [("yes", true), ("no", false)], usual: true)
        : false)
    var place = Self.inHome(try folder ?? questions.ask("In which folder?", usual: "."))
    while folder == nil, questions.isTerminal, let obstacle = Self.obstacle(place) {
      Console.complain("\(obstacle)")
      place = Self.inHome(try questions.ask("In which other folder?", usual: "scans"))
    }
    let path = absolutePath(place).appending(Self.name)
    try write(
      Starter(
        web: PageAddress.free(for: path.removingLastComponent()), kinds: kinds, want: want,
        crop: crop
      ).json, to: path)
    Console.print("wrote \(path.printable)")
    try await tryOut(path)
    let change =
      absolutePath(".") == path.removingLastComponent()
      ? "" : "cd \(Self.quoted(place).plain), then "
    Console.print(
      """
      Next: \(change)procd run
      which prints the link of a page in the browser first. Put files into inbox/ there, or onto the page;
      results appear in outbox/. `procd explain FILE` tells what becomes of a file. What else the rules can say: docs/configuration.md, in a package below /usr/share/doc/procd.
      """)
  }

  /// Why nothing can be written into a folder, or made there; nil where it seems that it can.
  private static func obstacle(_ place: String) -> PlainText? {
    let path = absolutePath(place), file = path.appending(name)
    if file.allows(F_OK) { return "\(file.printable) is there already; nothing was written" }
    var above = path
    while !above.allows(F_OK), above.removeLastComponent() {}
    return above.allows(W_OK | X_OK)
      ? nil : "\(path.printable) cannot be made: \(above.printable) may not be written to"
  }

  /// What a shell would have made of a path that was typed in answer.
  private static func inHome(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = unsafe getenv("HOME") else { return path }
    return unsafe String(cString: home) + path.dropFirst()
  }

  /// A path as a shell takes it.
  private static func quoted(_ path: String) -> String {
    path.allSatisfy { $0.isLetter || $0.isNumber || "/._-~".contains($0) }
      ? path : "'\(path.replacing("'", with: #"'\''"#))'"
  }

  private func write(_ starter: JSON, to path: FilePath) throws {
    do {
      let folder = try Folder.make(path.removingLastComponent())
      guard try !folder.exists(FilePath(Self.name)) else {
        Console.complain("procd: \(path.printable) is there already; nothing was written")
        throw ExitCode(73)
      }
      let file = try folder.creating(FilePath(Self.name), mode: 0o644)
      do throws(FileError) {
        try file.write(starter.text.span)
        try file.sync()
      } catch {
        // Half of one would keep the next try away.
        try folder.remove(FilePath(Self.name))
        throw error
      }
      try folder.sync()
      _ = try Folder.make(path.removingLastComponent().appending("inbox"))
    } catch let error as FileError {
      Console.complain("procd: \(error)")
      throw ExitCode(73)
    }
  }

  /// Has the configuration checked and the machine with it.
  private func tryOut(_ path: FilePath) async throws {
    var doctor = DoctorCommand()
    doctor.json = false
    doctor.options = ConfigurationOption()
    doctor.options.file = path.string
    // Files of others are for a service to take, which gets the right from its unit.
    let troubles = try await doctor.checks().filter { $0.level != .ok && $0.name != "lease.others" }
    for check in troubles {
      let cure = check.cure.map { "; \($0)" } ?? ""
      Console.print("\(check.level.rawValue): \(check.name): \(check.message.plain)\(cure)")
    }
    if troubles.isEmpty {
      Console.print("tried: folders, confinement, a step in a worker, languages: all is well")
    }
  }
}

/// Asks on the terminal; where there is none, what is usual is answered.
private struct Questions {
  let isTerminal = isatty(0) == 1 && Console.isTerminal

  func ask<Answer: Equatable>(
    _ question: String, _ answers: [(text: String, meaning: Answer)], usual: Answer
  ) throws -> Answer {
    guard isTerminal else { return usual }
    Console.print("\(question.plain)")
    for (index, answer) in answers.enumerated() {
      Console.print("  \(index + 1)  \(answer.text.plain)")
    }
    let number = (answers.firstIndex { $0.meaning == usual } ?? 0) + 1
    while true {
      let line = try line("Which? [\(number)] ")
      if line.isEmpty { return usual }
      if let chosen = Int(line), answers.indices.contains(chosen - 1) {
        return answers[chosen - 1].meaning
      }
      Console.print("One of the numbers above, or nothing for \(number).")
    }
  }

  /// Asks which of several things there are; all of them if nothing is answered.
  func askForSeveral<Answer>(
    _ question: String, _ answers: [(text: String, meaning: Answer)]
  ) throws -> [Answer] {
    let all = answers.map(\.meaning)
    guard isTerminal else { return all }
    Console.print("\(question.plain)")
    for (index, answer) in answers.enumerated() {
      Console.print("  \(index + 1)  \(answer.text.plain)")
    }
    while true {
      let line = try line("Which? Several numbers, or nothing for all: ")
      let words = line.split { $0 == " " || $0 == "," }
      let chosen = words.compactMap { Int($0) }
      if words.isEmpty { return all }
      if chosen.count == words.count, chosen.allSatisfy({ (1...answers.count).contains($0) }) {
        return Set(chosen).sorted().map { answers[$0 - 1].meaning }
      }
      Console.print("Some of the numbers above, such as 1 2, or nothing for all.")
    }
  }

  func ask(_ question: String, usual: String) throws -> String {
    guard isTerminal else { return usual }
    let line = try line("\(question) [\(usual)] ")
    return line.isEmpty ? usual : line
  }

  /// - Throws: at the end of the input.
  private func line(_ prompt: String) throws -> String {
    Console.print("\(prompt.plain)", end: "")
    guard let line = readLine() else {
      Console.complain("\nprocd: nothing was written")
      throw ExitCode(1)
    }
    return line.reversed().drop { $0 == " " }.reversed().drop { $0 == " " }
      .reduce(into: "") { $0.append($1) }
  }
}

extension ShippedRules.Wanted: ExpressibleByArgument {}
