import ArgumentParser
import Bytes
import PDFSyntax
import PDFText
import ReadingArguments
import TableText

/// `procd extract`: the text of PDF files.
enum ExtractCommand {
  static func run(_ arguments: ExtractArguments) -> Int32 {
    let options = arguments.reading
    let run = ReadingRun(
      options: options, fileExtension: options.json ? ".jsonl" : ".txt",
      separator: options.json ? [] : [0x0C])
    return run.run { extractor, source, output in
      var isFirst = true
      for index in 0..<extractor.pageCount {
        guard options.pages?.contains(index + 1) ?? true, let page = extractor.page(index) else {
          continue
        }
        if options.json {
          output.write(json(page, source))
        } else {
          if !isFirst { output.write([0x0C]) }
          output.write(page.utf8)
        }
        isFirst = false
      }
      if options.json { output.write(summary(extractor, source)) }
    }
  }

  /// `{"file", "page", "width", "height", "text", "words": [{"text", "box"}]}`
  private static func json(_ page: TextPage, _ source: Source) -> [UInt8] {
    var line = ByteWriter(reserving: page.utf8.count * 4)
    line.append("{\"file\":")
    line.append(json: source.name.utf8)
    line.append(",\"page\":")
    line.append(decimal: page.number)
    line.append(",\"width\":")
    line.append(fixed: page.width, digits: 2)
    line.append(",\"height\":")
    line.append(fixed: page.height, digits: 2)
    line.append(",\"text\":")
    line.append(json: page.utf8)
    line.append(",\"words\":[")
    for (index, word) in page.words.enumerated() {
      if index > 0 { line.append(0x2C) }
      line.append("{\"text\":")
      line.append(json: page.utf8[word.range])
      line.append(",\"box\":[")
      for (place, value) in [word.box.x0, word.box.y0, word.box.x1, word.box.y1].enumerated() {
        if place > 0 { line.append(0x2C) }
        line.append(fixed: value, digits: 2)
      }
      line.append("]}")
    }
    line.append("]}\n")
    return line.bytes
  }

  /// `{"file", "pages", "partial", "diagnostics": [...]}`, behind the pages of a file.
  private static func summary(_ extractor: TextExtractor, _ source: Source) -> [UInt8] {
    var line = ByteWriter()
    line.append("{\"file\":")
    line.append(json: source.name.utf8)
    line.append(",\"pages\":")
    line.append(decimal: extractor.pageCount)
    let diagnostics = extractor.file.diagnostics
    line.append(",\"partial\":")
    diagnostics.isPartial ? line.append("true") : line.append("false")
    line.append(",\"diagnostics\":[")
    for (index, diagnostic) in diagnostics.list.enumerated() {
      if index > 0 { line.append(0x2C) }
      line.append(json: diagnostic.description.utf8)
    }
    line.append("]}\n")
    return line.bytes
  }
}
