internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Text that stands aslant on a page whose lines are level, as stamps do: the layout analysis passes over it.
enum AslantText {
  /// More pieces than this are drawings; the largest ones are read.
  private static let most = 4
  /// Marks at most so many line heights apart belong together.
  private static let apart = 1.2
  /// A piece has at least so many letters in rows.
  private static let leastLetters = 6

  /// A piece of it.
  struct Piece {
    /// In half the size of the picture.
    var box: PixelBox
    var tilt: Tilt
  }

  /// The pieces that there are, the largest first.
  ///
  /// - Parameters:
  ///   - loose: the ink that is in no word.
  ///   - picture: the page with its lines level, in grey or bilevel.
  ///   - alsoLevel: whether level ones are meant too.
  static func pieces(
    _ loose: borrowing LooseInk, in picture: borrowing Pixels, alsoLevel: Bool = false
  ) -> [Piece] {
    let letters = loose.letters
    guard letters.count >= leastLetters, let joined = loose.joined(apart, apart)
    else { return [] }
    let clusters = (joined.marks() ?? [])
      .map { box in (box: box, letters: letters.filter { $0.isInside(box) }) }
      .filter { $0.letters.count >= leastLetters }
      .sorted { $0.letters.count > $1.letters.count }
    var pieces: [Piece] = []
    for cluster in clusters.prefix(most) {
      guard let part = loose.cut(cluster.box, from: picture) else { continue }
      let tilt = Tilt.find(in: part)
      guard let tilt = alsoLevel ? tilt ?? Tilt() : tilt else { continue }
      let turn = Preprocessing.levelling(
        by: tilt.angle, width: 2 * cluster.box.width, height: 2 * cluster.box.height)
      let level = cluster.letters.map { $0.turned(turn) }
      if TextMarks.inRows(level) >= leastLetters {
        pieces.append(Piece(box: cluster.box, tilt: tilt))
      }
    }
    return pieces
  }

  /// Reads pieces.
  ///
  /// - Parameter resolution: pixels per inch.
  /// - Returns: their lines, where they are on the page; sure or not.
  /// - Throws: ``PluginFailure`` with the code `ocr.engine` where the recognizer gives up.
  static func read(
    _ pieces: [Piece], of loose: borrowing LooseInk, in picture: borrowing Pixels,
    resolution: Double, with tesseract: Tesseract
  ) throws(PluginFailure) -> [RecognizedPage.Line] {
    var lines: [RecognizedPage.Line] = []
    for piece in pieces {
      let tilt = piece.tilt
      guard let part = loose.cut(piece.box, from: picture),
        let level = Preprocessing.levelled(part, by: tilt),
        let back = Preprocessing.levelling(
          by: tilt.angle, width: Double(level.width), height: Double(level.height)
        ).inverse
      else { continue }
      let page = try tesseract.recognize(
        level, resolution: Int(resolution.rounded()), isBlock: true)
      let place = LooseInk.inPicture(piece.box)
      lines += page.lines.map { line in
        line.aslant { x, y in
          let at = back.apply(x, y)
          return PixelPoint(
            x: at.x - Double(tilt.margin.x) + place.left,
            y: at.y - Double(tilt.margin.y) + place.top
          )
        }
      }
    }
    return lines
  }
}

extension PixelBox {
  /// A box of the same size where a turn puts its middle.
  fileprivate func turned(_ turn: Matrix) -> PixelBox {
    let middle = turn.apply((left + right) / 2, (top + bottom) / 2)
    return PixelBox(
      left: middle.x - width / 2, top: middle.y - height / 2, right: middle.x + width / 2,
      bottom: middle.y + height / 2)
  }

  fileprivate func isInside(_ other: PixelBox) -> Bool {
    left >= other.left && right <= other.right && top >= other.top && bottom <= other.bottom
  }
}
