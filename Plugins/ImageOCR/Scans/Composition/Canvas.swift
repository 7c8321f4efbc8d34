internal import PDFSyntax
internal import PDFWriter

/// White paper in grey on which the images and areas of a page are painted in order.
struct Canvas {
  let width: Int
  let height: Int
  private(set) var pixels: [UInt8]
  /// Leads from user space to pixels from the top left.
  let fromUserSpace: Matrix
  /// Pixels that may still be painted, so that a page of thousands of large areas ends.
  private var work: Int
  /// Whether something was left out because there was too much of it.
  var isCut: Bool { work <= 0 }

  init(width: Int, height: Int, fromUserSpace: Matrix) {
    (self.width, self.height) = (width, height)
    self.fromUserSpace = fromUserSpace
    pixels = [UInt8](repeating: 255, count: width * height)
    work = 40 * width * height + 5_000_000
  }

  /// A colour with its opacity; both from 0 to 255.
  typealias Paint = (grey: Int, opacity: Int)

  /// The pixels that something may touch.
  struct Bounds {
    var columns: Range<Int>
    var rows: Range<Int>
  }

  /// The pixels whose middles lie in a box.
  private func bounds(of box: Rectangle) -> Bounds? {
    func place(_ value: Double, _ limit: Int) -> Int {
      Int(max(0, min(Double(limit), (value - 0.5).rounded(.up))))
    }
    let columns = (place(box.x0, width), place(box.x1, width))
    let rows = (place(box.y0, height), place(box.y1, height))
    guard columns.0 < columns.1, rows.0 < rows.1 else { return nil }
    return Bounds(columns: columns.0..<columns.1, rows: rows.0..<rows.1)
  }

  private func bounds(of clip: ContentClip) -> Bounds? {
    clip.isEmpty ? nil : bounds(of: fromUserSpace.bounds(clip.box))
  }

  private func both(_ one: Bounds, _ two: Bounds) -> Bounds? {
    let columns = one.columns.clamped(to: two.columns)
    let rows = one.rows.clamped(to: two.rows)
    return columns.isEmpty || rows.isEmpty ? nil : Bounds(columns: columns, rows: rows)
  }

  // MARK: Areas

  mutating func fill(_ area: PageContent.Area) {
    guard let clip = bounds(of: area.look.clip), let box = area.path.box,
      let own = bounds(of: fromUserSpace.bounds(box)),
      let bounds = both(clip, own)
    else { return }
    let masks = area.look.clip.paths.compactMap { spans($0.path, $0.isEvenOdd, bounds) }
    guard let spans = spans(area.path, area.isEvenOdd, bounds) else { return }
    let grey = Int((area.look.ink * 255).rounded())
    let opacity = Int((area.look.opacity * 255).rounded())
    for row in bounds.rows {
      for span in spans[row - bounds.rows.lowerBound] {
        for part in Self.clipped([span], masks.map { $0[row - bounds.rows.lowerBound] }) {
          work -= part.count
          for column in part {
            mix((grey, opacity), area.look.blend, at: row * width + column)
          }
        }
      }
      guard !isCut else { return }
    }
  }

  /// The runs of pixels inside a path, row by row.
  private mutating func spans(
    _ path: ContentPath, _ isEvenOdd: Bool, _ bounds: Bounds
  ) -> [[Range<Int>]]? {
    work -= 20 * bounds.rows.count
    guard !isCut else { return nil }
    var crossings = [[(x: Double, up: Bool)]](repeating: [], count: bounds.rows.count)
    for subpath in path.subpaths where subpath.count > 1 {
      var last = fromUserSpace.apply(subpath[subpath.count - 1].x, subpath[subpath.count - 1].y)
      for point in subpath {
        let next = fromUserSpace.apply(point.x, point.y)
        defer { last = next }
        let (top, bottom) = last.y < next.y ? (last, next) : (next, last)
        guard top.y < bottom.y, top.y.isFinite, bottom.y.isFinite else { continue }
        let first = max(Double(bounds.rows.lowerBound), (top.y - 0.5).rounded(.up))
        let end = min(Double(bounds.rows.upperBound), (bottom.y - 0.5).rounded(.up))
        guard first < end else { continue }
        let slope = (bottom.x - top.x) / (bottom.y - top.y)
        work -= 10 * (Int(end) - Int(first))
        guard !isCut else { return nil }
        for row in Int(first)..<Int(end) {
          let x = top.x + (Double(row) + 0.5 - top.y) * slope
          crossings[row - bounds.rows.lowerBound].append((x, last.y < next.y))
        }
      }
    }
    return crossings.map { Self.runs($0.sorted { $0.x < $1.x }, isEvenOdd, bounds.columns) }
  }

  private static func runs(
    _ crossings: [(x: Double, up: Bool)], _ isEvenOdd: Bool, _ columns: Range<Int>
  ) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var winding = 0
    func place(_ x: Double) -> Int {
      Int(max(Double(columns.lowerBound), min(Double(columns.upperBound), (x - 0.5).rounded(.up))))
    }
    for (index, crossing) in crossings.enumerated() where index + 1 < crossings.count {
      winding += isEvenOdd ? 1 : crossing.up ? 1 : -1
      guard isEvenOdd ? winding % 2 != 0 : winding != 0 else { continue }
      let (from, to) = (place(crossing.x), place(crossings[index + 1].x))
      guard from < to else { continue }
      if let last = runs.last, last.upperBound >= from {
        runs[runs.count - 1] = last.lowerBound..<max(to, last.upperBound)
      } else {
        runs.append(from..<to)
      }
    }
    return runs
  }

  /// What of some runs lies in runs of all the others.
  private static func clipped(_ runs: [Range<Int>], _ masks: [[Range<Int>]]) -> [Range<Int>] {
    masks.reduce(runs) { runs, mask in
      runs.flatMap { run in
        mask.compactMap { other in
          let both = run.clamped(to: other)
          return both.isEmpty ? nil : both
        }
      }
    }
  }

  // MARK: Images

  /// Paints an image.
  ///
  /// - Parameters:
  ///   - paint: the colour of a place, in the unit square of the image from its top left.
  ///   - placement: leads from the unit square, y upwards, to user space.
  mutating func draw(
    placement: Matrix, look: PageContent.Look,
    _ paint: (_ x: Double, _ y: Double) -> Paint
  ) {
    let toCanvas = Matrix(1, 0, 0, -1, 0, 1).then(placement).then(fromUserSpace)
    guard let clip = bounds(of: look.clip), let own = bounds(of: toCanvas.bounds(.unit)),
      let bounds = both(clip, own), let inverse = toCanvas.inverse
    else { return }
    let masks = look.clip.paths.compactMap { spans($0.path, $0.isEvenOdd, bounds) }
    for row in bounds.rows {
      work -= bounds.columns.count
      guard !isCut else { return }
      for part in Self.clipped(
        [bounds.columns], masks.map { $0[row - bounds.rows.lowerBound] })
      {
        var (x, y) = inverse.apply(Double(part.lowerBound) + 0.5, Double(row) + 0.5)
        for column in part {
          if x >= 0, x < 1, y >= 0, y < 1 {
            let colour = paint(x, y)
            if colour.opacity > 0 { mix(colour, look.blend, at: row * width + column) }
          }
          x += inverse.a
          y += inverse.b
        }
      }
    }
  }

  @inline(__always)
  private mutating func mix(_ paint: Paint, _ blend: PaintState.Blend, at place: Int) {
    if paint.opacity >= 255, case .normal = blend {
      pixels[place] = UInt8(truncatingIfNeeded: paint.grey)
      return
    }
    let below = Int(pixels[place])
    let blended: Int
    switch blend {
    case .normal: blended = paint.grey
    case .multiply: blended = (below * paint.grey + 127) / 255
    case .screen: blended = 255 - ((255 - below) * (255 - paint.grey) + 127) / 255
    case .darken: blended = min(below, paint.grey)
    case .lighten: blended = max(below, paint.grey)
    }
    let result = (blended * paint.opacity + below * (255 - paint.opacity) + 127) / 255
    pixels[place] = UInt8(truncatingIfNeeded: max(0, min(255, result)))
  }
}
