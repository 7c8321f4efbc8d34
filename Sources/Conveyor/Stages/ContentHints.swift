internal import Files
package import Pipelines

extension ProbedFile {
  /// A hint if a file matches no rule because it is damaged, has a wrong ending, or a format that only one program reads.
  package var hintAtContent: String? {
    let formats = ["application/vnd.ms-excel": "xlsx", "application/msword": "docx"]
    if let format = formats[mime] {
      return "nothing here reads its format; save it as .\(format)"
    }
    let suffix = String(
      decoding: claimed.arrival.name.stemAndSuffix.suffix.dropFirst(), as: UTF8.self
    ).lowercased()
    let kinds = [
      "pdf": ("PDF", "application/pdf"), "png": ("PNG", "image/png"),
      "jpg": ("JPEG", "image/jpeg"), "jpeg": ("JPEG", "image/jpeg"),
      "tif": ("TIFF", "image/tiff"), "tiff": ("TIFF", "image/tiff"),
    ]
    guard let (kind, itsType) = kinds[suffix], mime != itsType else { return nil }
    let hint = "it is named .\(suffix), but its content is no \(kind)"
    return mime == "application/octet-stream"
      ? "\(hint): it may be damaged; send it again" : "\(hint): it is of the type \(mime)"
  }
}
