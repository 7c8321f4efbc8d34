import BreakOut
import Glibc

/// Judges every system call number inside the sandbox without carrying one out, and prints the ones
/// that are let through: the number, the name, and `some` where it depends on the arguments.
struct Census {
  private let subject: Subject
  /// One more than the highest number that is tried.
  private static let end = 512
  private static let alternativeMark = 0x4000_0000

  init(_ subject: Subject) { self.subject = subject }

  /// All calls that this machine has.
  static func printNames() {
    for number in 0..<end {
      let name = String(cString: breakout_call_name(number))
      if !name.isEmpty { print("\(number) \(name)") }
    }
  }

  func take() {
    let (status, _) = Subject.inChild {
      guard breakout_mark_calls() == 0 else { return 71 }
      subject.confine(input: nil, work: nil)
      for number in 0..<Self.end where !Self.ofProbes.contains(number) { judge(number) }
      fflush(nil)
      return 0
    }
    guard status == 0 else {
      print("the census ended with \(status)")
      exit(1)
    }
    print("x32 \(endsOfOtherCalls())")
    #if arch(x86_64)
      print("i386 \(endOfForeignCall())")
    #endif
  }

  /// uretprobe and uprobe: the kernel does not show them to filters, and ends whoever calls them from
  /// elsewhere than a probe that it set itself.
  private static let ofProbes: Set<Int> = [335, 336]

  /// Calls of another architecture mean other things by the same numbers: they end the process.
  private func endsOfOtherCalls() -> String {
    var ends: Set<String> = []
    for number in Array(stride(from: 0, to: Self.end, by: 16)) + [520, 522, 544] {
      let (end, _) = Subject.inChild {
        guard breakout_mark_calls() == 0 else { return 71 }
        subject.confine(input: nil, work: nil)
        var error: Int32 = 0
        let arguments = [UInt64](repeating: 0, count: 5)
        return breakout_judge(number | Self.alternativeMark, arguments, &error)
      }
      ends.insert(end == 128 + SIGSYS ? "killed" : "\(number) ended with \(end)")
    }
    return ends.sorted().joined(separator: ", ")
  }

  #if arch(x86_64)
    private func endOfForeignCall() -> String {
      let (end, _) = Subject.inChild {
        subject.confine(input: nil, work: nil)
        breakout_foreign_call()
        return 0
      }
      // A kernel without 32-bit programs answers with SIGSEGV.
      return end == 128 + SIGSYS || end == 128 + SIGSEGV ? "killed" : "ended with \(end)"
    }
  #endif

  /// Values that arguments are tried with: nothing, everything, this process, and small numbers that
  /// filters tell apart (commands, families, flags).
  private static let values: [UInt64] =
    [0, .max, UInt64(getpid())] + (1...47).map { UInt64($0) } + [0x541B, 1030, 0x10000]

  private func judge(_ number: Int) {
    var letThrough = 0, refused = 0
    var arguments = [UInt64](repeating: 0, count: 5)
    func look() {
      var error: Int32 = 0
      if breakout_judge(number, arguments, &error) == BREAKOUT_ALLOWED {
        letThrough += 1
      } else {
        refused += 1
      }
    }
    for value in Self.values {
      for place in 0..<4 {
        arguments = [0, 0, 0, 0, 0]
        arguments[place] = value
        look()
      }
      arguments = [value, value, value, value, value]
      look()
    }
    guard letThrough > 0 else { return }
    let name = String(cString: breakout_call_name(number))
    print("\(number) \(name.isEmpty ? "-" : name)\(refused > 0 ? " some" : "")")
  }
}
