import Files
import SystemPackage

/// Languages that Tesseract has data for on this machine.
enum InstalledLanguages {
  static var all: Set<String> {
    var names: Set<String> = []
    for place in [
      "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
      "/usr/share/tessdata", "/usr/local/share/tessdata",
    ] {
      guard let folder = try? Folder.open(FilePath(place)), let found = try? folder.names() else {
        continue
      }
      for name in found.map(\.string) where name.hasSuffix(".traineddata") {
        names.insert(String(name.dropLast(".traineddata".count)))
      }
    }
    return names
  }
}
