import Glibc

/// The bytes that change what a terminal shows. Between two frames the cursor rests on the first
/// column of the block's first line: whatever a change of size does to the lines below, erasing
/// from there on erases the block and nothing else.
enum LiveFrame {
  private static let eraseBelow = "\r\u{1B}[J"
  private static let eraseRest = "\u{1B}[K"
  private static let wrapOff = "\u{1B}[?7l"
  private static let wrapOn = "\u{1B}[?7h"

  /// What removes the block.
  static let erasing = eraseBelow

  /// Draws the block over the one that was drawn before.
  static func drawing(_ lines: [String]) -> String {
    guard !lines.isEmpty else { return eraseBelow }
    // Where a terminal counts columns otherwise than we do, a line is cut rather than wrapped.
    var frame = "\r\(wrapOff)"
    for (index, line) in lines.enumerated() {
      frame += index == 0 ? line : "\r\n\(line)"
      frame += eraseRest
    }
    if lines.count > 1 {
      frame += "\u{1B}[J\u{1B}[\(lines.count - 1)A"
    } else {
      frame += "\u{1B}[J"
    }
    return frame + "\r\(wrapOn)"
  }

  /// Removes the block and ends the process; for handlers of signals, which may do little more.
  static func eraseAndExit(_ status: Int32) -> Never {
    let bytes: StaticString = "\r\u{1B}[J\u{1B}[?7h"
    unsafe write(1, bytes.utf8Start, bytes.utf8CodeUnitCount)
    _exit(status)
  }
}
