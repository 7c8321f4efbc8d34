import Glibc

/// What became of results that were handed over.
struct ResultsTaken {
  /// The sources whose results are done with: their bytes may be overwritten.
  var sources: [Int]
  /// Zero, or that writing failed.
  var code: Int32 = ExitCode.allWell
  /// Whether nothing more can be written.
  var stop = false
}

/// Results on their way to standard output, in the order of the arguments.
struct OrderedResults {
  private var head: [UInt8]
  private let separator: [UInt8]
  private var waiting: [Int: SourceResult] = [:]
  private var next = 0

  init(header: [UInt8], separator: [UInt8]) {
    head = header
    self.separator = separator
  }

  mutating func add(_ index: Int, _ result: SourceResult) -> ResultsTaken {
    waiting[index] = result
    var taken = ResultsTaken(sources: [])
    var standard = OutputFile(descriptor: 1)
    while let result = waiting.removeValue(forKey: next) {
      if result.code == ExitCode.allWell {
        standard.write(head)
        head = separator
        standard.write(from: result)
      }
      taken.sources.append(next)
      next += 1
    }
    standard.flush()
    if !standard.isSound {
      standard.complainOfStandardOutput()
      taken.code = ExitCode.outputFailed
      taken.stop = true
    }
    return taken
  }
}

/// Results on their way into a folder: a file for each source, which appears whole.
struct ResultFolder {
  struct Failure: Error {
    var text: String
    var exitCode: Int32
  }

  private let descriptor: Int32
  private let names: [String]

  /// Makes and opens the folder.
  init(_ path: String, of sources: [Source], fileExtension: String) throws(Failure) {
    names = sources.map { $0.stem + fileExtension }
    var makers: [String: String] = [:]
    for (name, source) in zip(names, sources) {
      if let other = makers.updateValue(source.name, forKey: name) {
        throw Failure(
          text: "\(other) and \(source.name) would both be written as \(name); nothing was done.",
          exitCode: ExitCode.usage)
      }
    }
    unsafe mkdir(path, 0o777)
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = unsafe String(cString: strerror(errno))
      throw Failure(
        text: "the output folder \(path) cannot be opened: \(reason).",
        exitCode: ExitCode.outputFailed)
    }
  }

  func add(_ index: Int, _ result: SourceResult) -> ResultsTaken {
    guard result.code == ExitCode.allWell else { return ResultsTaken(sources: [index]) }
    let name = names[index], part = ".\(name).part"
    let file = unsafe openat(descriptor, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    var output = OutputFile(descriptor: file)
    var isWhole = file >= 0
    if isWhole {
      output.write(from: result)
      output.flush()
      let isClosed = close(file) == 0
      isWhole = output.isSound && isClosed
      if isWhole { isWhole = unsafe renameat(descriptor, part, descriptor, name) == 0 }
    }
    guard isWhole else {
      let reason = output.isSound ? unsafe String(cString: strerror(errno)) : output.reason
      if file >= 0 { unsafe unlinkat(descriptor, part, 0) }
      Console.complain("\(name) cannot be written: \(reason).")
      return ResultsTaken(sources: [index], code: ExitCode.outputFailed)
    }
    return ResultsTaken(sources: [index])
  }
}

extension OutputFile {
  /// Copies what a child wrote into its scratch file.
  mutating func write(from result: SourceResult) {
    var offset = result.offset, left = result.count
    while left > 0 {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(left, 1 << 17)) { buffer, count in
        count = max(0, unsafe pread(result.scratch, buffer.baseAddress, buffer.count, offset))
      }
      // Shorter than was said: the child lied or its disk did; there is nothing more.
      guard !bytes.isEmpty else { return }
      write(bytes)
      offset += bytes.count
      left -= bytes.count
    }
  }
}
