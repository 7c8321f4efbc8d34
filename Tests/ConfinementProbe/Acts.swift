import BreakOut
import Glibc

/// Tries every act in a process of its own and prints a line for each: its name, a tab, and `done`,
/// `harm` where it claims to have been refused and left a trace, or the error's name or number.
struct Acts {
  private let subject: Subject
  private let folder: String

  init(_ subject: Subject, folder: String) {
    self.subject = subject
    self.folder = folder
  }

  func tryAll() {
    var place = breakout_place()
    for act in 0..<breakout_count() {
      let error = breakout_lay_out(folder, &place)
      guard error == 0 else {
        print("the place cannot be laid out: \(String(cString: strerror(error)))")
        exit(71)
      }
      let (status, process) = Subject.inChild {
        subject.confine(input: String(cString: place.input), work: String(cString: place.work))
        return breakout_try(act, &place)
      }
      let signalled = breakout_took_signal(process) != 0
      let unharmed = breakout_is_unharmed(&place) != 0
      let outcome =
        status == 0 || signalled ? "done" : unharmed ? "\(status)" : "harm"
      print("\(String(cString: breakout_name(act)))\t\(outcome)")
    }
  }
}
