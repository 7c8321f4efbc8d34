import ArgumentParser
import Foundation
import PluginCommands
import PluginKit

struct LettersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "procd letters", abstract: "Letters of text files.", subcommands: [Count.self])

  struct Count: PluginCommand {
    static let configuration = CommandConfiguration(abstract: "Count them.")

    @Argument(help: "Text files.")
    var files: [String]

    @Option(
      name: [.customShort("o", allowingJoined: true), .long],
      help: "Where the counts go; standard output when left out.")
    var output: String?

    func execute() throws(PluginFailure) {
      var lines = ""
      for file in files {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
          throw PluginFailure(
            .input, "letters.text", "\(file) is no UTF-8 text", hint: "convert it")
        }
        if text.isEmpty { CommandOutput.warn("\(file) is empty") }
        lines += "\(file),\(text.count(where: \.isLetter))\n"
      }
      try CommandOutput.write(Array(lines.utf8), to: output)
    }
  }
}
