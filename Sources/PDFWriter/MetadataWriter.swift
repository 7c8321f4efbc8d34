internal import Bytes
internal import PDFSyntax

/// What a document says about itself: the XMP packet, the information dictionary, and the claim to
/// be an archive file (ISO 19005-2 or -3, level B) with its output intent.
struct MetadataWriter {
  /// The title for people, or nil.
  var title: String?
  /// The day of the document as YYYY-MM-DD, or nil.
  var date: String?
  /// The program that made the document.
  var producer: String
  /// The part of PDF/A that the file claims: 2, or 3 where it carries files; nil for none. The caller must know that
  /// its content allows it: no device-dependent CMYK, no JPEG 2000 of unknown making, every font embedded.
  var archivePart: Int?

  init(title: String? = nil, date: String? = nil, producer: String, archivePart: Int?) {
    (self.title, self.date) = (title, date)
    (self.producer, self.archivePart) = (producer, archivePart)
  }

  /// Adds the objects and sets the catalog's `Metadata` and `OutputIntents`.
  ///
  /// - Returns: the reference of the information dictionary for the trailer.
  func write(into catalog: inout PDFDictionary, of sink: inout some ObjectSink)
    -> PDFReference
  {
    // Neither filtered nor encrypted, so that programs that know no PDF can read it (14.3.2).
    let packet = sink.add(
      .stream(PDFStream(["Type": .name("Metadata"), "Subtype": .name("XML")], bytes: packet)))
    catalog["Metadata"] = .reference(packet)
    if archivePart != nil {
      let profile = sink.add(.stream(.compressed(["N": .integer(3)], bytes: ICCProfile.sRGB)))
      let name = PDFObject.string(Array("sRGB".utf8))
      catalog["OutputIntents"] = .array([
        .dictionary([
          "Type": .name("OutputIntent"), "S": .name("GTS_PDFA1"),
          "OutputConditionIdentifier": name, "Info": name,
          "DestOutputProfile": .reference(profile),
        ])
      ])
    }
    var info: PDFDictionary = ["Producer": .string(Self.textString(producer))]
    if let title { info["Title"] = .string(Self.textString(title)) }
    return sink.add(.dictionary(info))
  }

  private var packet: [UInt8] {
    var writer = ByteWriter(reserving: 1000)
    writer.append("<?xpacket begin=\"\u{FEFF}\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n")
    writer.append("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n")
    writer.append("<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n")
    writer.append("<rdf:Description rdf:about=\"\"")
    writer.append(" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"")
    writer.append(" xmlns:pdf=\"http://ns.adobe.com/pdf/1.3/\"")
    writer.append(" xmlns:pdfaid=\"http://www.aiim.org/pdfa/ns/id/\">\n")
    writer.append("<dc:format>application/pdf</dc:format>\n")
    writer.append("<pdf:Producer>")
    writer.append(markup: producer)
    writer.append("</pdf:Producer>\n")
    if let title {
      writer.append("<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">")
      writer.append(markup: title)
      writer.append("</rdf:li></rdf:Alt></dc:title>\n")
    }
    if let date {
      writer.append("<dc:date><rdf:Seq><rdf:li>")
      writer.append(markup: date)
      writer.append("</rdf:li></rdf:Seq></dc:date>\n")
    }
    if let archivePart {
      writer.append("<pdfaid:part>\(archivePart)</pdfaid:part>\n")
      writer.append("<pdfaid:conformance>B</pdfaid:conformance>\n")
    }
    writer.append("</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"r\"?>")
    return writer.bytes
  }

  /// A text string (PDF 32000-1, 7.9.2.2): ASCII as it is, other text in UTF-16 with a mark.
  static func textString(_ text: String) -> [UInt8] {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return Array(text.utf8) }
    return [0xFE, 0xFF]
      + text.utf16.flatMap { bigEndian($0) }
  }
}
