internal import Bytes
internal import PDFSyntax
internal import PDFWriter

/// Takes out of a page's content the text that is not seen, as earlier programs for text recognition put it there.
struct UnseenText {
  let content: PageContent
  let file: PDFFile

  /// What is to come in the place of a content stream.
  struct Stripped {
    var bytes: [UInt8]
    /// Forms of which other versions are to be drawn, by the names in the stream's resources.
    var forms: [(name: PDFName, reference: PDFReference)]
  }

  /// The page's content without that text.
  ///
  /// - Parameter update: takes the new versions of forms.
  func strip(_ page: Page, _ update: inout IncrementalUpdate) -> Stripped {
    let bytes = page.content(file, limit: PageContent.contentLimit)
    return strip(bytes, notes: 0, &update)
  }

  private func isUnseen(_ show: PageContent.StreamNotes.Show) -> Bool {
    content.text.isUnseen(show.number)
  }

  /// Whether a stream, or a form that it draws, shows such text.
  private func hasUnseen(_ place: Int) -> Bool {
    guard content.streams.indices.contains(place) else { return false }
    let notes = content.streams[place]
    return notes.shows.contains(where: isUnseen) || notes.forms.contains { hasUnseen($0.notes) }
  }

  private func strip(
    _ bytes: [UInt8], notes place: Int, _ update: inout IncrementalUpdate
  ) -> Stripped {
    let notes = content.streams[place]
    var cuts: [(range: Range<Int>, rest: String)] = []
    for show in notes.shows where isUnseen(show) { cuts.append((show.range, show.rest)) }
    if !content.text.isSeen {
      // Nothing is left that could need what these set.
      for object in notes.textObjects where object.isPlain { cuts.append((object.range, "")) }
      cuts.sort { ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count) }
    }
    var result: [UInt8] = []
    var at = 0
    for cut in cuts where cut.range.lowerBound >= at && cut.range.upperBound <= bytes.count {
      result += bytes[at..<cut.range.lowerBound]
      result += Array(cut.rest.utf8)
      at = cut.range.upperBound
    }
    result += bytes[at...]
    var forms: [(name: PDFName, reference: PDFReference)] = []
    for form in notes.forms where hasUnseen(form.notes) {
      guard !forms.contains(where: { $0.name == form.name }) else { continue }
      forms.append((form.name, strip(form, &update)))
    }
    return Stripped(bytes: result, forms: forms)
  }

  private func strip(
    _ form: PageContent.StreamNotes.Form, _ update: inout IncrementalUpdate
  ) -> PDFReference {
    let bytes = file.decode(form.stream, limit: PageContent.contentLimit).bytes
    let stripped = strip(bytes, notes: form.notes, &update)
    var dictionary = form.stream.dictionary
    for key: PDFName in ["Filter", "DecodeParms", "Length", "F", "DP"] { dictionary[key] = nil }
    if !stripped.forms.isEmpty {
      var resources = file.dictionary(dictionary, "Resources") ?? [:]
      Self.put(stripped.forms, into: &resources, file: file)
      dictionary["Resources"] = .dictionary(resources)
    }
    return update.add(.stream(.compressed(dictionary, bytes: stripped.bytes)))
  }

  /// Lets names of forms lead to their new versions.
  static func put(
    _ forms: [(name: PDFName, reference: PDFReference)], into resources: inout PDFDictionary,
    file: PDFFile
  ) {
    guard !forms.isEmpty else { return }
    var objects = file.dictionary(resources, "XObject") ?? [:]
    for form in forms { objects[form.name] = .reference(form.reference) }
    resources["XObject"] = .dictionary(objects)
  }
}
