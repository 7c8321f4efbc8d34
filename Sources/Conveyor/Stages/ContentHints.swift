internal import Files
package import Pipelines

extension ProbedFile {
  /// What to do about a file that no rule takes because of its content: it is damaged, or of a format that only its own
  /// program reads. Nil if neither is likely.
  package var hintAtContent: String? {
    let formats = ["application/vnd.ms-excel": "xlsx", "application/msword": "docx"]
    if let format = formats[mime] {
      return "nothing here reads its format; save it as .\(format)"
    }
    let suffix = String(
      decoding: claimed.arrival.name.stemAndSuffix.suffix.dropFirst(), as: UTF8.self
    ).lowercased()
    let kinds = [
      "pdf": "PDF", "jpg": "JPEG", "jpeg": "JPEG", "png": "PNG", "tif": "TIFF", "tiff": "TIFF",
    ]
    guard mime == "application/octet-stream", let kind = kinds[suffix] else { return nil }
    return "it is named .\(suffix), but its content is no \(kind): it may be damaged; send it again"
  }
}
