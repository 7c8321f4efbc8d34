/// One request of the page's API: how it is written, and what it is about. The server's routes and the OpenAPI
/// document are made of these.
package struct Endpoint: Sendable {
  package enum Method: String, Sendable { case get, post }

  /// What is asked; the desk behind the server knows these.
  package enum Ask: String, Sendable, CaseIterable {
    case session, now, jobs, job, text, rows, notes, find, quarantine, figures, rules
    case retry, again, reload, annotate
    /// Documents that were deleted; to delete some, or to bring some back.
    case deleted, delete, restore
    /// To add, change, move or remove a rule; to try rules with a file.
    /// To make a document of pages of others.
    case assemble
    /// To make a ZIP file of documents; a piece of it.
    case makeArchive, archive
    case changeRules, trial, trialResult, trialPicture
    /// Whether a password is right; that a session is over.
    case login, logout
    /// A piece of a file.
    case result, original, companion, picture
    /// A file in pieces: it begins, goes on, and ends or is given up.
    case uploadBegins, uploadGoesOn, uploadEnds, uploadIsGivenUp
  }

  /// What the server does with it.
  package enum Work: Sendable, Equatable {
    /// It asks the desk, and gives its JSON.
    case answer(Ask)
    /// It asks the desk for a file, piece by piece.
    case file(Ask)
    /// It gives the body to the desk, piece by piece.
    case upload(Purpose)
    /// It does it itself.
    case own(Own)
  }
  /// What an uploaded file is for: the inbox, to learn which rule takes it, to try rules with it, or to become pages of a document.
  package enum Purpose: String, Sendable { case inbox, explain, trial, part }
  package enum Own: Sendable { case events, loginState, login, logout, openAPI }

  package struct Parameter: Sendable {
    package enum Kind: Sendable {
      /// A text of so many bytes at most.
      case text(Int)
      case number(ClosedRange<Int>)
      case day, flag
      case choice([String])
      /// A list of so many texts, or of so many objects, at most; in bodies alone.
      case texts(Int), objects(Int)
    }
    package var name: String
    package var kind: Kind
    package var about: String
    package var isRequired = false
  }

  package var method: Method
  /// With its parameters in braces.
  package var path: String
  package var work: Work
  package var about: String
  package var query: [Parameter] = []
  /// The members of the body, where it is JSON.
  package var body: [Parameter] = []
  /// Statuses besides those that each may have.
  package var refusals: [Int] = []
  /// Whether who has no session may ask.
  package var isOpen = false

  /// The names of the parameters in the path.
  package var pathParameters: [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
      String($0.dropFirst().dropLast())
    }
  }
}
