import Files

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
