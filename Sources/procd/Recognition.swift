import Glibc
import PluginKit
import ReadingArguments
import SystemPackage

/// Has `procd convert` make PDFs with text of the files of a command, before they are read. Each comes as one whose
/// name nobody knows any more: it is open, and gone when this process is.
struct Recognition {
  /// The sources to read, in the order of the files; those that could not be converted have been told of.
  private(set) var sources: [Source] = []
  private(set) var failed = false

  /// - Throws: what keeps all of them from being read.
  init(_ files: [String], passwords: [String]) throws(ReadFailure) {
    // Not ScratchFolder: this program starts fast because it links neither Files nor what that needs.
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
      let typed = FilePath(typed: file)
      let input =
        file.hasPrefix("-") && file != "-" ? FilePath("./").appending(typed.components) : typed
      switch Self.run(program, ["convert", input, FilePath(result), "--to", "pdf"]) {
      case 0: sources.append(Source(at: result, called: file))
      case 130:
        unsafe rmdir(folder)
        exit(130)
      default: failed = true
      }
    }
  }

  static let places = ["procd-daemon", "../libexec/procd/procd-daemon"]

  /// Runs a program to its end; what it prints is not wanted, what it complains of is.
  ///
  /// - Returns: its exit status; 130 where it was interrupted.
  private static func run(_ program: String, _ arguments: [FilePath]) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    // Ctrl-C ends the program and is waited for here, so that nothing stays behind.
    let before = signal(SIGINT, SIG_IGN)
    defer { signal(SIGINT, before) }
    var usual = sigset_t()
    unsafe sigemptyset(&usual)
    unsafe sigaddset(&usual, SIGINT)
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var words =
      unsafe ([FilePath(program)] + arguments).map { word in
        unsafe word.withPlatformString { unsafe strdup($0) }
      } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t(), status: Int32 = 0
    let failure = unsafe posix_spawn(&process, program, &actions, &attributes, &words, environ)
    guard failure == 0 else {
      Console.complain("\(program) cannot be started: \(unsafe String(cString: strerror(failure)))")
      return ExitCode.programMissing
    }
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == SIGINT ? 130 : signal != 0 ? 128 + signal : status >> 8 & 0xFF
  }
}
