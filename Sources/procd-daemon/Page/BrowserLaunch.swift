import Files
import Glibc
import PlainText
import SystemPackage
import Workers

/// Opens the page in the browser of the desktop that procd was started in.
struct BrowserLaunch {
  private static let program = "/usr/bin/xdg-open"
  private static let name = FilePath("web-open.html")

  /// Opens the link by a file in the spool, which is closed to others: arguments of programs are not.
  ///
  /// - Returns: whether there is a desktop with a browser.
  static func open(_ link: String, spool: Folder) async -> Bool {
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
      unsafe getenv(name) != nil
    }
    guard hasDesktop, unsafe access(program, X_OK) == 0 else { return false }
    let page =
      "<!doctype html><title>procd</title><meta http-equiv=\"refresh\" content=\"0;url=\(link)\">"
    do throws(FileError) { try spool.writeDurably(Array(page.utf8), as: name) } catch {
      return false
    }
    let run = ProgramRun(
      [program, spool.path.appending(name.components).string],
      environment: PageProcess.environment, milliseconds: 30_000)
    return await run.run(while: { true }, line: { _ in }).end == .status(0)
  }
}
