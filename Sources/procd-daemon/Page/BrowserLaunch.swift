import Files
import Glibc
import PlainText
import SystemPackage
import Workers

/// Opens the page in the browser of the desktop that procd was started in.
enum BrowserLaunch {
  private static let program = "/usr/bin/xdg-open"
  private static let name = FilePath("web-open.html")

  /// Opens the link by a file in the spool, which is closed to others: arguments of programs are not.
  ///
  /// - Returns: why it was not opened; nil where it was.
  static func open(_ link: String, spool: Folder) async -> PlainText? {
    let hasDesktop = ["DISPLAY", "WAYLAND_DISPLAY"].contains { (name: String) in
      unsafe getenv(name) != nil
    }
    guard hasDesktop else { return "there is no desktop here" }
    guard unsafe access(program, X_OK) == 0 else { return "xdg-open is not installed" }
    let page =
      "<!doctype html><title>procd</title><meta http-equiv=\"refresh\" content=\"0;url=\(link)\">"
    do throws(FileError) { try spool.writeDurably(Array(page.utf8), as: name) } catch {
      return "\(error)"
    }
    let run = ProgramRun(
      [program, spool.path.appending(name.components).string],
      environment: PageProcess.environment, milliseconds: 30_000)
    return await run.run().end == .status(0) ? nil : "xdg-open failed"
  }
}
