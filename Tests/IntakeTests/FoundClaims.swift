import Files
import Glibc

@testable import Intake

extension Claims {
  /// Everything in the folder of claims, as a start finds it.
  func found() throws(FileError) -> [Found] {
    var all: [Found] = []
    for job in try jobs() {
      if let found = try found(job) { all.append(found) }
    }
    return all
  }
}

struct NotClaimed: Error { var result: ClaimResult }

/// The claim that a try gives. A program that another test is just starting may hold the file open for a moment.
func claimed(_ take: () throws -> ClaimResult) throws -> Claim {
  for _ in 0..<1000 {
    let result = try take()
    switch result {
    case .claimed(let claim): return claim
    case .waits(.beingWritten): usleep(10_000)
    default: throw NotClaimed(result: result)
    }
  }
  throw NotClaimed(result: .waits(.beingWritten))
}
