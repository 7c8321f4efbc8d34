import Crypto
import HTTPTypes
import HummingbirdCore
import NIOCore
import PageStyle

/// The page's own files, which stand in the program.
struct Assets: Sendable {
  private struct Asset: Sendable {
    var type: String
    var bytes: ByteBuffer
    var packed: ByteBuffer?
    var tag: String
  }
  private let assets: [String: Asset]

  init() {
    var assets: [String: Asset] = [:]
    for (name, source) in Self.files {
      let kind = name.split(separator: ".").last.map(String.init) ?? "",
        bytes = Self.bare(source)
      let digest = SHA256.hash(data: bytes).prefix(12)
        .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
      let asset = Asset(
        type: Self.types[kind] ?? "application/octet-stream", bytes: ByteBuffer(bytes: bytes),
        packed: gzipped(bytes).map { ByteBuffer(bytes: $0) }, tag: "\"\(digest)\"")
      assets["/" + name] = asset
      if name == "index.html" { assets["/"] = asset }
    }
    self.assets = assets
  }

  /// Without what is there for who reads the sources: the blanks at the beginning of lines, and lines of comment. No
  /// text goes over lines.
  private static func bare(_ source: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(source.count)
    for line in source.split(separator: 0x0A) {
      let text = line.drop { $0 == 0x20 }
      guard !text.isEmpty, !text.starts(with: "//".utf8) else { continue }
      bytes += text
      bytes.append(0x0A)
    }
    return bytes
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  private static var files: [(String, [UInt8])] {
    [
      ("api.js", PackageResources.api_js),
      ("app.js", PackageResources.app_js),
      ("assemble.js", PackageResources.assemble_js),
      ("chart.js", PackageResources.chart_js),
      ("conditions.js", PackageResources.conditions_js),
      ("deleted.js", PackageResources.deleted_js),
      ("deleting.js", PackageResources.deleting_js),
      ("document.js", PackageResources.document_js),
      ("documents.js", PackageResources.documents_js),
      ("dom.js", PackageResources.dom_js),
      ("drop.js", PackageResources.drop_js),
      ("family.css", PageStyle.css),
      ("figures.js", PackageResources.figures_js),
      ("find.js", PackageResources.find_js),
      ("format.js", PackageResources.format_js),
      ("german-causes.js", PackageResources.german_causes_js),
      ("german.js", PackageResources.german_js),
      ("icon.svg", PackageResources.icon_svg),
      ("index.html", PackageResources.index_html),
      ("jobs.js", PackageResources.jobs_js),
      ("language.js", PackageResources.language_js),
      ("live.js", PackageResources.live_js),
      ("login.js", PackageResources.login_js),
      ("mail.js", PackageResources.mail_js),
      ("note.js", PackageResources.note_js),
      ("now.js", PackageResources.now_js),
      ("offer.js", PackageResources.offer_js),
      ("page.css", PackageResources.page_css),
      ("pages.js", PackageResources.pages_js),
      ("quarantine.js", PackageResources.quarantine_js),
      ("remarks.js", PackageResources.remarks_js),
      ("report.js", PackageResources.report_js),
      ("rows.js", PackageResources.rows_js),
      ("ruleform.js", PackageResources.ruleform_js),
      ("ruleparts.js", PackageResources.ruleparts_js),
      ("rules.js", PackageResources.rules_js),
      ("trouble.js", PackageResources.trouble_js),
      ("uploads.js", PackageResources.uploads_js),
      ("words.js", PackageResources.words_js),
    ]
  }

  /// Nil where there is none of that name.
  func response(_ path: String, _ headers: HTTPFields) -> Response? {
    guard let asset = assets[path] else { return nil }
    var fields: HTTPFields = [
      .contentType: asset.type, .eTag: asset.tag, .cacheControl: "no-cache",
      .vary: "Accept-Encoding",
    ]
    if headers[.ifNoneMatch] == asset.tag { return Response(status: .notModified, headers: fields) }
    guard let packed = asset.packed, headers[.acceptEncoding]?.contains("gzip") == true else {
      return Response(status: .ok, headers: fields, body: .init(byteBuffer: asset.bytes))
    }
    fields[.contentEncoding] = "gzip"
    return Response(status: .ok, headers: fields, body: .init(byteBuffer: packed))
  }
}
