public import ArgumentParser

/// The arguments of `procd rows`.
public struct RowsArguments: ParsableArguments, Sendable {
  /// The sentence that help shows about the command.
  public static let abstract = "Print the rows of status lists as CSV: number, status, date, page."

  @OptionGroup public var reading: ReadingOptions

  public init() {}
}
