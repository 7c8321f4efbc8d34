internal import Glibc
internal import Languages
internal import PluginKit

/// Where the recognizer's language data is installed.
enum LanguageData {
  private static let candidates = [
    "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tesseract-ocr/4.00/tessdata",
    "/usr/share/tessdata", "/usr/local/share/tessdata",
  ]

  /// The folder named by `TESSDATA_PREFIX`, or else the first usual one that is there.
  static func folder() -> String? {
    if let named = unsafe getenv("TESSDATA_PREFIX") {
      let path = unsafe String(cString: named)
      if exists(path) { return path }
    }
    return candidates.first(where: exists)
  }

  static func isInstalled(_ language: String, in folder: String) -> Bool {
    isName(language) && exists("\(folder)/\(language).traineddata")
  }

  /// The languages in a folder, sorted; without data that is no language (`osd`, `equ`) and that of
  /// lines from top to bottom, which stand beside the language's own.
  static func languages(in folder: String) -> [String] {
    let suffix = ".traineddata"
    guard let handle = unsafe opendir(folder) else { return [] }
    defer { unsafe closedir(handle) }
    var names: [String] = []
    while let entry = unsafe readdir(handle) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      guard name.hasSuffix(suffix) else { continue }
      let language = String(name.dropLast(suffix.count))
      guard !["osd", "equ"].contains(language), !language.hasSuffix("_vert"),
        isInstalled(language, in: folder)
      else { continue }
      names.append(language)
    }
    return names.sorted()
  }

  static let notInstalled = PluginFailure(
    .options, "ocr.data", "no language data for text recognition is installed",
    hint: "Install the package tesseract-ocr and those of the languages.")

  static func missing(_ language: String, in folder: String) -> PluginFailure {
    PluginFailure(
      .options, "ocr.language", "the language \(language) is not installed in \(folder)",
      hint: TesseractLanguage.cure(language) { isInstalled($0, in: folder) })
  }

  /// Names become part of a path: letters, digits, `_`, `-` and one level of folder only.
  private static func isName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64 && !name.hasPrefix("/")
      && name.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x30...0x39).contains(byte) || byte == 0x5F || byte == 0x2D || byte == 0x2F
      }
  }

  private static func exists(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
