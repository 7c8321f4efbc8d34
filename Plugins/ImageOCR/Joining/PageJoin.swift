internal import Bytes
internal import ImageHeaders
internal import PDFInput
internal import PDFSyntax
internal import PDFWriter
internal import PluginKit

/// Makes one PDF of the pages of several images and PDFs, without reading what is on them.
struct PageJoin {
  /// A file whose pages are wanted.
  enum Source {
    case image(FileBytes, ImageHeader)
    case pdf(PDFFile, PageTree)

    var pageCount: Int {
      switch self {
      case .image(_, let header): header.pages.count
      case .pdf(_, let pages): pages.count
      }
    }

    /// The note about a page that is left out.
    fileprivate func sentenceOfLoss(page: Int, name: String) -> String {
      guard case .image(_, let header) = self, let kind = header.pages[page - 1].unreadableKind
      else { return "Page \(page) of \(name) cannot be read and is left out." }
      return "Page \(page) of \(name) is \(kind), which cannot be read, and is left out."
    }

    /// What copies the pages of a PDF into one document.
    fileprivate var copier: PageCopier? {
      if case .pdf(let file, let pages) = self { PageCopier(file, pages: pages) } else { nil }
    }
  }

  /// A file by the name that people know it by.
  struct File {
    var name: String
    var bytes: FileBytes
  }

  let limits: OCRLimits
  let passwords: [String]

  /// What came of the files.
  struct Result {
    var pages = 0
    var isPartial = false
    /// Sentences about what was odd.
    var notes: [String] = []
  }

  /// Joins the files.
  ///
  /// - Parameters:
  ///   - files: in the order of their pages.
  ///   - chosen: which pages, as ``PageOrder`` reads them; all in the given order if it is empty.
  ///   - progress: takes the number of pages done and of all pages.
  ///   - output: takes the bytes of the PDF piece by piece.
  /// - Throws: ``PluginFailure``, naming the file, where one cannot be read at all.
  func join(
    _ files: [File], order: PageOrder, choosing chosen: [String] = [],
    progress: (Int, Int) -> Void,
    output: ([UInt8]) throws(PluginFailure) -> Void
  ) throws(PluginFailure) -> Result {
    var opening = Result()
    var sources: [Source] = []
    for file in files {
      do { sources.append(try open(file, &opening)) } catch {
        var failure = error
        failure.message = "\(file.name): \(failure.message)"
        throw failure
      }
    }
    let counts = sources.map(\.pageCount)
    let places =
      chosen.isEmpty ? try order.places(counts) : try PageOrder.places(chosen, counts)
    try limits.check(pages: places.count, of: "the files have")
    var result = try write(
      places, of: sources, named: files.map(\.name), progress: progress, output: output)
    result.isPartial = result.isPartial || opening.isPartial
    result.notes = opening.notes + result.notes
    return result
  }

  /// Makes one PDF of some pages.
  ///
  /// - Parameters:
  ///   - names: of the sources, for people.
  ///   - progress: takes the number of pages done and of all pages.
  ///   - output: takes the bytes of the PDF piece by piece.
  func write(
    _ places: [PageOrder.Place], of sources: [Source], named names: [String],
    progress: (Int, Int) -> Void, output: ([UInt8]) throws(PluginFailure) -> Void
  ) throws(PluginFailure) -> Result {
    var result = Result()
    var copiers = sources.map(\.copier)
    var document = ImageDocument()
    for (index, place) in places.enumerated() {
      if !append(
        place, of: sources[place.file], name: names[place.file], by: &copiers[place.file],
        to: &document, &result)
      {
        result.isPartial = true
        result.notes.append(
          sources[place.file].sentenceOfLoss(page: place.page + 1, name: names[place.file]))
      }
      try output(document.takeBytes())
      progress(index + 1, places.count)
    }
    guard document.pageCount > 0 else {
      if case .image(_, let header)? = sources.first { throw .undecodable(header) }
      throw .damagedImage()
    }
    result.pages = document.pageCount
    document.finish(producer: ImageConversion.producer)
    try output(document.takeBytes())
    return result
  }

  /// Opens a file, and tells what is odd about it.
  func open(_ file: File, _ result: inout Result) throws(PluginFailure) -> Source {
    guard file.bytes.count > 0 else {
      throw PluginFailure(.input, "file.empty", "the file is empty")
    }
    guard file.bytes.isPDF else {
      let bytes = file.bytes
      guard let header = ImageHeader.read(bytes.span), !header.pages.isEmpty else {
        throw .unknownImage(bytes.span)
      }
      try limits.check(header)
      if header.isTruncated {
        result.isPartial = true
        result.notes.append("\(file.name) ends early; the rest of it is missing.")
      }
      if header.leftOut > 0 {
        result.isPartial = true
        result.notes.append("\(file.name): \(header.sentenceOfLeftOut)")
      }
      return .image(file.bytes, header)
    }
    do throws(PDFError) {
      let pdf = try PDFFile(file.bytes, passwords: passwords)
      let pages = try PageTree(pdf)
      if pdf.diagnostics.isPartial {
        result.isPartial = true
        result.notes.append("\(file.name) is damaged; what could be read of it is there.")
      }
      return .pdf(pdf, pages)
    } catch {
      throw PDFInput.failure(error, afterTrying: passwords.count)
    }
  }

  private func append(
    _ place: PageOrder.Place, of source: Source, name: String, by copier: inout PageCopier?,
    to document: inout ImageDocument, _ result: inout Result
  ) -> Bool {
    let index = place.page
    switch source {
    case .pdf:
      guard var own = copier.take() else { return false }
      defer { copier = own }
      return document.append(index, of: &own, rotated: place.rotation)
    case .image(let bytes, let header):
      guard let picture = FilePicture(index + 1, of: bytes.span, header: header) else {
        return false
      }
      if picture.isDamaged {
        result.isPartial = true
        if !header.isTruncated {
          result.notes.append(
            "The picture of page \(index + 1) of \(name) is damaged; part of it is missing.")
        }
      }
      let sheet = picture.geometry.sheet
      document.append(
        ImagePage(
          image: picture.image, width: sheet.width, height: sheet.height,
          placement: sheet.placement), rotated: place.rotation)
      return true
    }
  }
}
