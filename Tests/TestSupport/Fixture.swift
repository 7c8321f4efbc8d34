import Foundation
import SystemPackage

/// Files of Tests/Fixtures.
public enum Fixture {
  /// The content of a file by its path below Tests/Fixtures; throws where there is none.
  public static func bytes(_ path: String) throws -> [UInt8] {
    let whole = Programs.repository.appending("Tests/Fixtures/" + path)
    return Array(try Data(contentsOf: URL(fileURLWithPath: whole.string)))
  }
}
