import Confinement
import Glibc

/// What a child made of one source: a stretch of its scratch file.
struct SourceResult {
  /// Zero, or why there is no output.
  var code: Int32
  var scratch: Int32
  var offset: Int
  var count: Int
}

/// Children that read sources. Each confines itself, gets the number of a source, writes its output
/// into a scratch file without a name, or, where there is one child alone, to standard output, and answers. A
/// child that a source brings down, or that a source takes beyond its limits, is replaced; the others go on.
struct ReadingCrew {
  let sources: [Source]
  let reader: SourceReader
  /// What each output begins with.
  let head: [UInt8]
  /// What all outputs but the first begin with, where one child writes them to standard output in their order;
  /// nil where they go into scratch files.
  var following: [UInt8]?

  private struct Member {
    var process: Int32 = 0
    var tasks: Int32 = -1
    var answers: Int32 = -1
    let scratch: Int32
    /// The source in work, and those that wait for it to end.
    var queue: [Int] = []
    var source: Int? { queue.first }
    /// The processor time at which it is ended, in seconds of all that it may have used by then.
    var allowed: UInt64 = 0
    var isOverTime = false
    var offset = 0
    /// Where the scratch file's used part ends, and how many results of it were not taken yet.
    var end = 0
    var kept = 0
  }

  /// - Parameter take: gets each result, in any order; says which sources' results are done with.
  /// - Returns: the worst exit code.
  func run(jobs: Int, take: (_ index: Int, _ result: SourceResult) -> ResultsTaken) -> Int32 {
    // A child that is gone shows in the answers; a reader of our output that is gone, in writing.
    signal(SIGPIPE, SIG_IGN)
    var members: [Member] = []
    for _ in 0..<min(jobs, sources.count) {
      guard let scratch = following == nil ? Self.scratchFile() : STDOUT_FILENO else {
        return ExitCode.outputFailed
      }
      members.append(Member(scratch: scratch))
    }
    var next = 0, worst = ExitCode.allWell, makers: [Int: Int] = [:], looked = clock()
    for place in members.indices where !hand(&next, to: place, &members) {
      return end(members, ExitCode.notConfined)
    }
    while members.contains(where: { $0.source != nil }) {
      // Of a child that goes on by itself only its end wakes this process, so that reading many small files is not
      // changing between processes; what it answered is looked at each second.
      let wanted = goesOn ? 0 : Int16(POLLIN)
      var polled = members.map {
        pollfd(fd: $0.source == nil ? -1 : $0.answers, events: wanted, revents: 0)
      }
      // No limit of the kernel's starts anew with each source.
      _ = unsafe poll(&polled, nfds_t(polled.count), 1000)
      let looks = clock() &- looked >= 1
      var place = 0
      while place < members.count {
        guard let index = members[place].source, polled[place].revents != 0 || goesOn && looks,
          !goesOn || Words.areWaiting(members[place].answers)
        else {
          place += 1
          continue
        }
        if !goesOn { polled[place].revents = 0 }
        var result = SourceResult(
          code: ExitCode.unreadable, scratch: members[place].scratch,
          offset: members[place].offset, count: 0)
        if let answer = Words.receive(members[place].answers) {
          result.code = Int32(truncatingIfNeeded: answer.first)
          result.count = max(0, answer.second)
        } else if !buried(place, &members) {
          return end(members, ExitCode.notConfined)
        }
        members[place].queue.removeFirst()
        members[place].end =
          (following == nil ? result.offset : members[place].end) &+ result.count
        members[place].kept += 1
        makers[index] = place
        let taken = take(index, result)
        worst = max(worst, result.code, taken.code)
        for index in taken.sources {
          guard let maker = makers.removeValue(forKey: index) else { continue }
          members[maker].kept -= 1
          if members[maker].kept == 0 { members[maker].end = 0 }
        }
        if taken.stop { return end(members, worst) }
        guard hand(&next, to: place, &members) else { return end(members, ExitCode.notConfined) }
      }
      if looks {
        endOverTime(&members)
        looked = clock()
      }
    }
    return end(members, worst)
  }

  /// Processor time for one source.
  private static let mostSeconds =
    unsafe getenv("PROCD_READ_SECONDS").flatMap { unsafe UInt64(String(cString: $0)) }
    ?? ResourceLimits.usualProcessorSeconds

  /// Seconds that only go on.
  private func clock() -> Int {
    var now = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    return now.tv_sec
  }

  private func endOverTime(_ members: inout [Member]) {
    for place in members.indices where members[place].source != nil {
      guard let used = ConfinedChild.processorSeconds(of: members[place].process),
        used >= members[place].allowed
      else { continue }
      members[place].isOverTime = true
      kill(members[place].process, SIGKILL)
    }
  }

  /// Whether a child goes from one source to the next by itself. So it does where it writes to standard output; the place
  /// of a result in a scratch file is known only when the one before is done.
  private var goesOn: Bool { following != nil }

  /// Gives a member the next source, if there is one; starts its process where it has none.
  private func hand(_ next: inout Int, to place: Int, _ members: inout [Member]) -> Bool {
    guard next < sources.count || !members[place].queue.isEmpty else { return true }
    members[place].offset = members[place].end
    let isNew = members[place].process == 0
    if isNew, !start(place, &members) { return false }
    while next < sources.count, goesOn || members[place].queue.isEmpty {
      members[place].queue.append(next)
      next += 1
    }
    if isNew || !goesOn, let first = members[place].source {
      // Where this fails the child is gone, and its answers end.
      _ = Words.send(first, members[place].offset, to: members[place].tasks)
    }
    members[place].allowed =
      (ConfinedChild.processorSeconds(of: members[place].process) ?? 0) &+ 1 &+ Self.mostSeconds
    return true
  }

  private func start(_ place: Int, _ members: inout [Member]) -> Bool {
    var tasks: [Int32] = [-1, -1], answers: [Int32] = [-1, -1]
    guard unsafe pipe(&tasks) == 0, unsafe pipe(&answers) == 0 else {
      Console.complain("no pipe could be made: \(unsafe String(cString: strerror(errno))).")
      return false
    }
    let others = members
    let process = ConfinedChild.start(.ofReaders(sources)) { isolation in
      if case .failure(let error) = isolation {
        Console.complain("a process could not confine itself: \(error.message).")
        return ExitCode.notConfined
      }
      close(tasks[1])
      close(answers[0])
      for (number, other) in others.enumerated() {
        if other.process != 0 {
          close(other.tasks)
          close(other.answers)
        }
        if number != place { close(other.scratch) }
      }
      return serve(tasks[0], answers[1], scratch: others[place].scratch)
    }
    close(tasks[0])
    close(answers[1])
    members[place].tasks = tasks[1]
    members[place].answers = answers[0]
    guard let process else {
      Console.complain("no process could be started: \(unsafe String(cString: strerror(errno))).")
      return false
    }
    members[place].process = process
    return true
  }

  /// The child's life: until there are no more tasks.
  private func serve(_ tasks: Int32, _ answers: Int32, scratch: Int32) -> Int32 {
    var written = 0
    while let task = Words.receive(tasks) {
      for index in task.first..<(goesOn ? sources.count : task.first + 1) {
        guard let answer = serve(index, task.second, &written, scratch: scratch),
          Words.send(Int(answer.code), answer.count, to: answers)
        else { return 1 }
        if goesOn, answer.code == ExitCode.outputFailed { return 1 }
      }
      // Its end is what wakes the process that waits.
      if goesOn { return 0 }
    }
    return 0
  }

  /// Reads one source.
  ///
  /// - Parameters:
  ///   - place: where its output goes in the scratch file, or how much was written before.
  ///   - written: what this child has written.
  private func serve(
    _ index: Int, _ place: Int, _ written: inout Int, scratch: Int32
  ) -> (code: Int32, count: Int)? {
    guard sources.indices.contains(index) else { return nil }
    if following == nil { lseek(scratch, place, SEEK_SET) }
    var output = OutputFile(descriptor: scratch)
    var code = ExitCode.allWell
    let head = place > 0 || written > 0 ? following ?? head : head
    if !reader.read(sources[index], head: head, into: &output) { code = ExitCode.unreadable }
    output.flush()
    written += output.count
    if !output.isSound {
      if following == nil {
        Console.complain("a temporary file cannot be written: \(output.reason).")
      } else {
        output.complainOfStandardOutput()
      }
      code = ExitCode.outputFailed
    }
    return (code, output.count)
  }

  /// Takes leave of a child that ended without an answer; false where it could not even confine
  /// itself.
  private func buried(_ place: Int, _ members: inout [Member]) -> Bool {
    close(members[place].tasks)
    close(members[place].answers)
    let (end, peak) = ConfinedChild.wait(members[place].process)
    members[place].process = 0
    if end == .status(ExitCode.notConfined) { return false }
    let name = members[place].source.map { sources[$0].name } ?? ""
    let memory = ResourceLimits.usualMemory
    defer { members[place].isOverTime = false }
    switch end {
    case .signal where members[place].isOverTime:
      Console.complain(
        "\(name): it needs more than \(Self.mostSeconds) s of processor time and is left out"
          + " [limit.cpu].")
    // What cannot get memory any more crashes; so does what is ended for want of it.
    case .signal where peak > memory / 10 * 6:
      Console.complain(
        "\(name): it needs more than \(memory >> 20) MiB of memory and is left out [limit.memory].")
    case .signal(let number):
      Console.complain("\(name): the process that read it crashed (signal \(number)).")
    case .status(let status):
      Console.complain("\(name): the process that read it crashed (status \(status)).")
    }
    return true
  }

  private func end(_ members: [Member], _ code: Int32) -> Int32 {
    for member in members where member.process != 0 {
      close(member.tasks)
      if member.source != nil { kill(member.process, SIGKILL) }
      _ = ConfinedChild.wait(member.process)
    }
    return code
  }

  private static func scratchFile() -> Int32? {
    let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/procd-XXXXXX".utf8CString)
    let descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      Console.complain("no temporary file could be made in \(folder): \(reason).")
      return nil
    }
    unsafe unlink(template)
    return descriptor
  }
}

/// Two numbers at a time through a pipe: a task (source, place in the scratch file) or an answer
/// (exit code, bytes written).
private enum Words {
  static func send(_ first: Int, _ second: Int, to descriptor: Int32) -> Bool {
    let words = [first, second]
    return unsafe words.withUnsafeBytes { buffer in
      unsafe write(descriptor, buffer.baseAddress, buffer.count) == buffer.count
    }
  }

  /// Whether words, or the end of the pipe, can be received at once.
  static func areWaiting(_ descriptor: Int32) -> Bool {
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// Nil at the end of the pipe.
  static func receive(_ descriptor: Int32) -> (first: Int, second: Int)? {
    var words = [0, 0]
    let count = unsafe words.withUnsafeMutableBytes { buffer in
      var count: Int
      repeat {
        count = unsafe read(descriptor, buffer.baseAddress, buffer.count)
      } while count < 0 && errno == EINTR
      return count
    }
    return count == 2 * MemoryLayout<Int>.size ? (words[0], words[1]) : nil
  }
}
