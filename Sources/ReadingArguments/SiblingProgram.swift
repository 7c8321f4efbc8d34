internal import Glibc

/// The programs of an installation, which know each other by their places.
package enum SiblingProgram {
  /// The path of the first of these programs that there is.
  ///
  /// - Parameter places: relative to the folder of this program.
  package static func first(of places: [String]) -> String? {
    places.map { "\(folder)/\($0)" }.first { unsafe access($0, X_OK) == 0 }
  }

  /// Replaces this process by the first program that there is, with the same arguments. Returns only where there is none.
  ///
  /// - Parameter places: relative to the folder of this program.
  package static func replaceProcess(byAnyOf places: [String]) {
    let folder = folder
    for place in places { unsafe execv("\(folder)/\(place)", CommandLine.unsafeArgv) }
  }

  /// The folder of this program.
  private static var folder: Substring {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(
      decoding: buffer[..<max(0, length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.lastIndex(of: "/").map { path[..<$0] } ?? ""
  }
}
