import Foundation
import TestSupport

/// Runs an installed program; nil where it is not installed.
func output(of program: String, _ arguments: [String]) -> (status: Int32, text: String)? {
  guard let path = Programs.find(program), let ended = try? Programs.run(path, arguments) else {
    return nil
  }
  return (ended.status, ended.output + ended.errors)
}

/// Gives a path at which the bytes stand while `body` runs.
func withFile<Result>(_ bytes: [UInt8], _ body: (String) throws -> Result) throws -> Result {
  let path = NSTemporaryDirectory() + "procd-test-" + UUID().uuidString
  try Data(bytes).write(to: URL(fileURLWithPath: path))
  defer { try? FileManager.default.removeItem(atPath: path) }
  return try body(path)
}
