internal import PluginKit

/// Changes one rule in the text of a configuration and leaves the rest as its author wrote it.
package struct RuleEdit: Sendable {
  package enum Change: Sendable {
    /// Adds a rule before another one or at the end.
    case add(rule: [UInt8], before: String?)
    case replace(String, by: [UInt8])
    case remove(String)
    /// Moves a rule before another one, or to the end.
    case move(String, before: String?)
  }

  /// Why a change cannot be made, one sentence for people without full stop.
  package struct Refusal: Error, Sendable, Equatable {
    package var message: String
  }

  /// The text of the configuration after the change.
  package private(set) var text: [UInt8]
  /// Byte offsets of the rule that was added, replaced or moved, or nil.
  package private(set) var rule: Range<Int>?

  /// - Throws: ``Refusal`` if the text has no list of rules, or no rule of this id, or if the new rule is not an object.
  package init(_ change: Change, in text: [UInt8]) throws(Refusal) {
    self.text = text
    guard let top = try? JSONReader.read(text), let list = top["pipelines"],
      case .array(let nodes) = list.kind
    else { throw Refusal(message: "the file has no list of rules that could be changed") }
    switch change {
    case .add(let rule, _), .replace(_, let rule):
      // A text that ends its own object early could add other keys of the configuration, such as `plugins`.
      guard case .object? = (try? JSONReader.read(rule))?.kind else {
        throw Refusal(message: "the rule is not one JSON object")
      }
    case .move, .remove: break
    }
    switch change {
    case .replace(let id, let rule):
      let node = try Self.find(id, in: nodes)
      replace(node.range, by: Self.indented(rule, by: indent(of: node)))
    case .add(let rule, let other):
      if let other { _ = try Self.find(other, in: nodes) }
      let place = nodes.firstIndex { $0["id"]?.value.stringValue == other } ?? nodes.count
      insert(rule, at: place, among: nodes, list: list)
    case .remove(let id):
      remove(try Self.find(id, in: nodes), among: nodes, list: list)
    case .move(let id, let other):
      let node = try Self.find(id, in: nodes)
      let rule = Array(text[node.range])
      guard other != id else { return }
      // The place is found by id in the text without the rule, because removing it moves the others.
      if let other { _ = try Self.find(other, in: nodes) }
      remove(node, among: nodes, list: list)
      guard let rest = try? JSONReader.read(self.text)["pipelines"],
        case .array(let others) = rest.kind
      else { throw Refusal(message: "the rule cannot be moved") }
      let place = others.firstIndex { $0["id"]?.value.stringValue == other } ?? others.count
      insert(rule, at: place, among: others, list: rest, isIndented: true)
    }
  }

  private static func find(_ id: String, in nodes: [JSONNode]) throws(Refusal) -> JSONNode {
    guard let node = nodes.first(where: { $0["id"]?.value.stringValue == id }) else {
      throw Refusal(message: "there is no rule \"\(id)\" in the file")
    }
    return node
  }

  private mutating func replace(_ range: Range<Int>, by rule: [UInt8]) {
    text.replaceSubrange(range, with: rule)
    self.rule = range.lowerBound..<range.lowerBound + rule.count
  }

  private mutating func insert(
    _ rule: [UInt8], at index: Int, among nodes: [JSONNode], list: JSONNode,
    isIndented: Bool = false
  ) {
    let blanks = nodes.first.map(indent) ?? 4
    let lineBreak = [0x0A] + [UInt8](repeating: 0x20, count: blanks)
    let rule = isIndented ? rule : Self.indented(rule, by: blanks)
    if nodes.isEmpty {
      replace(
        list.range,
        by: [UInt8(ascii: "[")] + lineBreak + rule + lineBreak.dropLast(2) + [UInt8(ascii: "]")])
      self.rule = self.rule.map { place in
        place.lowerBound + 1 + lineBreak.count..<place.lowerBound + 1 + lineBreak.count + rule.count
      }
    } else if index < nodes.count {
      let start = nodes[index].range.lowerBound
      text.insert(contentsOf: rule + [UInt8(ascii: ",")] + lineBreak, at: start)
      self.rule = start..<start + rule.count
    } else {
      let end = nodes[nodes.count - 1].range.upperBound
      text.insert(contentsOf: [UInt8(ascii: ",")] + lineBreak + rule, at: end)
      let start = end + 1 + lineBreak.count
      self.rule = start..<start + rule.count
    }
  }

  private mutating func remove(_ node: JSONNode, among nodes: [JSONNode], list: JSONNode) {
    let index = nodes.firstIndex { $0.range == node.range } ?? 0
    if nodes.count == 1 {
      text.replaceSubrange(list.range, with: "[]".utf8)
    } else if index + 1 < nodes.count {
      text.removeSubrange(node.range.lowerBound..<nodes[index + 1].range.lowerBound)
    } else {
      text.removeSubrange(nodes[index - 1].range.upperBound..<node.range.upperBound)
    }
  }

  /// How many blanks the line of a rule begins with.
  private func indent(of node: JSONNode) -> Int {
    let before = text[..<node.range.lowerBound]
    let start = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return before[start...].prefix { $0 == 0x20 }.count
  }

  /// The rule with its lines but the first moved to the right. JSON has no line breaks within its strings.
  private static func indented(_ rule: [UInt8], by blanks: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, line) in rule.split(separator: 0x0A, omittingEmptySubsequences: true).enumerated() {
      if index > 0 { bytes += [0x0A] + [UInt8](repeating: 0x20, count: blanks) }
      bytes += line
    }
    return bytes
  }
}
