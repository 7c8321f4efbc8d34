package import Files
package import PluginKit
package import SystemPackage

extension Folder {
  /// Reads a record of procd's own, or returns nil if there is none.
  ///
  /// - Throws: if it is damaged. Taken for missing, it would be replaced, and what it knew would be lost.
  package func record<Record>(
    _ name: FilePath, limit: Int, as make: (JSON) -> Record?
  ) throws(FileError) -> Record? {
    guard try exists(name) else { return nil }
    let text = try reading(name).readAll(limit: limit)
    guard let record = (try? JSONReader.read(text).value).flatMap(make) else {
      throw FileError(
        "read", path.appending(name.components), .illegalByteSequence, reason: "it is damaged")
    }
    return record
  }
}
