import Foundation
internal import SystemPackage

/// A plugin that comes with procd as a program of its own, laid out as `make build` does it.
public enum ForeignPlugin {
  /// Makes `plugins/NAME` in a folder, with the `plugin.json` of a folder below Plugins and its program.
  ///
  /// Programs of a test build load Swift's libraries, which a plugin may not read; shipped ones have them
  /// within. So the folder of those is added to what it may read.
  public static func layOut(_ name: String, of source: String, in folder: TemporaryFolder) throws {
    let manifest = Programs.repository.appending("Plugins/\(source)/plugin.json").string
    var text = try String(contentsOfFile: manifest, encoding: .utf8)
    if let libraries = folderOfSwift {
      let own = #""sandbox": { "read": ["#
      text =
        text.contains(own)
        ? text.replacing(own, with: #"\#(own)"\#(libraries)", "#, maxReplacements: 1)
        : text.replacing(
          #""steps": {"#, with: #"\#(own)"\#(libraries)"] }, "steps": {"#, maxReplacements: 1)
    }
    try folder.write(text, to: "plugins/\(name)/plugin.json")
    try FileManager.default.copyItem(
      atPath: Programs.folder.appending("procd-\(name)").string,
      toPath: folder("plugins/\(name)/procd-\(name)").string)
  }

  /// Where this process has Swift's libraries from.
  private static let folderOfSwift: String? = {
    // In pieces: the kernel gives this file a page at a time, which looks like its end.
    guard let file = FileHandle(forReadingAtPath: "/proc/self/maps") else { return nil }
    var maps = Data()
    while let piece = try? file.read(upToCount: 1 << 16), !piece.isEmpty { maps += piece }
    let line = String(decoding: maps, as: UTF8.self).split(separator: "\n").first {
      $0.hasSuffix("/libswiftCore.so")
    }
    return line?.split(separator: " ").last.map { String($0.dropLast("/libswiftCore.so".count)) }
  }()
}
