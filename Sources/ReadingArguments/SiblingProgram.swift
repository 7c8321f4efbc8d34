internal import Glibc

/// The programs of an installation, which know each other by their places.
package enum SiblingProgram {
  /// Replaces this process by the first program that there is, with the same arguments. Returns only where there is none.
  ///
  /// - Parameter places: relative to the folder of this program.
  package static func replaceProcess(byAnyOf places: [String]) {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let path = String(
      decoding: buffer[..<max(0, length)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    for place in places { unsafe execv("\(folder)/\(place)", CommandLine.unsafeArgv) }
  }
}
