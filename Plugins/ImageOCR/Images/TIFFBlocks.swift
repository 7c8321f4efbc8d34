internal import CTiff
internal import PDFSyntax

/// The strips or tiles of one picture of a TIFF file. Each is decoded on its own from the bytes that the file has of it,
/// so that one that is cut off or broken gives the rows before the fault, and is not taken for a whole one.
@safe struct TIFFBlocks {
  let tiff: OpaquePointer
  private let bytes: UnsafeBufferPointer<UInt8>
  /// Counts what the library warns of while it decodes.
  private let complaints: UnsafePointer<UInt32>
  let form: ctiff_form
  let isTiled: Bool
  /// The size of a block in pixels.
  let across: Int
  let down: Int
  /// Blocks side by side and below each other, and how often the picture is divided so.
  let columns: Int
  let bands: Int
  let planes: Int
  /// The bytes of a row of a block, and of all its rows.
  let rowBytes: Int
  let size: Int
  /// The rows of each block that have pixels.
  private(set) var filled: [Int]
  /// The rows of the picture in which no fault was found.
  private(set) var soundRows = 0

  /// - Parameter most: the bytes that a block may have.
  init?(
    _ tiff: OpaquePointer, _ form: ctiff_form, of bytes: UnsafeBufferPointer<UInt8>,
    complaints: UnsafePointer<UInt32>, most: Int
  ) {
    unsafe (self.tiff, self.bytes, self.complaints) = (tiff, bytes, complaints)
    self.form = form
    let (width, height) = (Int(form.width), Int(form.height))
    isTiled = unsafe TIFFIsTiled(tiff) != 0
    across = isTiled ? Int(form.tile_width) : width
    down = isTiled ? Int(form.tile_height) : min(height, Int(form.rows_per_strip))
    guard across > 0, down > 0, width > 0, height > 0 else { return nil }
    columns = (width + across - 1) / across
    bands = (height + down - 1) / down
    planes = form.planar == PLANARCONFIG_SEPARATE ? Int(form.samples) : 1
    rowBytes = Int(unsafe isTiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff))
    size = Int(unsafe isTiled ? TIFFTileSize(tiff) : TIFFVStripSize(tiff, UInt32(down)))
    let count = columns * bands * planes
    guard rowBytes > 0, size >= rowBytes, size <= most,
      count == Int(unsafe isTiled ? TIFFNumberOfTiles(tiff) : TIFFNumberOfStrips(tiff))
    else { return nil }
    filled = [Int](repeating: 0, count: count)
    survey()
  }

  /// Where a block lies among all, those of the first plane first.
  func index(band: Int, column: Int, plane: Int) -> Int {
    (plane * bands + band) * columns + column
  }

  /// The rows of the picture that the blocks of a band reach.
  func rows(ofBand band: Int) -> Int { min(down, Int(form.height) - band * down) }

  /// Decodes what a block has, and leaves the rest of the buffer as it is.
  ///
  /// - Parameter buffer: of ``size`` bytes.
  func decode(_ index: Int, into buffer: UnsafeMutableRawBufferPointer) {
    guard filled[index] > 0, var input = input(of: index) else { return }
    _ = unsafe attempt(index, &input, size: size(ofRows: filled[index]), buffer)
  }

  // MARK: Counting rows

  private mutating func survey() {
    // One row more, since a block that gives it is not the one that was written.
    var bytes = [UInt8](repeating: 0, count: size + rowBytes)
    unsafe bytes.withUnsafeMutableBytes { unsafe survey($0) }
  }

  private mutating func survey(_ buffer: UnsafeMutableRawBufferPointer) {
    for band in 0..<bands {
      let wanted = rows(ofBand: band)
      var sound = wanted
      for plane in 0..<planes {
        for column in 0..<columns {
          let index = index(band: band, column: column, plane: plane)
          let found = unsafe rows(of: index, wanted: wanted, buffer)
          filled[index] = found.filled
          sound = min(sound, found.sound)
        }
      }
      soundRows += sound
    }
  }

  private func rows(
    of index: Int, wanted: Int, _ buffer: UnsafeMutableRawBufferPointer
  ) -> (filled: Int, sound: Int) {
    guard var input = input(of: index) else { return (0, 0) }
    var outcome = unsafe attempt(index, &input, size: size(ofRows: wanted), buffer)
    if outcome == .sound {
      let isLonger =
        unsafe !form.hasChecks
        && attempt(index, &input, size: size + rowBytes, buffer) != .failed
      // The library stops at the last row, and compares no checksum.
      let isAltered =
        isLonger || form.isDeflated && Deflate.isBroken(input.span, longest: size + rowBytes)
      return (wanted, isAltered ? 0 : wanted)
    }
    let isFilled = outcome == .doubtful
    // The greatest number of rows without a fault.
    var (sound, faulty) = (0, wanted)
    while sound + 1 < faulty {
      let middle = (sound + faulty) / 2
      outcome = unsafe attempt(index, &input, size: size(ofRows: middle), buffer)
      if outcome == .sound { sound = middle } else { faulty = middle }
    }
    return (isFilled ? wanted : sound, sound)
  }

  private func size(ofRows rows: Int) -> Int {
    let rows = UInt32(clamping: rows)
    return Int(unsafe isTiled ? TIFFVTileSize(tiff, rows) : TIFFVStripSize(tiff, rows))
  }

  private enum Outcome { case sound, doubtful, failed }

  private func attempt(
    _ index: Int, _ input: inout [UInt8], size: Int,
    _ buffer: UnsafeMutableRawBufferPointer
  ) -> Outcome {
    guard size > 0, size <= buffer.count else { return .failed }
    let before = unsafe complaints.pointee
    let isDecoded = unsafe input.withUnsafeMutableBytes { input in
      unsafe TIFFReadFromUserBuffer(
        tiff, UInt32(index), input.baseAddress, tmsize_t(input.count), buffer.baseAddress,
        tmsize_t(size)) == 1
    }
    guard isDecoded else { return .failed }
    return unsafe complaints.pointee == before ? .sound : .doubtful
  }

  /// The bytes that the file has of a block; nil if there are none.
  private func input(of index: Int) -> [UInt8]? {
    let start = Int(clamping: unsafe TIFFGetStrileOffset(tiff, UInt32(index)))
    let announced = Int(clamping: unsafe TIFFGetStrileByteCount(tiff, UInt32(index)))
    guard start > 0, start < (unsafe bytes.count) else { return nil }
    // Blocks may lie over one another, so none takes much more than it can need; the library has the same bound.
    let count = min(announced, unsafe bytes.count - start, size * 10 + 4096)
    return count > 0 ? unsafe Array(bytes[start..<start + count]) : nil
  }
}

extension ctiff_form {
  fileprivate var isDeflated: Bool {
    [COMPRESSION_DEFLATE, COMPRESSION_ADOBE_DEFLATE].contains(Int32(compression))
  }

  /// Whether data that was altered is likely to be noticed while it is decoded. Codes of LZW and PackBits stand for
  /// something whatever they are, but then for too much or too little.
  fileprivate var hasChecks: Bool {
    Int32(compression) != COMPRESSION_LZW && Int32(compression) != COMPRESSION_PACKBITS
  }
}
