internal import Bytes
internal import Glibc
internal import PDFSyntax
internal import PluginKit
internal import SystemPackage

extension MappedFile {
  /// Maps a file that the host named.
  static func mapped(_ path: FilePath) throws(PluginFailure) -> MappedFile {
    do { return try MappedFile(path: path) } catch {
      guard error.number != ENOMEM else {
        throw .unreadable("the file", "\(error)", error: error.number)
      }
      throw PluginFailure(.internal, "file.read", "the file cannot be read: \(error)")
    }
  }
}

extension FileBytes {
  /// Whether the header of a PDF stands where readers look for it.
  var isPDF: Bool {
    let bytes = self
    return bytes.span.first(of: "%PDF-", in: 0..<1024) != nil
  }
}
