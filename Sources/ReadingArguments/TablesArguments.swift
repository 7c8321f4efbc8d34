public import ArgumentParser

/// The arguments of `procd tables`.
public struct TablesArguments: ParsableArguments, Sendable {
  /// The sentence that help shows about the command.
  public static let abstract = "Print the tables of PDF files as CSV."

  @OptionGroup public var reading: ReadingOptions

  public init() {}
}
