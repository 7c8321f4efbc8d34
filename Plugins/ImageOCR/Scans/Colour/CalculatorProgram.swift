internal import Glibc
internal import PDFSyntax

/// A PostScript calculator function (PDF 32000-1, 7.10.5).
struct CalculatorProgram {
  private indirect enum Step {
    case number(Double)
    case operation(String)
    case branch([Step], else: [Step])
  }

  private let steps: [Step]
  private static let deepest = 16
  private static let mostSteps = 10_000
  private static let highestStack = 100

  init?(_ bytes: [UInt8]) {
    let span = bytes.span
    var lexer = Lexer(span)
    var left = Self.mostSteps
    guard lexer.next().isKeyword("{"),
      let steps = Self.block(&lexer, depth: 0, &left)
    else { return nil }
    self.steps = steps
  }

  private static func block(
    _ lexer: inout Lexer, depth: Int, _ left: inout Int
  ) -> [Step]? {
    guard depth < deepest else { return nil }
    var steps: [Step] = []
    var blocks: [[Step]] = []
    while left > 0 {
      left -= 1
      let token = lexer.next()
      switch token.kind {
      case .integer, .real: steps.append(.number(token.real))
      case .keyword:
        if token.isKeyword("{") {
          guard let block = block(&lexer, depth: depth + 1, &left) else { return nil }
          blocks.append(block)
        } else if token.isKeyword("}") {
          return steps
        } else if token.isKeyword("if") {
          guard let yes = blocks.popLast() else { return nil }
          steps.append(.branch(yes, else: []))
        } else if token.isKeyword("ifelse") {
          guard let no = blocks.popLast(), let yes = blocks.popLast() else { return nil }
          steps.append(.branch(yes, else: no))
        } else {
          let bytes = lexer.bytes
          var name = ""
          for index in token.start..<min(token.end, token.start + 16) {
            name.unicodeScalars.append(Unicode.Scalar(bytes[index]))
          }
          steps.append(.operation(name))
        }
      default: return nil
      }
    }
    return nil
  }

  /// The stack that the program leaves; where it fails, what was on it.
  func run(_ arguments: [Double]) -> [Double] {
    var stack = arguments
    _ = Self.run(steps, &stack)
    return stack
  }

  private static func run(_ steps: [Step], _ stack: inout [Double]) -> Bool {
    for step in steps {
      guard stack.count <= highestStack else { return false }
      switch step {
      case .number(let value): stack.append(value)
      case .branch(let yes, let no):
        guard let condition = stack.popLast(), run(condition != 0 ? yes : no, &stack) else {
          return false
        }
      case .operation(let name):
        guard apply(name, &stack) else { return false }
      }
    }
    return true
  }

  private static func apply(_ name: String, _ stack: inout [Double]) -> Bool {
    if let value = constant(name) {
      stack.append(value)
      return true
    }
    guard let last = stack.last else { return false }
    if let value = unary(name, last) {
      stack[stack.count - 1] = value
      return true
    }
    switch name {
    case "pop": stack.removeLast()
    case "dup": stack.append(last)
    case "copy", "index":
      stack.removeLast()
      guard let count = whole(last), count >= 0, count <= stack.count else { return false }
      if name == "copy" {
        stack += stack.suffix(count)
      } else {
        guard count < stack.count else { return false }
        stack.append(stack[stack.count - 1 - count])
      }
    case "exch":
      guard stack.count >= 2 else { return false }
      stack.swapAt(stack.count - 1, stack.count - 2)
    case "roll":
      guard stack.count >= 2, let by = whole(last), let count = whole(stack[stack.count - 2])
      else { return false }
      stack.removeLast(2)
      guard count >= 0, count <= stack.count else { return false }
      guard count > 0 else { return true }
      let top = Array(stack.suffix(count))
      for (index, value) in top.enumerated() {
        let place = ((index + by) % count + count) % count
        stack[stack.count - count + place] = value
      }
    default:
      guard stack.count >= 2, let value = binary(name, stack[stack.count - 2], last) else {
        return false
      }
      stack.removeLast()
      stack[stack.count - 1] = value
    }
    return true
  }

  private static func whole(_ value: Double) -> Int? {
    value.magnitude < 1e6 ? Int(value) : nil
  }

  private static func constant(_ name: String) -> Double? {
    switch name {
    case "true": 1
    case "false": 0
    default: nil
    }
  }

  private static func unary(_ name: String, _ x: Double) -> Double? {
    switch name {
    case "abs": x.magnitude
    case "neg": -x
    case "ceiling": x.rounded(.up)
    case "floor": x.rounded(.down)
    case "round": (x + 0.5).rounded(.down)
    case "truncate", "cvi": x.rounded(.towardZero)
    case "cvr": x
    case "sqrt": x < 0 ? 0 : x.squareRoot()
    case "sin": sin(x * .pi / 180)
    case "cos": cos(x * .pi / 180)
    case "ln": x > 0 ? log(x) : 0
    case "log": x > 0 ? log10(x) : 0
    case "not": x == 0 ? 1 : x == 1 ? 0 : Double(~(whole(x) ?? 0))
    default: nil
    }
  }

  private static func binary(_ name: String, _ x: Double, _ y: Double) -> Double? {
    switch name {
    case "add": x + y
    case "sub": x - y
    case "mul": x * y
    case "div": y == 0 ? 0 : x / y
    case "idiv": y == 0 ? 0 : (x / y).rounded(.towardZero)
    case "mod": y == 0 ? 0 : x.truncatingRemainder(dividingBy: y)
    case "exp": pow(x, y)
    case "atan": atan(y, x)
    case "eq": x == y ? 1 : 0
    case "ne": x != y ? 1 : 0
    case "gt": x > y ? 1 : 0
    case "ge": x >= y ? 1 : 0
    case "lt": x < y ? 1 : 0
    case "le": x <= y ? 1 : 0
    case "and": Double((whole(x) ?? 0) & (whole(y) ?? 0))
    case "or": Double((whole(x) ?? 0) | (whole(y) ?? 0))
    case "xor": Double((whole(x) ?? 0) ^ (whole(y) ?? 0))
    case "bitshift": shifted(x, y)
    default: nil
    }
  }

  /// The angle of a vector in degrees from 0 to 360.
  private static func atan(_ denominator: Double, _ numerator: Double) -> Double {
    let angle = atan2(numerator, denominator) * 180 / .pi
    return angle < 0 ? angle + 360 : angle
  }

  private static func shifted(_ x: Double, _ y: Double) -> Double {
    guard let value = whole(x), let by = whole(y), by.magnitude < 32 else { return 0 }
    return Double(by >= 0 ? value << by : value >> -by)
  }
}
