import Conveyor
import Files
import Glibc
import PluginKit
import ReadingArguments
import SystemPackage

/// The package of procd, on which a package with a plugin depends.
struct PackageSources {
  /// As Package.swift has it.
  var dependency: String
  /// What Package.swift calls it by.
  var identity: String

  /// - Parameter place: the folder or the address of a repository; nil for the sources that this program was built from,
  ///   if it still is among them.
  /// - Returns: nil if there is no such package.
  init?(_ place: String?) {
    if let place, place.contains("://") || place.contains("@") {
      let last = place.split(whereSeparator: { $0 == "/" || $0 == ":" }).last.map(String.init) ?? ""
      identity = last.hasSuffix(".git") ? String(last.dropLast(4)) : last
      guard !identity.isEmpty else { return nil }
      dependency = ".package(url: \(Self.literal(place)), from: \"\(ProgramVersion.number)\")"
      return
    }
    guard let folder = Self.folder(place.map(absolutePath)) else { return nil }
    identity = "procd"
    dependency = ".package(name: \"procd\", path: \(Self.literal(folder.string)))"
  }

  private static func folder(_ named: FilePath?) -> FilePath? {
    func hasPackage(_ folder: FilePath) -> Bool {
      ["Package.swift", "Sources/PluginKit"].allSatisfy {
        folder.appending(FilePath($0).components).allows(F_OK)
      }
    }
    if let named { return hasPackage(named) ? named : nil }
    // `.build/x86_64-unknown-linux-gnu/release`, or with any other name for `.build`.
    var folder = Installation.ofThisProgram().programs
    for _ in 0..<4 {
      if hasPackage(folder) { return folder }
      folder.removeLastComponent()
    }
    return nil
  }

  /// A literal of Swift: a path may have any characters.
  private static func literal(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "\"": escaped += "\\\(scalar)"
      case let scalar where scalar.properties.generalCategory == .control:
        escaped += "\\u{\(String(scalar.value, radix: 16))}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }
}
