import Confinement
import Files
import Glibc
import NIOCore
import NIOPosix
import PageAPI
import Pipelines
import PluginKit

/// `procd-web`: the page's HTTP server. It has the socket, and no file, no program to start and no way out: all that it
/// shows it asks of `procd web`, its parent, by frames on standard input and output, and it ends with it.
@main
enum Program {
  static func main() {
    hideMemory()
    _ = signal(SIGPIPE, SIG_IGN)
    var input = FrameInput(0)
    guard let first = input.next(), let setup = PageSetup(first.head) else {
      fail("procd-web was given no set-up that it knows; `procd web` starts it")
    }
    umask(0o117)
    do throws(ConfinementError) { try confine(setup) } catch { fail(error.message) }
    let link = Link()
    // All that waits is done by the thread of the sockets. The threads that Swift has of its own look into /proc for one
    // another, which is closed here, and trap.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = PageServer(setup, link, group)
    Task.detached(executorPreference: LoopExecutor(group.next())) {
      do { try await server.run() } catch { fail(server.words(error)) }
      exit(0)
    }
    // This thread hears the desk until it is gone.
    while let frame = input.next() { link.take(frame) }
    _exit(0)
  }

  private static func confine(_ setup: PageSetup) throws(ConfinementError) {
    var confinement = Confinement(profile: .web)
    confinement.threads = true
    if setup.socket == nil { confinement.listeningPort = setup.port }
    if let socket = setup.socket, let end = socket.lastIndex(of: "/") {
      confinement.socketFolders = [String(socket[...end])]
    }
    confinement.landlockCeiling = unsafe getenv("PROCD_LANDLOCK").flatMap {
      unsafe Int(String(cString: $0))
    }
    confinement.required = unsafe getenv("PROCD_ISOLATION_REQUIRED") != nil
    _ = try confinement.enforce()
  }

  static func fail(_ message: String) -> Never {
    writeAll(Array("procd-web: \(message)\n".utf8), to: 2)
    _exit(1)
  }
}
