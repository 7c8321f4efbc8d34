internal import Bytes
internal import Glibc
internal import PDFSyntax

/// The engine for one file without the plugin protocol, for measurements.
public enum DirectEngine {
  /// Converts a file and writes `stem.pdf` and `stem.txt` into a folder.
  ///
  /// - Parameters:
  ///   - input: the path of an image or PDF.
  ///   - folder: where the results go; it must be there.
  ///   - languages: Tesseract's names.
  /// - Returns: nil when all went well, else one sentence for people.
  public static func convert(_ input: String, into folder: String, languages: [String]) -> String? {
    do {
      let facts = try run(input, folder: folder, languages: languages)
      print(facts)
      return nil
    } catch {
      return "\(error.code): \(error.message)"
    }
  }

  private static func run(_ input: String, folder: String, languages: [String])
    throws(OCRFailure) -> OCRFacts
  {
    let file: MappedFile
    do { file = try MappedFile(path: input) } catch {
      throw OCRFailure(.input, "file.unreadable", "The file cannot be read: \(error).")
    }
    let name = input.split(separator: "/").last ?? "out"
    let stem = name.split(separator: ".").first ?? name
    let path = "\(folder)/\(stem).pdf"
    let output = try OutputFile(creating: path)
    var options = OCROptions()
    options.languages = languages
    do {
      let tesseract = try Tesseract(languages: languages)
      let reader = PageReader(tesseract: tesseract)
      let facts = try ImageOCRPlugin.convert(
        FileBytes(file), options: options, reader: reader, to: output, progress: { _, _ in }
      ).facts
      try output.close()
      return facts
    } catch {
      unsafe unlink(path)
      throw error
    }
  }
}
