import Testing

@testable import ImageHeaders
@testable import ImageOCR

/// TIFF files that Leptonica does not read.
@Suite struct TIFFTests {
  /// A file of one picture without compression, in the order of little-endian machines (TIFF 6.0).
  struct File {
    var width = 20
    var height = 18
    var bits = 8
    var samples = 1
    /// 0 white is zero, 1 black is zero, 2 RGB.
    var photometric = 1
    /// 1 opacity that colours were multiplied by, 2 opacity alone.
    var extra: Int?
    var orientation = 1
    /// The side of its tiles; nil for strips.
    var tile: Int?
    /// Nil for one strip.
    var rowsPerStrip: Int?
    /// Tag 259, and what it does to a strip or tile.
    var compression = 1
    var encode: ([UInt8]) -> [UInt8] = { $0 }
    /// What becomes of the coded strips or tiles.
    var harm: (inout [[UInt8]]) -> Void = { _ in }
    /// The samples of a pixel.
    var pixel: (_ x: Int, _ y: Int) -> [Int]

    private func rows(_ left: Int, _ top: Int, _ across: Int, _ down: Int) -> [UInt8] {
      var bytes: [UInt8] = []
      for y in top..<top + down {
        var row: [UInt8] = [], rest = 0, count = 0
        for x in left..<left + across {
          let isInside = x < width && y < height
          for value in isInside ? pixel(x, y) : Array(repeating: 0, count: samples) {
            if bits == 16 {
              row += [UInt8(value & 0xFF), UInt8(value >> 8)]
            } else {
              (rest, count) = (rest << bits | value, count + bits)
              if count == 8 {
                row.append(UInt8(rest))
                (rest, count) = (0, 0)
              }
            }
          }
        }
        bytes += count > 0 ? row + [UInt8(rest << (8 - count))] : row
      }
      return bytes
    }

    var bytes: [UInt8] {
      var parts: [[UInt8]] = []
      let side = tile ?? 0
      let rowsPerStrip = rowsPerStrip ?? height
      for top in tile == nil ? Array(stride(from: 0, to: height, by: rowsPerStrip)) : [] {
        parts.append(rows(0, top, width, min(rowsPerStrip, height - top)))
      }
      for top in tile == nil ? [] : Array(stride(from: 0, to: height, by: side)) {
        for left in stride(from: 0, to: width, by: side) {
          parts.append(rows(left, top, side, side))
        }
      }
      parts = parts.map(encode)
      harm(&parts)
      var file: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0]
      func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      var places: [Int] = [], tags: [(Int, [Int])] = []
      for _ in 0..<2 {
        // The second time it is known where the parts lie.
        tags = [
          (256, [width]), (257, [height]), (258, Array(repeating: bits, count: samples)),
          (259, [compression]),
          (262, [photometric]), (274, [orientation]), (277, [samples]),
        ]
        let sizes = parts.map(\.count), at = places.isEmpty ? sizes : places
        tags +=
          tile == nil
          ? [(273, at), (278, [rowsPerStrip]), (279, sizes)]
          : [(322, [side]), (323, [side]), (324, at), (325, sizes)]
        if let extra { tags.append((338, [extra])) }
        tags.sort { $0.0 < $1.0 }
        var start = 8 + 2 + tags.count * 12 + 4 + tags.reduce(0) { $0 + $1.1.count * 4 }
        places = sizes.map { size in
          defer { start += size }
          return size > 0 ? start : 0
        }
      }
      var further: [UInt8] = []
      file += number(tags.count, 2)
      for (tag, values) in tags {
        let isShort = [258, 259, 262, 274, 277, 338].contains(tag), size = isShort ? 2 : 4
        let coded = values.flatMap { number($0, size) }
        file += number(tag, 2) + number(isShort ? 3 : 4, 2) + number(values.count, 4)
        if coded.count <= 4 {
          file += coded + Array(repeating: 0, count: 4 - coded.count)
        } else {
          file += number(8 + 2 + tags.count * 12 + 4 + further.count, 4)
          further += coded
        }
      }
      file += number(0, 4) + further
      file += Array(repeating: 0, count: max(0, (places.first { $0 > 0 } ?? 0) - file.count))
      return file + parts.flatMap { $0 }
    }
  }

  /// The grey values of the only picture, row by row.
  private func decoded(
    _ bytes: [UInt8]
  ) -> (size: [Int], depth: Int, grey: [UInt8], isDamaged: Bool)? {
    guard let page = ImageHeader.read(bytes.span)?.pages.first,
      let decoded = PixelDecoder.decode(bytes.span, format: .tiff, page: page)
    else { return nil }
    let grey = decoded.pixels.grey8()?.samples() ?? []
    return (
      [decoded.pixels.width, decoded.pixels.height], decoded.pixels.depth, grey, decoded.isDamaged
    )
  }

  private static func grey(_ file: File, _ value: (Int, Int) -> Int) -> [UInt8] {
    (0..<file.height).flatMap { y in (0..<file.width).map { UInt8(value($0, y)) } }
  }

  @Test(arguments: [nil, 16]) func `opacity beside grey values of any size is on white`(
    tile: Int?
  ) throws {
    for bits in [1, 2, 4, 8, 16] {
      let most = 1 << bits - 1
      // Every second column is black, and every third row is not there.
      var file = File(bits: bits, samples: 2, tile: tile) { x, y in
        [x % 2 * most, y % 3 == 0 ? 0 : most]
      }
      for photometric in 0...1 {
        (file.photometric, file.extra) = (photometric, 2)
        let made = try #require(decoded(file.bytes), "\(bits) bits, \(photometric)")
        #expect(made.size == [20, 18] && made.depth == (bits == 1 ? 1 : 8))
        #expect(
          made.grey
            == Self.grey(file) { x, y in y % 3 == 0 || x % 2 == photometric ? 255 : 0 },
          "\(bits) bits, \(photometric)")
      }
    }
    let half = File(
      bits: 16, samples: 2, extra: 1, tile: tile, pixel: { _, _ in [0x4000, 0x8000] })
    #expect(try #require(decoded(half.bytes)).grey.allSatisfy { $0 == 255 - 0x40 })
  }

  @Test func `colours of 16 bits with opacity are read`() throws {
    for (extra, wanted) in [(1, 255 - 0x80 + 0x40), (2, 255 - 0x80 + 0x20)] {
      for tile in [nil, 16] {
        let file = File(bits: 16, samples: 4, photometric: 2, extra: extra, tile: tile) { x, _ in
          x == 0 ? [0, 0, 0, 0] : [0x4000, 0x4000, 0x4000, 0x8000]
        }
        let made = try #require(decoded(file.bytes))
        #expect(made.grey[0] == 255)
        #expect(abs(Int(made.grey[1]) - wanted) <= 1, "\(made.grey[1])")
      }
    }
  }

  @Test func `tiles give what strips give, however the picture is to be turned`() throws {
    for (bits, samples) in [(1, 1), (8, 1), (16, 1), (8, 3)] {
      for orientation in 1...8 {
        var file = File(
          bits: bits, samples: samples, photometric: samples == 3 ? 2 : 1, orientation: orientation
        ) { x, y in Array(repeating: (x * 7 + y * 5) % (1 << min(bits, 8)), count: samples) }
        if bits == 16 { file.pixel = { x, y in [(x * 7 + y * 5) << 8] } }
        let strips = try #require(decoded(file.bytes))
        file.tile = 16
        let tiles = try #require(decoded(file.bytes))
        #expect(tiles.size == [20, 18] && strips.size == [20, 18])
        #expect(tiles.grey == strips.grey, "\(bits), \(samples), \(orientation)")
        #expect((tiles.depth == 1) == (bits == 1))
        // It is turned by what shows it, and only by that.
        if bits > 1 {
          #expect(strips.grey == Self.grey(file) { x, y in x * 7 + y * 5 }, "\(orientation)")
        }
      }
    }
  }

  @Test func `what is cut off is damaged, and what is larger than it may be is refused`() throws {
    for samples in 1...2 {
      let file = File(bits: 16, samples: samples, extra: samples == 2 ? 2 : nil, tile: 16) { x, y in
        Array(repeating: x * y, count: samples)
      }
      let bytes = file.bytes
      #expect(try !#require(decoded(bytes)).isDamaged)
      #expect(try #require(decoded(Array(bytes.dropLast(1500)))).isDamaged)
      // The tiles would have 2^40 pixels.
      var large = bytes
      for place in bytes.indices.dropLast(12)
      where bytes[place...].starts(with: [66, 1, 4, 0])
        || bytes[place...].starts(with: [67, 1, 4, 0])
      {
        large.replaceSubrange((place + 8)..<(place + 12), with: [0, 0, 16, 0])
      }
      #expect(large != bytes && decoded(large) == nil)
      var number: UInt64 = 7
      for _ in 1...3000 {
        var damaged = bytes
        for _ in 0..<3 {
          number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          damaged[8 + Int(number >> 33) % 220] = UInt8(truncatingIfNeeded: number >> 20)
        }
        guard let page = ImageHeader.read(damaged.span)?.pages.first,
          page.width * page.height < 1_000_000
        else { continue }
        _ = decoded(damaged)
      }
    }
  }
}
