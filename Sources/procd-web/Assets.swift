import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import PageStyle

/// The page's own files, which stand in the program.
struct Assets: Sendable {
  private struct Asset: Sendable {
    var type: String
    var bytes: ByteBuffer
    var tag: String
  }
  private let assets: [String: Asset]

  init() {
    var assets: [String: Asset] = [:]
    for (name, bytes) in Self.files {
      let kind = name.split(separator: ".").last.map(String.init) ?? ""
      let digest = SHA256.hash(data: bytes).prefix(12)
        .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let asset = Asset(
        type: Self.types[kind] ?? "application/octet-stream", bytes: ByteBuffer(bytes: bytes),
        tag: "\"\(digest)\"")
      assets["/" + name] = asset
      if name == "index.html" { assets["/"] = asset }
    }
    self.assets = assets
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  private static var files: [(String, [UInt8])] {
    [
      ("index.html", PackageResources.index_html), ("family.css", PageStyle.css),
      ("page.css", PackageResources.page_css), ("app.js", PackageResources.app_js),
    ]
  }

  /// Nil where there is none of that name.
  func response(_ path: String, _ headers: HTTPFields) -> Response? {
    guard let asset = assets[path] else { return nil }
    let fields: HTTPFields = [
      .contentType: asset.type, .eTag: asset.tag, .cacheControl: "no-cache",
    ]
    if headers[.ifNoneMatch] == asset.tag { return Response(status: .notModified, headers: fields) }
    return Response(status: .ok, headers: fields, body: .init(byteBuffer: asset.bytes))
  }
}
