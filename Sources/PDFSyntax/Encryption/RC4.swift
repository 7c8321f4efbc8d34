/// The RC4 stream cipher, which no current library offers any more. Encryption is decryption.
struct RC4 {
  private var state: [UInt8]
  private var i: UInt8 = 0
  private var j: UInt8 = 0

  /// - Parameter key: 1 to 256 bytes; an empty key is taken as one zero byte.
  init(key: [UInt8]) {
    state = (0...255).map { UInt8($0) }
    let key = key.isEmpty ? [0] : key
    var j: UInt8 = 0
    for index in 0..<256 {
      j = j &+ state[index] &+ key[index % key.count]
      state.swapAt(index, Int(j))
    }
  }

  mutating func apply(to bytes: inout [UInt8]) {
    for index in bytes.indices {
      i = i &+ 1
      j = j &+ state[Int(i)]
      state.swapAt(Int(i), Int(j))
      bytes[index] ^= state[Int(state[Int(i)] &+ state[Int(j)])]
    }
  }

  static func apply(key: [UInt8], to bytes: [UInt8]) -> [UInt8] {
    var cipher = RC4(key: key)
    var result = bytes
    cipher.apply(to: &result)
    return result
  }
}
