import CLinux
import Confinement
import Glibc

// Confines itself as a step is confined, then tries what a hostile file would try, and prints a line
// for each try: its name, and `done` or the error's number.
//
// Arguments: profile, Landlock version (- for the kernel's), work folder, input file, ledger file.

let arguments = CommandLine.arguments
guard arguments.count == 6, let profile = Confinement.Profile(rawValue: arguments[1]) else {
  exit(64)
}
let work = arguments[3], input = arguments[4], ledger = arguments[5]
let parent = getppid()

var confinement = Confinement(profile: profile)
confinement.landlockCeiling = Int(arguments[2])
confinement.readableFiles = [input]
confinement.writableFolders = [work]
if profile == .tool { confinement.executableFolders = ["/usr", "/bin", "/lib", "/lib64"] }

func tell(_ name: String, _ result: Int32) { print("\(name) \(result >= 0 ? "done" : "\(errno)")") }

func opened(_ path: String, _ flags: Int32) -> Int32 {
  clinux_openat(AT_FDCWD, path, flags | O_CLOEXEC, 0o600)
}

do {
  let inForce = try confinement.enforce()
  print("landlock \(inForce.landlock)")
  print("missing \(inForce.missing.joined(separator: ","))")
} catch {
  print("refused \(error.message)")
  exit(70)
}
tell("read-input", opened(input, O_RDONLY))
tell("make-file", opened(work + "/made", O_WRONLY | O_CREAT | O_EXCL))
tell("read-passwd", opened("/etc/passwd", O_RDONLY))
tell("write-input", opened(input, O_WRONLY))
tell("truncate-open", opened(input, O_RDONLY | O_TRUNC))
tell("truncate", truncate(input, 0))
tell("append-ledger", opened(ledger, O_WRONLY | O_APPEND))
tell("chmod-ledger", chmod(ledger, 0o777))
tell("remove-ledger", unlinkat(AT_FDCWD, ledger, 0))
var key: UInt8 = 0x20
// TIOCSTI. Allowed through, it fails otherwise: standard input is no terminal here.
tell("type-key", ioctl(0, 0x5412, &key))
let stream = Int32(SOCK_STREAM.rawValue), datagram = Int32(SOCK_DGRAM.rawValue)
tell("tcp", socket(AF_INET, stream, 0))
let listener = socket(AF_INET, stream, 0)
tell("listen", listen(listener, 1))
tell("udp", socket(AF_INET, datagram, 0))
tell("unix", socket(AF_UNIX, stream, 0))
tell("signal", kill(parent, SIGCONT))
let child = clinux_fork()
if child == 0 {
  var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
  execv("/bin/true", &words)
  _exit(9)
}
tell("fork", child)
if child > 0 {
  var status: Int32 = 0
  waitpid(child, &status, 0)
}
var words: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/echo"), strdup("exec done"), nil]
fflush(nil)
execv("/bin/echo", &words)
print("exec \(errno)")
