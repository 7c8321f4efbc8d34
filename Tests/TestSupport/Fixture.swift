import Foundation
import SystemPackage

/// Files of Tests/Fixtures.
public enum Fixture {
  public static func bytes(_ path: String) throws -> [UInt8] {
    let whole = Programs.repository.appending("Tests/Fixtures/" + path)
    return Array(try Data(contentsOf: URL(fileURLWithPath: whole.string)))
  }
}
