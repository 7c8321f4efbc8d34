import PluginKit

extension JSON {
  /// What is typed behind the `=` of `--set`: JSON, or else a text. For an option that takes a list of known words or of
  /// numbers, it may be these with commas between: `alto,words`, `40,60.5`. Other texts may hold commas of their own.
  ///
  /// - Parameter shape: that of the option; nil where it is not known.
  static func typed(_ text: String, as shape: Shape?) -> JSON {
    let whole = (try? JSONReader.read(text).value) ?? .string(text)
    guard whole.arrayValue == nil else { return whole }
    let items = (whole.stringValue ?? text).split(separator: ",", omittingEmptySubsequences: false)
      .map { String($0.drop(while: \.isWhitespace)) }
    switch shape?.bare {
    case .list(.oneOf, _)?, .oneOrMany(.oneOf)?: return .array(items.map { .string($0) })
    case .list(.number, _)?:
      return .array(items.map { (try? JSONReader.read($0).value) ?? .string($0) })
    default: return whole
    }
  }
}
