/// Bounds on the work one page may cause, and all pages of a document together.
public struct WorkLimits: Sendable {
  /// Operators of content streams, those of forms each time they are drawn.
  public var operators = 4_000_000
  /// Glyphs shown.
  public var glyphs = 400_000
  /// Decoded bytes of content streams and forms.
  public var contentBytes = 48 << 20
  /// Depth of forms in forms.
  public var formDepth = 24
  /// Depth of saved graphics states.
  public var savedStates = 512
  /// Annotations drawn on a page.
  public var annotations = 20_000
  /// Operators of all pages together: content that many pages share is read for each.
  public var operatorsOfDocument = 400_000_000
  /// Decoded bytes of all pages together, besides 64 for each byte of the file.
  public var contentBytesOfDocument = 4 << 30

  /// The standard limits, to be changed.
  public init() {}
}
