public import ArgumentParser

/// The arguments of `procd extract`.
public struct ExtractArguments: ParsableArguments, Sendable {
  /// The sentence that help shows about the command.
  public static let abstract = "Print the text of PDF files, pages separated by form feeds."

  @OptionGroup public var reading: ReadingOptions

  public init() {}
}
