import Glibc
import PluginKit
import ReadingArguments
import SystemPackage

/// Has `procd convert` make PDFs with text of the files of a command, before they are read. Each comes as one whose
/// name nobody knows any more: it is open, and gone when this process is.
struct Recognition {
  /// The sources to read, in the order of the files; those that could not be converted have been told of.
  private(set) var sources: [Source] = []
  private(set) var failed = false

  /// - Throws: what keeps all of them from being read.
  init(_ files: [String], passwords: [String]) throws(ReadFailure) {
    // Not ScratchFolder: this program starts fast because it links neither Files nor what that needs.
    let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/procd-read-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw ReadFailure(reason: "no folder can be made in \(temporary)")
    }
    let folder = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unsafe rmdir(folder) }
    guard let converting = Converting() else {
      throw ReadFailure(reason: "the program procd-daemon is missing")
    }
    if !passwords.isEmpty {
      unsafe setenv("PROCD_PASSWORDS", passwords.joined(separator: "\n"), 1)
    }
    for file in files {
      let result = "\(folder)/text.pdf"
      defer { unsafe unlink(result) }
      let typed = FilePath(typed: file)
      let input =
        file.hasPrefix("-") && file != "-" ? FilePath("./").appending(typed.components) : typed
      switch converting.run(input, FilePath(result)) {
      case 0: sources.append(Source(at: result, called: file))
      case 130:
        unsafe rmdir(folder)
        exit(130)
      default: failed = true
      }
    }
  }
}
