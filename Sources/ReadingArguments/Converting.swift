internal import Glibc
package import SystemPackage

/// Has `procd convert` make a PDF with text of a picture or scan, for commands that read text.
package struct Converting {
  private let program: String

  /// Where `procd-daemon` stands, relative to the folder of a program.
  package static let places = ["procd-daemon", "../libexec/procd/procd-daemon"]

  /// Nil where `procd-daemon` is missing.
  package init?() {
    guard let program = SiblingProgram.first(of: Self.places) else { return nil }
    self.program = program
  }

  /// - Parameters:
  ///   - result: what is made.
  ///   - cropsPhotos: whether of a photo the flattened sheet alone is kept, where there is one.
  ///   - passwords: a file of passwords, one a line; those of the environment count where it is nil.
  /// - Returns: the exit status of the program, which has said what is wrong; 130 where it was interrupted.
  package func run(
    _ file: FilePath, _ result: FilePath, cropsPhotos: Bool = false, passwords: FilePath? = nil
  ) -> Int32 {
    run(
      ["convert", file, result, "--to", "pdf"] + (cropsPhotos ? ["--set", "ocr.crop=sheet?"] : [])
        + (passwords.map { ["--passwords", $0] } ?? []))
  }

  /// Runs a program to its end; what it prints is not wanted, what it complains of is.
  private func run(_ arguments: [FilePath]) -> Int32 {
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    // Ctrl-C ends the program and is waited for here, so that nothing stays behind. What somebody sends comes to this
    // process alone.
    var forwarding = sigaction()
    forwarding.sa_flags = SA_SIGINFO
    unsafe forwarding.__sigaction_handler.sa_sigaction = { number, info, _ in
      guard unsafe info?.pointee.si_code ?? 0 <= 0 else { return }
      unsafe sent = number
      if unsafe converting > 0 { kill(unsafe converting, number) }
    }
    var before = (sigaction(), sigaction())
    unsafe sent = 0
    unsafe sigaction(SIGINT, &forwarding, &before.0)
    unsafe sigaction(SIGTERM, &forwarding, &before.1)
    defer {
      unsafe sigaction(SIGINT, &before.0, nil)
      unsafe sigaction(SIGTERM, &before.1, nil)
    }
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
      // As a shell has it.
      return 127
    }
    unsafe converting = process
    // It came before anybody knew whom to send it to.
    if unsafe sent != 0 { kill(process, unsafe sent) }
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    unsafe converting = 0
    let signal = status & 0x7F
    return signal == SIGINT ? 130 : signal != 0 ? 128 + signal : status >> 8 & 0xFF
  }
}

/// The program that is waited for, for a handler of signals.
private nonisolated(unsafe) var converting: pid_t = 0
/// The signal that somebody sent.
private nonisolated(unsafe) var sent: Int32 = 0
