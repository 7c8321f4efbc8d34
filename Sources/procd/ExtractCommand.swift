import ArgumentParser
import Bytes
import MarkdownText
import PDFSyntax
import PDFText
import PlacedText
import PluginKit
import ReadingArguments
import TableText

/// `procd extract`: the text of PDF files.
enum ExtractCommand {
  static func run(_ arguments: ExtractArguments) -> Int32 {
    let options = arguments.reading
    var run = ReadingRun(
      options: options, fileExtension: fileExtension(arguments),
      separator: options.json || arguments.form == .markdown ? [] : [0x0C])
    if arguments.form.isDocument { run.document = "a document" }
    return run.run { extractor, source, output in
      extractor.keepsLigatures = arguments.ligatures
      var markdown =
        arguments.form == .markdown
        ? MarkdownWriter(reading: extractor, keepsRunningLines: arguments.runningLines)
        : MarkdownWriter()
      var hocr = arguments.form == .hocr ? HOCRWriter(system: "procd") : nil
      var alto = arguments.form == .alto ? ALTOWriter(system: "procd") : nil
      var drawing =
        arguments.form == .debugLayout ? LayoutDrawing(reading: extractor) : nil
      var isFirst = true, hasText = false
      var empty: [Int] = [], characters = 0, unknown = 0
      for index in 0..<extractor.pageCount {
        guard options.pages?.contains(index + 1) ?? true, let page = extractor.page(index) else {
          continue
        }
        if options.json {
          output.write(json(page, source))
        } else if arguments.form == .markdown {
          markdown.add(page)
        } else if drawing != nil {
          drawing?.add(page)
        } else if hocr != nil || alto != nil {
          let placed = PlacedPage(page)
          hocr?.add(placed)
          alto?.add(placed)
          output.write(hocr?.takeBytes() ?? alto?.takeBytes() ?? [])
        } else {
          if !isFirst { output.write([0x0C]) }
          output.write(text(page, arguments))
        }
        isFirst = false
        hasText = hasText || !page.isEmpty
        characters += page.characters
        unknown += page.unknownCharacters
        if page.isEmpty { empty.append(index + 1) }
      }
      if !isFirst, !hasText {
        Console.complain("\(source.name): \(SourceReader.noText).")
      } else if let first = empty.first {
        Console.complain(
          "\(source.name): \(empty.count == 1 ? "page \(first) has" : "\(empty.count) pages, the first of them page \(first), have")"
            + " no text. --ocr recognizes scans first.")
      }
      if let sentence = TextPage.sentence(ofUnknown: unknown, among: characters) {
        Console.complain("\(source.name): \(sentence).")
      }
      if extractor.isFormBesidePages {
        Console.complain("\(source.name): \(TextExtractor.formBesidePagesSentence).")
      }
      if let sentence = extractor.attachedFiles.sentence {
        Console.complain("\(source.name): \(sentence); the step pdf.attachments gives them.")
      }
      if arguments.form == .markdown, !options.json { output.write(markdown.finish()) }
      output.write(hocr?.finish() ?? alto?.finish() ?? drawing?.finish() ?? [])
      if options.json { output.write(summary(extractor, source)) }
    }
  }

  private static func fileExtension(_ arguments: ExtractArguments) -> String {
    if arguments.reading.json { return ".jsonl" }
    return switch arguments.form {
    case .plain, .layout: ".txt"
    case .markdown: ".md"
    case .hocr: ".hocr.html"
    case .alto: ".alto.xml"
    case .debugLayout: ".layout.svg"
    }
  }

  private static func text(_ page: TextPage, _ arguments: ExtractArguments) -> [UInt8] {
    if arguments.form == .layout { return page.layoutText() }
    return arguments.joinHyphens ? page.joinedText() : page.utf8
  }

  /// One page as `{"file", …}`, with the members that ``TextPage/appendJSON(to:withText:)`` writes.
  private static func json(_ page: TextPage, _ source: Source) -> [UInt8] {
    var line = ByteWriter(reserving: page.utf8.count * 8)
    line.append("{")
    line.append(member: "file", text: source.name)
    line.append(",")
    page.appendJSON(to: &line, withText: true)
    line.append("}\n")
    return line.bytes
  }

  /// `{"file", "pages", "partial", "diagnostics": [...]}`, behind the pages of a file.
  private static func summary(_ extractor: TextExtractor, _ source: Source) -> [UInt8] {
    let diagnostics = extractor.file.diagnostics
    var line = ByteWriter()
    line.append("{")
    line.append(member: "file", text: source.name)
    line.append(member: "pages", integer: extractor.pageCount)
    line.append(member: "partial", flag: diagnostics.isPartial)
    line.append(member: "diagnostics")
    line.append(array: diagnostics.list) { $0.append(json: $1.description.utf8) }
    line.append("}\n")
    return line.bytes
  }
}
