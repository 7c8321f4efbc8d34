import Files
import Glibc
import PluginKit
import Synchronization
import SystemPackage
import Workers

/// Draws pages of PDFs: poppler's pdftoppm, confined, and its pictures kept for a while.
final class PagePainter: Sendable {
  private struct Kept {
    var bytes: [UInt8]
    var used: Int
  }
  private struct State {
    var kept: [String: Kept] = [:]
    var serial = 0
  }
  private let setup: WorkerSetup
  private let state = Mutex(State())
  private let turnstile = Turnstile(2)

  /// The width of pictures that are kept in the spool.
  private static let small = 200
  /// Bytes of pictures that are kept.
  private static let mostBytes = 24 << 20
  private static let patience = 20_000
  private static let program = "/usr/bin/pdftoppm"

  private let thumbnails: Thumbnails

  init(_ setup: WorkerSetup, thumbnails: Thumbnails) {
    (self.setup, self.thumbnails) = (setup, thumbnails)
  }

  /// Whether pages can be drawn.
  var isThere: Bool { unsafe access(Self.program, X_OK) == 0 }

  /// - Returns: a PNG, or a JPEG if the page is so full that its PNG is large.
  func picture(of file: FilePath, page: Int, width: Int, job: String) async throws -> [UInt8] {
    guard isThere else {
      throw PageRefusal(404, "web.pictures", "Pages are drawn where poppler-utils is installed.")
    }
    let width = Self.width(width), key = "\(job) \(page)"
    return try await kept(key, width) {
      guard width == Self.small else { return try await draw(file, page, width) }
      if let bytes = thumbnails[key] { return bytes }
      let bytes = try await draw(file, page, width)
      thumbnails.keep(bytes, key)
      return bytes
    }
  }

  /// Few sizes, so that what is kept fits.
  private static func width(_ wanted: Int) -> Int {
    [small, 400, 800, 1200, 1600, 2400].first { $0 >= wanted } ?? 2400
  }

  /// Draws a strip of a page.
  ///
  /// - Parameter key: what it is kept by.
  /// - Returns: a JPEG.
  func picture(
    of file: FilePath, page: Int, _ strip: PageStrip, width: Int, key: String
  ) async throws -> [UInt8] {
    let width = min(1200, Self.width(width))
    return try await kept(key, width) {
      try await draw(
        file, page, Int(Double(width) / strip.width), "-jpeg", "page.jpg",
        part: [
          "-x", "\(Int(strip.x / strip.width * Double(width)))",
          "-y", "\(Int(strip.y / strip.width * Double(width)))",
          "-W", "\(width)", "-H", "\(Int(Double(width) / PageStrip.ratio))",
        ])
    }
  }

  /// A picture that was drawn, if it is kept still.
  func kept(_ key: String, width: Int) -> [UInt8]? {
    kept("\(key) \(min(1200, Self.width(width)))")
  }

  private func kept(
    _ key: String, _ width: Int, drawing: () async throws -> [UInt8]
  ) async throws -> [UInt8] {
    let key = "\(key) \(width)"
    if let bytes = kept(key) { return bytes }
    try await turnstile.pass()
    defer { turnstile.leave() }
    if let bytes = kept(key) { return bytes }
    let bytes = try await drawing()
    keep(bytes, key)
    return bytes
  }

  /// Drawings and letters make small PNGs; photos and scans make large ones, and lose little as JPEGs.
  private static let mostOfPNG = 200_000

  private func draw(_ file: FilePath, _ page: Int, _ width: Int) async throws -> [UInt8] {
    let plain = try await draw(file, page, width, "-png", "page.png")
    guard plain.count > Self.mostOfPNG else { return plain }
    let lossy = try await draw(file, page, width, "-jpeg", "page.jpg")
    return lossy.count < plain.count ? lossy : plain
  }

  private func draw(
    _ file: FilePath, _ page: Int, _ width: Int, _ format: String, _ name: FilePath,
    part: [String] = []
  ) async throws -> [UInt8] {
    let scratch = try ScratchFolder(for: "page")
    defer { scratch.remove() }
    let tool = ConfinedTool(
      [
        Self.program, format, "-singlefile", "-f", "\(page)", "-l", "\(page)", "-scale-to-x",
        "\(width)", "-scale-to-y", "-1",
      ] + part + [file.string, "page"], reading: [file], in: scratch.path)
    let outcome = await tool.run(setup, milliseconds: Self.patience)
    guard outcome.end == .status(0), let picture = try? scratch.folder.reading(name),
      let bytes = try? picture.readAll(limit: 64 << 20)
    else {
      throw PageRefusal(404, "web.page", "This page cannot be drawn.")
    }
    return bytes
  }

  private func kept(_ key: String) -> [UInt8]? {
    state.withLock { state in
      state.serial += 1
      state.kept[key]?.used = state.serial
      return state.kept[key]?.bytes
    }
  }

  private func keep(_ bytes: [UInt8], _ key: String) {
    state.withLock { state in
      state.kept[key] = Kept(bytes: bytes, used: state.serial)
      while state.kept.values.reduce(0, { $0 + $1.bytes.count }) > Self.mostBytes,
        let oldest = state.kept.min(by: { $0.value.used < $1.value.used })?.key
      { state.kept[oldest] = nil }
    }
  }
}
