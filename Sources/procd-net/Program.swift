import CCurl
import Glibc
import Pipelines
import PluginKit

/// `procd-net`: reads one request from standard input, confines itself, carries it out and ends. It is
/// the only program of procd that opens sockets.
@main
enum Program {
  static func main() {
    _ = signal(SIGPIPE, SIG_IGN)
    guard let request = readRequest() else {
      finish(.failed(NetAnswer.Failure("net.request", "procd-net was given no request it knows")))
    }
    let download: PartialDownload?
    do throws(NetAnswer.Failure) {
      // Opened first: from then on no file can be opened for writing.
      if case .fetch(let fetch) = request {
        download = try PartialDownload(folder: fetch.folder, url: fetch.url)
      } else {
        download = nil
      }
      startLibraries()
      try confine()
    } catch {
      finish(.failed(error))
    }
    do throws(NetAnswer.Failure) {
      switch (request, download) {
      case (.fetch(let fetch), let download?):
        finish(try FetchRun(request: fetch, download: download).run())
      case (.post(let post), _): finish(try PostRun(request: post).run())
      default: break
      }
    } catch {
      finish(.failed(error))
    }
  }

  /// Has OpenSSL read its settings, while that is still allowed.
  private static func startLibraries() {
    // Names of hosts are UTF-8, whatever the environment says; a file for the keys of connections is
    // nothing that it may ask for.
    _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
    unsafe unsetenv("SSLKEYLOGFILE")
    _ = curl_global_init(Int(CURL_GLOBAL_SSL))
  }

  private static let longestRequest = 4 << 20

  private static func readRequest() -> NetRequest? {
    var text: [UInt8] = []
    while let bytes = readSome(0), !bytes.isEmpty, text.count < longestRequest {
      text += bytes
      if bytes.contains(0x0A) { break }
    }
    return (try? JSONReader.read(text)).flatMap { NetRequest($0.value) }
  }

  static func say(_ answer: NetAnswer) { writeAll(answer.json.line + [0x0A], to: 1) }

  /// Says the result and ends at once: nothing of what is still open is needed.
  private static func finish(_ answer: NetAnswer) -> Never {
    say(answer)
    _exit(0)
  }
}
