/// What a JSON value must look like. One declaration checks a file, fills defaults, and prints the
/// JSON Schema that editors use, so that the three cannot disagree.
public indirect enum Shape: Sendable {
  case any
  case boolean
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  case string
  /// A non-empty string.
  case text
  /// Letters, digits, `-` and `_`, beginning with a letter or digit.
  case identifier
  /// What stands behind the stem and the dot of a file's name: identifiers joined by dots.
  case fileExtension
  /// A regular expression (ICU-free: Swift's own dialect).
  case regex
  /// A time span with a unit: `250ms`, `2s`, `5m`, `1h`, `30d`.
  case duration
  /// An amount of memory or storage with a unit: `512KiB`, `2GiB`, `1MB`.
  case size
  /// A number of pixels: `250Mpx`.
  case pixels
  /// A duration, size or number of pixels that is no less than this one.
  case atLeast(String, Shape)
  /// A value for which more holds than its shape says.
  case such(Shape, ValueRule)
  /// A day of the calendar: `2026-11-25`.
  case day
  /// Who may do what with a file, in octal digits: `0640`.
  case permissions
  /// Where a secret is kept: `{"file": PATH}` or `{"environment": NAME}`. A step gets its text; it
  /// stands in no configuration, ledger or report.
  case secret
  /// Exactly one of these words.
  case oneOf([String])
  case list(Shape, atLeast: Int = 0)
  /// One value, or a list of such values.
  case oneOrMany(Shape)
  /// An object with free names.
  case map(Shape)
  case object(ObjectShape)
  /// The first alternative whose kind of JSON value fits.
  case either([Shape])
  /// A shape that is declared elsewhere, by name; also what lets shapes contain themselves.
  case named(String, @Sendable () -> Shape)
}

extension Shape {
  /// The shape without what holds for its values besides.
  package var bare: Shape { if case .such(let shape, _) = self { shape.bare } else { self } }
}

/// What may hold for a value besides its shape.
public enum ValueRule: String, Sendable, CaseIterable {
  /// Four numbers, x0, y0, x1, y1, the first two smaller than the last two.
  case box
  /// Names of columns, `-` for those that are not wanted: `number` is among them, and none is there twice.
  case columns

  /// Whether it holds.
  public func holds(for value: JSON) -> Bool {
    switch self {
    case .box:
      let places = value.arrayValue?.compactMap(\.doubleValue) ?? []
      return places.count == 4 && places[0] < places[2] && places[1] < places[3]
    case .columns:
      let names = value.arrayValue?.compactMap(\.stringValue).filter { $0 != "-" } ?? []
      return names.contains("number") && Set(names).count == names.count
    }
  }

  /// What is expected, in words.
  public var expectation: String {
    switch self {
    case .box: "four numbers, x0, y0, x1, y1, the first two smaller than the others,"
    case .columns: "number once, and no other column twice,"
    }
  }
}

/// An object with declared members; others are errors.
public struct ObjectShape: Sendable {
  /// What people call such an object, for complaints: `pipeline`, `step`.
  public var name: String
  /// The declared members, in the order in which the schema has them.
  public var fields: [Field]
  /// Whether further members are allowed (formats that may grow).
  public var open: Bool

  /// An object whose undeclared members are errors, unless it is `open`.
  public init(_ name: String, _ fields: [Field], open: Bool = false) {
    self.name = name
    self.fields = fields
    self.open = open
  }

  /// The declared member of a key; nil where there is none.
  public subscript(key: String) -> Field? { fields.first { $0.key == key } }
}

/// One member of an object.
public struct Field: Sendable {
  /// The name of the member.
  public var key: String
  /// What its value must look like.
  public var shape: Shape
  /// One sentence for the schema, shown by editors.
  public var about: String
  /// Whether an object without it is wrong.
  public var required: Bool
  /// What stands when the member is left out.
  public var byDefault: JSON?

  /// A member that may be left out, unless it is `required`.
  public init(
    _ key: String, _ shape: Shape, _ about: String, required: Bool = false,
    byDefault: JSON? = nil
  ) {
    self.key = key
    self.shape = shape
    self.about = about
    self.required = required
    self.byDefault = byDefault
  }
}

/// Something wrong with a configuration, with its place.
public struct Complaint: Sendable, Equatable {
  /// Whether the configuration can be used all the same: with warnings it can, with errors it
  /// cannot.
  public enum Severity: String, Sendable { case error, warning }
  /// Whether it keeps the configuration from being used.
  public var severity: Severity
  /// Stable: `key.unknown`, `value.kind`.
  public var code: String
  /// One sentence for people, without full stop; the place is not in it.
  public var message: String
  /// Byte offsets into the text.
  public var range: Range<Int>
  /// Shown behind the caret.
  public var hint: String?

  /// An error, unless the severity says otherwise.
  public init(
    _ code: String, _ message: String, at range: Range<Int>, hint: String? = nil,
    severity: Severity = .error
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.range = range
    self.hint = hint
  }
}
