package import ArgumentParser
package import PluginKit

/// What all commands that read PDF files have in common.
package struct ReadingOptions: ParsableArguments, Sendable {
  @Option(help: "A password for locked files; others can see it while the command runs.")
  package var password: String?

  @Option(
    help: ArgumentHelp(
      "A file of passwords, one per line, tried in turn; the environment variable PROCD_PASSWORDS does the same.",
      valueName: "file"))
  package var passwords: String?

  @Option(
    help: ArgumentHelp("Only these pages, such as 2-5,9.", valueName: "pages"),
    transform: PageSelection.typed)
  package var pages: PageSelection?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Write a file for each PDF into this folder; for a single PDF, also the file itself, by a name with its extension.",
      valueName: "folder"))
  package var output: String?

  @Flag(help: "Replace existing files whose content differs.")
  package var overwrite = false

  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: "How many files to read at a time.")
  package var jobs: Int = 1

  @Flag(help: "Recognize pictures and scanned pages first; files may be images too.")
  package var ocr = false

  @Flag(help: "Write JSON Lines.")
  package var json = false

  @Argument(help: ArgumentHelp("PDF files; - for standard input.", valueName: "file"))
  package var files: [String]

  package init() {}

  /// Those of files alone.
  package init(files: [String]) {
    password = nil
    passwords = nil
    pages = nil
    output = nil
    overwrite = false
    jobs = 1
    json = false
    ocr = false
    self.files = files
  }

  package mutating func validate() throws {
    guard jobs >= 1, jobs <= 256 else { throw ValidationError("--jobs takes 1 to 256.") }
    guard !files.isEmpty else { throw ValidationError("At least one PDF file is needed.") }
  }
}
