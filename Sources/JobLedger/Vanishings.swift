/// How often something ended a job's process from outside, or the daemon with it.
package struct Vanishings: Sendable, Equatable {
  package var count = 0
  /// When the last one was noticed, milliseconds since 1970.
  package var last: Int64 = 0

  package init(count: Int = 0, last: Int64 = 0) { (self.count, self.last) = (count, last) }
}
