internal import Bytes
internal import PluginKit

/// A file of results that is written 64 KiB at a time, and appears whole.
final class FileOutput {
  private let file: ResultFile
  private var buffer = ByteWriter()
  private static let piece = 1 << 16

  init(path: String, name: String) throws(PluginFailure) {
    file = try ResultFile(path, name: name, replaces: true)
  }

  /// Bytes so far.
  var count: Int { file.count + buffer.count }

  func write(_ fill: (inout ByteWriter) -> Void) throws(PluginFailure) {
    fill(&buffer)
    if buffer.count >= Self.piece { try flush() }
  }

  func write(_ text: String) throws(PluginFailure) { try write { $0.append(text) } }

  private func flush() throws(PluginFailure) {
    try file.write(buffer.bytes)
    buffer = ByteWriter(reserving: Self.piece)
  }

  func close() throws(PluginFailure) {
    try flush()
    try file.close()
  }

  static func tooLarge(_ name: String) -> PluginFailure {
    PluginFailure(
      .input, "limit.output", "\(name) would be larger than limits.output allows",
      hint: "raise \"output\" in defaults.limits, or leave the WAV file out")
  }
}
