internal import Bytes
internal import PluginKit
internal import SystemPackage

/// Reads a file of notes, JSON or XFDF; its content tells which.
enum ChangeReader {
  /// - Parameter name: what the file is called, for complaints.
  static func read(path: FilePath, name: String) throws(PluginFailure) -> [NoteRequest] {
    let bytes: [UInt8]
    do {
      let file = try MappedFile(path: path, limit: NotesLimits.changesFile)
      bytes = Array(file.span.array(0..<file.count))
    } catch {
      if case .tooLarge = error {
        throw PluginFailure(
          .input, "notes.file", "\(name) is larger than \(NotesLimits.changesFile >> 20) MiB",
          hint: "divide it into parts")
      }
      throw PluginFailure(.internal, "step.read", "\(name) could not be read (\(error))")
    }
    return try read(bytes, name: name)
  }

  static func read(_ bytes: [UInt8], name: String) throws(PluginFailure) -> [NoteRequest] {
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF, 0xFE, 0xFF, 0]
    let first = bytes.prefix(4096).first { $0 > 0x20 && !marks.contains($0) }
    let requests: [NoteRequest]
    switch first {
    case UInt8(ascii: "{"), UInt8(ascii: "["): requests = try JSONChanges.read(bytes, name: name)
    case UInt8(ascii: "<"): requests = try XFDFChanges.read(bytes, name: name)
    default:
      throw PluginFailure(
        .input, "notes.file", "\(name) is neither JSON nor XFDF",
        hint: "docs/notes.md shows what such a file says")
    }
    guard requests.count <= NotesLimits.changes else {
      throw PluginFailure(
        .input, "notes.file", "\(name) has more than \(NotesLimits.changes) notes",
        hint: "divide it into parts")
    }
    return requests
  }
}
