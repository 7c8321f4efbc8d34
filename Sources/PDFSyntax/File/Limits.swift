/// Bounds on everything an input controls, so that no file costs more than it is worth.
///
/// The standard values are far above what real documents need; a file that meets one is read as far
/// as the limit lets, with a diagnostic.
public struct Limits: Sendable {
  /// Bytes that one stream may become by its filters.
  public var decodedStream = 96 << 20
  /// Bytes that all streams of a file together may become while its structure is read.
  public var decodedStructure = 512 << 20
  /// Bytes that all filters of a file together may take and give, besides 64 for each byte of the file.
  public var decodedFile = 4 << 30
  /// Nesting of arrays and dictionaries in one object.
  public var nesting = 100
  /// Values, nested ones included, in one object.
  public var itemsInObject = 4_000_000
  /// The largest object number that is believed (PDF 32000-1, Annex C).
  public var objectNumber = 8_388_607
  /// Cross-reference sections followed through `Prev`.
  public var crossReferenceSections = 4096
  /// Filters in one chain.
  public var filters = 16
  /// Pages in a document.
  public var pages = 1_000_000
  /// Depth of the page tree.
  public var pageTreeDepth = 200
  /// Passwords that are tried; each costs up to some milliseconds (PDF 32000-2, 7.6.4.3.4).
  public var passwords = 1000
  /// References followed one after another to reach an object.
  public var referenceChain = 32

  /// The standard limits, to be changed.
  public init() {}

  /// The limits that hold unless others are given.
  public static let standard = Limits()
}
