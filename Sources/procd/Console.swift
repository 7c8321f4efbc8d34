import Bytes
import Glibc
import PlainText

/// Standard error, line by line.
enum Console {
  static func complain(_ text: String) {
    var line = ByteWriter()
    line.append("procd: ")
    line.append(text.plain)
    line.append(0x0A)
    // Where even this cannot be written there is nobody left to tell.
    _ = OutputFile.writeAll(line.bytes, to: 2)
  }
}
