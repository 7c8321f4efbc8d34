/// The number and generation of an indirect object (PDF 32000-1, 7.3.10).
public struct PDFReference: Hashable, Sendable, CustomStringConvertible {
  /// The object number; valid ones are 1 or more.
  public var number: Int
  /// The generation; 0 for objects in object streams.
  public var generation: Int

  /// The reference to an object with a number and a generation.
  public init(_ number: Int, _ generation: Int = 0) {
    self.number = number
    self.generation = generation
  }

  /// As a file has it: `12 0 R`.
  public var description: String { "\(number) \(generation) R" }
}
