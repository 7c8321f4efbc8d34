import TestSupport
import Testing

@testable import procd_daemon

/// As much of a terminal as the frames use; it scrolls, and wraps unless told not to.
private struct Screen {
  let width: Int
  let height: Int
  private(set) var rows: [[Character]]
  private var row = 0
  private var column = 0
  private var wraps = true
  private(set) var scrolled: [String] = []

  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    rows = Array(repeating: Array(repeating: " ", count: width), count: height)
  }

  var text: [String] {
    (scrolled + rows.map { String($0) }).map {
      String($0.reversed().drop { $0 == " " }.reversed())
    }.reversed().drop { $0.isEmpty }.reversed()
  }

  mutating func write(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n": feed()
      case "\u{1B}":
        rest.removeFirst()
        let body = rest.prefix { !("A"..."z").contains($0) }
        rest = rest.dropFirst(body.count)
        act(String(String.UnicodeScalarView(body)), rest.removeFirst())
      default:
        if column == width {
          if wraps {
            column = 0
            feed()
          } else {
            column = width - 1
          }
        }
        rows[row][column] = Character(scalar)
        column += 1
      }
    }
  }

  private mutating func act(_ body: String, _ final: Unicode.Scalar) {
    switch final {
    case "A": row = max(0, row - (Int(body) ?? 1))
    case "K": for index in min(column, width - 1)..<width { rows[row][index] = " " }
    case "J":
      for index in column..<width { rows[row][index] = " " }
      for below in (row + 1)..<max(row + 1, height) {
        rows[below] = Array(repeating: " ", count: width)
      }
    case "h", "l": if body == "?7" { wraps = final == "h" }
    default: Testing.Issue.record("\(body)\(final)")
    }
  }

  private mutating func feed() {
    if row == height - 1 {
      scrolled.append(String(rows.removeFirst()))
      rows.append(Array(repeating: " ", count: width))
    } else {
      row += 1
    }
  }
}

@Suite struct LiveFrameTests {
  @Test func `blocks replace each other and leave nothing behind`() {
    var numbers = SeededNumbers(seed: 5)
    for height in [2, 5, 24] {
      var screen = Screen(width: 30, height: height)
      var said: [String] = []
      for turn in 0..<200 {
        // Every third frame comes with lines above it, some longer than the terminal is wide.
        if turn % 3 == 0 {
          let line =
            "\(turn):" + String(repeating: "x", count: Int.random(in: 0...50, using: &numbers))
          said += stride(from: 0, to: line.count, by: 30).map {
            String(line.dropFirst($0).prefix(30))
          }
          screen.write(LiveFrame.erasing + line + "\n\r")
        }
        let block = (0..<Int.random(in: 0..<height, using: &numbers)).map { "busy \($0) \(turn)" }
        screen.write(LiveFrame.drawing(block))
        #expect(screen.text == said + block)
      }
      screen.write(LiveFrame.erasing)
      #expect(screen.text == said)
    }
  }

  @Test func `a line that is wider than was thought does not wrap`() {
    var screen = Screen(width: 10, height: 5)
    screen.write(LiveFrame.drawing(["0123456789abc", "total"]))
    screen.write(LiveFrame.drawing(["short", "total"]))
    #expect(screen.text == ["short", "total"])
    screen.write(LiveFrame.erasing + "0123456789abc\r\n")
    #expect(screen.text == ["0123456789", "abc"], "wrapping stays off for others")
  }
}
