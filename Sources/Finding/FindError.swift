internal import SQLiteFiles

/// Why the index cannot be filled or asked. It holds nothing that is not elsewhere: what helps is to make it anew.
package enum FindError: Error, Sendable, CustomStringConvertible {
  case full
  case damaged
  case failed(String)

  init(_ error: any Error) {
    if let error = error as? FindError {
      self = error
    } else if SQLiteFile.wasFull(error) {
      self = .full
    } else if SQLiteFile.isDamaged(error) {
      self = .damaged
    } else {
      self = .failed(SQLiteFile.words(error))
    }
  }

  package var description: String {
    switch self {
    case .full: "the disk of the search index is full"
    case .damaged: "the search index is damaged; `procd find --rebuild` makes it anew"
    case .failed(let text): "the search index cannot be used: \(text)"
    }
  }
}
