internal import SQLiteFiles

/// Why notices cannot be kept.
package enum NoticeError: Error, Sendable, CustomStringConvertible {
  case full
  case failed(String)

  init(_ error: any Error) {
    if let error = error as? NoticeError {
      self = error
    } else if SQLiteFile.wasFull(error) {
      self = .full
    } else {
      self = .failed(SQLiteFile.words(error))
    }
  }

  package var description: String {
    switch self {
    case .full: "the disk of the notices is full"
    case .failed(let text): "notices cannot be kept: \(text)"
    }
  }
}
