import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

/// Photos as phones take them, through the whole: their decoders need a thread, which a sealed step may start for
/// these types alone.
@Suite(.serialized) struct HEIFTests {
  private func site(_ arguments: [String]...) throws -> Site {
    let site = try Site()
    let program = """
      from PIL import Image, ImageDraw, ImageFont
      page = Image.new("RGB", (1240, 500), "white")
      font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 48)
      ImageDraw.Draw(page).text((80, 150), "The land opened wide before us", "black", font)
      page.save("page.png")
      """
    try site.place.write(program, to: "page.py")
    let drawn = try Programs.run("/usr/bin/python3", ["page.py"], in: site.place.path)
    #expect(drawn.status == 0, "\(drawn.errors)")
    for (index, arguments) in arguments.enumerated() {
      let coded = try Programs.run(
        "/usr/bin/heif-enc", arguments + ["page.png", "-o", "\(index).heif"], in: site.place.path)
      #expect(coded.status == 0, "\(coded.errors)")
    }
    return site
  }

  @Test func `HEIC and AVIF are found by their content, read, and joined with others`() throws {
    let site = try site([], ["-A"])
    for (name, target) in [("0.heif", "inbox/photo"), ("1.heif", "inbox/other.jpg")] {
      try FileManager.default.copyItem(
        atPath: site.place(name).string, toPath: site.place(target).string)
    }
    let result = try site.run("run", "--once")
    #expect(result.status == 0, "\(result.errors)")
    for name in ["photo", "other"] {
      let text = try Programs.run(
        "/usr/bin/pdftotext", ["outbox/\(name).pdf", "-"], in: site.place.path)
      #expect(text.output.contains("The land opened wide before us"), "\(name): \(text.output)")
    }
    let joined = try Programs.run(
      "procd", ["convert", "--join", "-o", "all.pdf", "0.heif", "1.heif", "page.png"],
      in: site.place.path)
    #expect(joined.status == 0, "\(joined.errors)")
    let pages = try Programs.run("/usr/bin/pdfinfo", ["all.pdf"], in: site.place.path)
    #expect(pages.output.contains("Pages:           3"), "\(pages.output)")
  }

  @Test func `one that is cut off goes to the quarantine with its reason`() throws {
    let site = try site([])
    let bytes = try #require(site.place.read("0.heif"))
    try site.place.write(bytes.prefix(bytes.count * 2 / 3), to: "inbox/half.heic")
    let result = try site.run("run", "--once")
    #expect(result.status == 65, "\(result.errors)")
    let report = try site.json("quarantine/half.heic.report.json")
    #expect(report["error"]?["code"] == "image.damaged")
  }
}
