import Glibc
import ReadingArguments

/// Has `procd convert` make PDFs with text of the files of a command, before they are read. Each comes as one whose
/// name nobody knows any more: it is open, and gone when this process is.
struct Recognition {
  /// The sources to read, in the order of the files; those that could not be converted have been told of.
  private(set) var sources: [Source] = []
  private(set) var failed = false

  /// - Throws: what keeps all of them from being read.
  init(_ files: [String], passwords: [String]) throws(ReadFailure) {
    let temporary = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/procd-read-XXXXXX".utf8CString)
    guard unsafe mkdtemp(&template) != nil else {
      throw ReadFailure(reason: "no folder can be made in \(temporary)")
    }
    let folder = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unsafe rmdir(folder) }
    guard let program = SiblingProgram.first(of: Self.places) else {
      throw ReadFailure(reason: "the program procd-daemon is missing")
    }
    if !passwords.isEmpty {
      unsafe setenv("PROCD_PASSWORDS", passwords.joined(separator: "\n"), 1)
    }
    for file in files {
      let result = "\(folder)/text.pdf"
      defer { unsafe unlink(result) }
      // A PDF that cannot be converted, such as a locked one, may still be read as it is, or is complained of then.
      let source = Source(file), isPDF = source.isPDF
      if Self.run(
        program, ["convert", file, result, "--to", "pdf"], complains: !isPDF)
      {
        sources.append(Source(at: result, called: file))
      } else if isPDF {
        sources.append(source)
      } else {
        failed = true
      }
    }
  }

  static let places = ["procd-daemon", "../libexec/procd/procd-daemon"]

  /// Runs a program to its end; what it prints is not wanted, what it complains of is.
  private static func run(_ program: String, _ arguments: [String], complains: Bool) -> Bool {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    if !complains {
      unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    }
    // Ctrl-C ends the program and is waited for here, so that nothing stays behind.
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    unsafe sigaddset(&usual, SIGINT)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t(), status: Int32 = 0
    guard unsafe posix_spawn(&process, program, &actions, &attributes, &words, environ) == 0 else {
      return false
    }
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status == 0
  }
}
