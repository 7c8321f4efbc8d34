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
    do throws(NetAnswer.Failure) { finish(try answer(to: request)) } catch {
      finish(.failed(error))
    }
  }

  private static func answer(to request: NetRequest) throws(NetAnswer.Failure) -> NetAnswer {
    switch request {
    case .fetch(let fetch):
      // Opened first: from then on no file can be opened for writing.
      let download = try PartialDownload(folder: fetch.folder, url: fetch.url)
      try confine(reading: fetch.login.key)
      return try FetchRun(request: fetch, download: download).run()
    case .list(let folder):
      try confine(reading: folder.login.key)
      return .listed(try ListingRun(request: folder).run())
    case .post(let post):
      try confine()
      return try PostRun(request: post).run()
    }
  }

  private static let longestRequest = 4 << 20
  private static let filesOfLine = 500

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
    if case .listed(let files) = answer {
      // Several lines: what reads them has a bound for one.
      for start in stride(from: 0, through: files.count, by: filesOfLine) {
        say(.listed(Array(files.dropFirst(start).prefix(filesOfLine))))
      }
    } else {
      say(answer)
    }
    _exit(0)
  }
}
