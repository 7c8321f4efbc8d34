internal import SQLiteFiles

/// Why editions cannot be kept or read.
package enum SeriesError: Error, Sendable, CustomStringConvertible {
  /// A line of the rows is none.
  case rows(line: Int)
  /// The list is not made as the one before it, and is not kept.
  case form(_ reason: String)
  case full
  case failed(String)

  init(_ error: any Error) {
    if let error = error as? SeriesError {
      self = error
    } else if SQLiteFile.wasFull(error) {
      self = .full
    } else {
      self = .failed("\(error)")
    }
  }

  package var description: String {
    switch self {
    case .rows(let line): "line \(line) of the rows is no row"
    case .form(let reason): reason
    case .full: "the disk of the lists is full"
    case .failed(let text): "the lists cannot be kept: \(text)"
    }
  }
}
