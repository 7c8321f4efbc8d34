import Bytes
import Glibc
import PDFSyntax
import PluginKit
import ReadingArguments
import SystemPackage

/// A PDF file named on the command line, opened before the process confines itself.
struct Source {
  let name: String
  /// Which file it is; nil where there is none, as for standard input.
  let identity: FileIdentity?
  /// The descriptor, or the errno of the attempt to open it.
  private let opened: Result<Int32, OpenFailure>

  struct OpenFailure: Error { var number: Int32 }

  /// The largest input from a pipe, which has to be held in memory.
  private static let pipeLimit = 1 << 30

  init(_ word: String) {
    let path = FilePath(typed: word)
    name = path.string
    identity = FileIdentity(of: path)
    if word == "-" {
      opened = .success(0)
      return
    }
    let descriptor = unsafe path.withPlatformString {
      unsafe open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    opened = descriptor >= 0 ? .success(descriptor) : .failure(OpenFailure(number: errno))
  }

  /// A file that is called by another name.
  init(at path: String, called name: String) {
    let source = Source(path)
    (self.name, opened) = (FilePath(typed: name).string, source.opened)
    identity = FileIdentity(of: FilePath(typed: name))
  }

  /// How many bytes it may take to hold, as far as that is known before it is read.
  var size: Int {
    var status = stat()
    guard case .success(let descriptor) = opened, unsafe fstat(descriptor, &status) == 0 else {
      return 0
    }
    // What comes through a pipe grows in pieces, and is held twice while it does.
    return status.st_mode & S_IFMT == S_IFREG ? Int(status.st_size) : 2 * Self.pipeLimit
  }

  /// The name without folders and extension.
  var stem: String {
    let last = name.split(separator: "/").last.map(String.init) ?? "standard-input"
    if last == "-" { return "standard-input" }
    guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return last }
    return String(last[..<dot])
  }

  /// The bytes; the descriptor is closed.
  func read() throws(ReadFailure) -> FileBytes {
    let descriptor: Int32
    switch opened {
    case .success(let value): descriptor = value
    case .failure(let failure): throw ReadFailure(reason: Self.text(failure.number))
    }
    defer { if descriptor > 2 { close(descriptor) } }
    do {
      return FileBytes(try MappedFile(descriptor: descriptor))
    } catch {
      switch error {
      case .notARegularFile where name == "-": return FileBytes(try Self.drain(descriptor))
      case .notARegularFile: throw ReadFailure(reason: "it is not a regular file")
      case .tooLarge: throw ReadFailure(reason: "it is too large")
      case .system(let number): throw ReadFailure(reason: Self.text(number))
      }
    }
  }

  private static func drain(_ descriptor: Int32) throws(ReadFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = readSome(descriptor) {
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= pipeLimit else { throw ReadFailure(reason: "it is too large") }
    }
    throw ReadFailure(reason: text(errno))
  }

  private static func text(_ number: Int32) -> String {
    switch number {
    case ENOENT: "there is no such file"
    case EACCES: "permission denied"
    case EISDIR: "it is a folder"
    default: unsafe String(cString: strerror(number))
    }
  }
}

/// Which file of the machine one is, whatever names it has.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let number: UInt64

  /// That of the file at a path; nil where there is none.
  init?(of path: FilePath, in folder: Int32 = AT_FDCWD) {
    var status = stat()
    guard unsafe path.withPlatformString({ unsafe fstatat(folder, $0, &status, 0) }) == 0 else {
      return nil
    }
    (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}

/// Why the bytes of a file could not be had.
struct ReadFailure: Error {
  /// A sentence without subject and full stop.
  var reason: String
}
