internal import Bytes

/// Writes elements with their attributes.
struct XMLWriter {
  private(set) var output = ByteWriter()
  private var open: [String] = []

  init() { output.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n") }

  mutating func start(_ name: String, _ attributes: [(String, String?)] = []) {
    indent()
    tag(name, attributes)
    output.append(">\n")
    open.append(name)
  }

  mutating func end() {
    guard let name = open.popLast() else { return }
    indent()
    output.append("</\(name)>\n")
  }

  /// An element without content, or with a text.
  mutating func element(
    _ name: String, _ attributes: [(String, String?)] = [], text: String? = nil
  ) {
    indent()
    tag(name, attributes)
    if let text {
      output.append(">")
      output.append(markup: text)
      output.append("</\(name)>\n")
    } else {
      output.append("/>\n")
    }
  }

  /// An element around what is XML already.
  mutating func element(_ name: String, markup: String) {
    indent()
    output.append("<\(name)>\(markup)</\(name)>\n")
  }

  private mutating func tag(_ name: String, _ attributes: [(String, String?)]) {
    output.append("<\(name)")
    for (key, value) in attributes {
      guard let value else { continue }
      output.append(" \(key)=\"\(String(markup: value))\"")
    }
  }

  private mutating func indent() {
    output.append(contentsOf: repeatElement(0x20, count: 2 * open.count))
  }
}
