import Glibc
import PluginKit
import SystemPackage

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

/// Results that become several files: `NAME-t1`, `NAME-t2` and so on.
struct ResultParts {
  var fileExtension: String
  /// Stands between two parts and in none of them.
  var separator: UInt8
  /// What each part begins with; the result as a whole does so too.
  var start: [UInt8]

  /// The most files that one source may become.
  static let most = 10_000
}

/// Results on their way into a folder: a file for each source, which appears whole.
struct ResultFolder {
  struct Failure: Error {
    var text: String
    var exitCode: Int32
  }

  private let descriptor: Int32
  private let names: [String]
  private let stems: [String]
  private let parts: ResultParts?
  /// Whether files with other content are replaced.
  private let replaces: Bool

  /// Whether a path is that of a file with the results of one source, and not of a folder: it ends as they do, and no
  /// folder is called so.
  static func namesFile(_ path: String, fileExtension: String) -> Bool {
    path.lowercased().hasSuffix(ending(of: fileExtension)) && !isFolder(path)
  }

  /// The last part of an extension such as `.rows.csv`.
  private static func ending(of fileExtension: String) -> String {
    fileExtension.split(separator: ".").last.map { ".\($0)" } ?? fileExtension
  }

  private static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path ends as names of files do, and no folder is called so: `tables.ods`, not `2026.11`.
  private static func looksLikeFile(_ path: String) -> Bool {
    guard let name = path.split(separator: "/", omittingEmptySubsequences: false).last,
      let dot = name.lastIndex(of: "."), dot > name.startIndex
    else { return false }
    let ending = name[name.index(after: dot)...]
    return (1...5).contains(ending.count) && ending.allSatisfy { $0.isLetter || $0.isNumber }
      && ending.contains(where: \.isLetter) && !isFolder(path)
  }

  /// Makes and opens the folder, which may be that of a named file.
  init(
    _ path: String, of sources: [Source], fileExtension: String, otherNames: String? = nil,
    parts: ResultParts? = nil,
    replaces: Bool
  ) throws(Failure) {
    var path = path
    self.replaces = replaces
    stems = sources.map(\.stem)
    if Self.namesFile(path, fileExtension: fileExtension) {
      guard sources.count <= 1 else {
        throw Failure(
          text: "\(path) is the name of one file, and there are several inputs; name a folder.",
          exitCode: ExitCode.usage)
      }
      let place = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
      names = [String(path[place...])]
      path = place == path.startIndex ? "." : String(path[..<place])
      self.parts = nil
    } else if Self.looksLikeFile(path) {
      throw Failure(
        text:
          "\(path) is the name of a file, and results here end with \(Self.ending(of: fileExtension))"
          + (otherNames.map { ", or with \($0)" } ?? "") + "; for a folder"
          + " of that name write \(path)/.",
        exitCode: ExitCode.usage)
    } else {
      names = sources.map { $0.stem + fileExtension }
      self.parts = parts
    }
    // By bytes, as the disk has them: equal Strings may be names that differ in how an accent is written.
    var makers: [[UInt8]: String] = [:]
    for (name, source) in zip(names, sources) {
      if let other = makers.updateValue(source.name, forKey: Array(name.utf8)) {
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
    let inputs = Dictionary(
      sources.compactMap { source in source.identity.map { ($0, source.name) } },
      uniquingKeysWith: { first, _ in first })
    for name in names {
      if let input = FileIdentity(of: FilePath(name), in: descriptor).flatMap({ inputs[$0] }) {
        throw Failure(
          text: "\(input) is an input, and no result takes its place; nothing was done.",
          exitCode: ExitCode.usage)
      }
    }
  }

  func add(_ index: Int, _ result: SourceResult) -> ResultsTaken {
    guard result.code == ExitCode.allWell else { return ResultsTaken(sources: [index]) }
    if let parts { return add(index, result, parts) }
    let code = write(names[index]) { $0.write(from: result) }
    return ResultsTaken(sources: [index], code: code)
  }

  /// Writes each part into a file of its own.
  private func add(_ index: Int, _ result: SourceResult, _ parts: ResultParts) -> ResultsTaken {
    var taken = ResultsTaken(sources: [index])
    let all = result.bytes()
    // Nothing but the start: there is no part.
    guard all.count > parts.start.count else { return taken }
    for (number, part) in all.split(
      separator: parts.separator, maxSplits: ResultParts.most, omittingEmptySubsequences: false
    ).prefix(ResultParts.most).enumerated() {
      let code = write("\(stems[index])-t\(number + 1)\(parts.fileExtension)") { output in
        if number > 0 { output.write(parts.start) }
        output.write(Array(part))
      }
      taken.code = max(taken.code, code)
    }
    return taken
  }

  /// Writes a file that appears whole. Where that fails, or another file stands there that is not to be replaced, that
  /// is told.
  private func write(_ name: String, _ body: (inout OutputFile) -> Void) -> Int32 {
    // The longest names have no room for more.
    let part = name.utf8.count > 240 ? ".procd-\(getpid()).part" : ".\(name).part"
    let file = unsafe openat(descriptor, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    var output = OutputFile(descriptor: file)
    var isWhole = file >= 0
    if isWhole {
      body(&output)
      output.flush()
      let isClosed = close(file) == 0
      isWhole = output.isSound && isClosed
      if isWhole, !replaces, let isSame = sameContent(part, name) {
        unsafe unlinkat(descriptor, part, 0)
        guard !isSame else { return ExitCode.allWell }
        Console.complain("\(name) exists already, with other content; --overwrite replaces it.")
        return ExitCode.exists
      }
      if isWhole { isWhole = unsafe renameat(descriptor, part, descriptor, name) == 0 }
    }
    guard isWhole else {
      let reason = output.isSound ? unsafe String(cString: strerror(errno)) : output.reason
      if file >= 0 { unsafe unlinkat(descriptor, part, 0) }
      Console.complain("\(name) cannot be written: \(reason).")
      return ExitCode.outputFailed
    }
    return ExitCode.allWell
  }

  /// Whether two files of the folder hold the same bytes; nil where the second is not there.
  private func sameContent(_ name: String, _ other: String) -> Bool? {
    var status = stat()
    guard unsafe fstatat(descriptor, other, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else { return false }
    let files = [name, other].map { (name: String) in
      unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC)
    }
    defer { for file in files where file >= 0 { close(file) } }
    while let one = readSome(files[0]), let two = readSome(files[1]) {
      guard one == two else { return false }
      if one.isEmpty { return true }
    }
    return false
  }
}

extension SourceResult {
  /// All that a child wrote for one source.
  func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    read { bytes += $0 }
    return bytes
  }

  /// Gives the bytes piece by piece.
  func read(_ take: ([UInt8]) -> Void) {
    var offset = offset, left = count
    while left > 0 {
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: min(left, 1 << 17)) { buffer, count in
        count = max(0, unsafe pread(scratch, buffer.baseAddress, buffer.count, offset))
      }
      // Shorter than was said: the child lied or its disk did; there is nothing more.
      guard !bytes.isEmpty else { return }
      take(bytes)
      offset += bytes.count
      left -= bytes.count
    }
  }
}

extension OutputFile {
  /// Copies what a child wrote into its scratch file.
  mutating func write(from result: SourceResult) {
    result.read { write($0) }
  }
}
