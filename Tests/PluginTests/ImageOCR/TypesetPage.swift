import Foundation
import SystemPackage
import TestSupport

/// Pages of real letters in any script, set by Pillow in DejaVu Sans.
enum TypesetPage {
  private static let script = """
    import sys
    from PIL import Image, ImageDraw, ImageFont
    lines = sys.argv[2].split("\\n")
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 36)
    page = Image.new("L", (1600, 120 + 60 * len(lines)), 255)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        for column, text in enumerate(line.split("\\t")):
            draw.text((80 + 420 * column - 300 * (column > 0), 60 + 60 * number), text, font=font, fill=0)
    if sys.argv[3]:
        page = page.convert("RGB")
        draw = ImageDraw.Draw(page)
        exec(sys.argv[3])
    page.save(sys.argv[1], dpi=(200, 200))
    """

  /// The same in small letters, as an unlit corner of a room gives it: noise, and dark to one side.
  private static let dim = """
    import random, sys
    from PIL import Image, ImageChops, ImageDraw, ImageFont
    lines = sys.argv[2].split("\\n")
    font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", 27)
    page = Image.new("L", (1654, 800), 255)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        draw.text((180, 180 + 36 * number), line, font=font, fill=15)
    source = random.Random(1)
    a, b, c, d = (Image.frombytes("L", page.size, source.randbytes(1654 * 800)) for _ in range(4))
    noise = Image.blend(Image.blend(a, b, .5), Image.blend(c, d, .5), .5)
    noise = noise.point(lambda value: 128 + (value - 128) * 14 / 36.8)
    page = ImageChops.add(page, noise, 1, -128)
    down = Image.linear_gradient("L")
    light = Image.blend(down.rotate(90).resize(page.size), down.resize(page.size), .4)
    light = light.point(lambda value: int(255 * .35 + .65 * value))
    ImageChops.multiply(page, light).save(sys.argv[1], dpi=(200, 200))
    """

  /// A PNG file of 200 dots per inch, a line of text below the other; tabs part columns, of which the first is narrow.
  ///
  /// - Parameter drawing: what Pillow draws over it, in Python: `draw` draws on `page` in RGB, and `font` is that of the text.
  static func png(
    _ lines: [String], isDim: Bool = false, drawing: String = ""
  ) throws -> [UInt8] {
    let folder = TemporaryFolder()
    let path = folder.path.appending("page.png")
    let made = try Programs.run(
      "/usr/bin/python3",
      ["-c", isDim ? dim : script, path.string, lines.joined(separator: "\n"), drawing])
    guard made.status == 0 else { throw Failure(description: made.errors) }
    return Array(try Data(contentsOf: URL(fileURLWithPath: path.string)))
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  static let english = [
    "The committee met on the second of March to discuss",
    "the report which had been sent to all of its members.",
    "It is not known whether they will be able to agree",
    "with the author of this letter, who was not there.",
  ]
  static let german = [
    "Der Vorstand hat in seiner Sitzung über die Anträge",
    "der Mitglieder beraten und sie nicht angenommen, weil",
    "für die nächste Zeit keine Mittel zur Verfügung stehen.",
    "Wir würden uns freuen, wenn Sie auch im Frühjahr mit",
    "dem gleichen Schwung bei uns wären.",
  ]
  static let russian = [
    "Все счастливые семьи похожи друг на друга, каждая",
    "несчастливая семья несчастлива по-своему. Все смешалось",
    "в доме Облонских. Жена узнала, что муж был в связи",
    "с бывшею в их доме француженкою-гувернанткой.",
  ]
}
