/// The languages that pages are read with.
enum LanguageChoice: Hashable, Sendable {
  /// Those that the user named, the main one first.
  case named([String])
  /// Of those that are installed the ones that the page is in.
  case automatic

  /// The value of the option that asks for the installed languages.
  static let automaticName = "auto"

  /// - Parameter names: as the option gives them; `deu+eng` stands for two.
  init(_ names: [String]) {
    let parts = names.flatMap {
      $0.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    }
    self = parts.isEmpty || parts == [Self.automaticName] ? .automatic : .named(parts)
  }
}
