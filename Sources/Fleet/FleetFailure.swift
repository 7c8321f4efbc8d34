internal import PluginKit

/// Why something of the fleet does not work, for people.
package struct FleetFailure: Error, Sendable, Equatable, CustomStringConvertible {
  package var code: String
  package var message: String

  package init(_ code: String, _ message: String) { (self.code, self.message) = (code, message) }

  package var description: String { message }

  /// `procd-fleet` ended, or was never there.
  static let noProgram = FleetFailure("fleet.program", "procd-fleet is not there")
}
