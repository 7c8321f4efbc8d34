/// How somebody may have mistyped a number.
package enum NumberSlip: String, Sendable {
  case swapped = "digits swapped"
  case wrong = "one digit differs"
  case letters = "other capital letters"

  /// The numbers that a slip could have turned into this one, the likelier slips first.
  package static func candidates(for number: String) -> [(String, NumberSlip)] {
    let digits = Array(number.utf8)
    var found: [(String, NumberSlip)] = []
    var known: Set<[UInt8]> = [digits]
    for other in [number.uppercased(), number.lowercased()]
    where known.insert(Array(other.utf8)).inserted {
      found.append((other, .letters))
    }
    for place in digits.indices.dropLast() {
      var other = digits
      other.swapAt(place, place + 1)
      if known.insert(other).inserted {
        found.append((String(decoding: other, as: UTF8.self), .swapped))
      }
    }
    for place in digits.indices {
      for digit in UInt8(ascii: "0")...UInt8(ascii: "9") {
        var other = digits
        other[place] = digit
        if known.insert(other).inserted {
          found.append((String(decoding: other, as: UTF8.self), .wrong))
        }
      }
    }
    return found
  }
}
