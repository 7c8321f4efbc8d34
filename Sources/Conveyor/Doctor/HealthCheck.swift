package import PluginKit

/// What one look at the machine found.
package struct HealthCheck: Sendable, Equatable {
  package enum Level: String, Sendable { case ok, warning, problem }

  package var level: Level
  /// A stable name for programs: `folder.inbox`, `lease`, `sandbox.tool`.
  package var name: String
  /// What is the case and what it means, one sentence.
  package var message: String
  /// What to do; nil where nothing needs to be done.
  package var cure: String?

  package init(_ level: Level, _ name: String, _ message: String, cure: String? = nil) {
    self.level = level
    self.name = name
    self.message = message
    self.cure = cure
  }

  package var json: JSON {
    [
      "level": .string(level.rawValue), "check": .string(name), "message": .string(message),
      "cure": cure.map { .string($0) },
    ]
  }
}
