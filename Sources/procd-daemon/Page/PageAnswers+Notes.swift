import Conveyor
import Files
import JobLedger
import Pipelines
import PluginKit
import SystemPackage

/// Notes of documents: those that there are, and new ones.
extension PageAnswers {
  func notes(_ head: JSON) throws -> JSON {
    let row = try row(head)
    guard let outbox, let file = row.results.first(where: \.isNotes)?.file(in: outbox) else {
      throw PageRefusal(404, "web.notes", "There are no notes of this document.")
    }
    let json = try JSONReader.read(try file.readAll(limit: 16 << 20)).value
    return [
      "notes": .array(
        (json["notes"]?.arrayValue ?? []).map { note in
          [
            "page": note["page"], "kind": note["type"], "author": note["author"],
            "text": note["contents"], "words": note["quote"],
            "date": note["modified"] ?? note["created"],
          ]
        })
    ]
  }

  // MARK: - New ones

  /// How a document and its notes come into the inbox together.
  struct Annotation {
    /// Below the inbox, with the names that they have where nothing else is called so.
    var document: FilePath
    var notes: FilePath

    /// The same with a number in their common name.
    func numbered(_ number: Int) -> Annotation {
      guard number > 1 else { return self }
      func numbered(_ path: FilePath) -> FilePath {
        let stem = document.lastComponent?.stem ?? "", name = path.lastComponent?.string ?? ""
        return path.removingLastComponent()
          .appending("\(stem)~\(number)\(name.dropFirst(stem.count))")
      }
      return Annotation(document: numbered(document), notes: numbered(self.notes))
    }
  }

  /// Where a rule takes the PDF of a job together with notes: in the folder in which the file came, or below `notes`;
  /// nil where none does.
  func annotation(of row: JobRow) -> Annotation? {
    guard let stem = row.path.lastComponent?.stem else { return nil }
    let folder = row.path.removingLastComponent()
    for place in [folder, FilePath("notes").appending(folder.components)] {
      let document = place.appending("\(stem).pdf")
      for wanted in active.companionRules.wanted(by: document) where wanted.names.count == 1 {
        guard let notes = wanted.names[0].first(where: { $0.string.hasSuffix(".json") }) else {
          continue
        }
        return Annotation(document: document, notes: place.appending(notes.components))
      }
    }
    return nil
  }

  /// Puts a document into the inbox once more, with its new notes.
  func annotate(_ head: JSON, _ body: JSON) throws -> JSON {
    let row = try row(head)
    guard let pdf = pdf(of: row), let name = pdf.lastComponent else {
      throw PageRefusal(404, "web.pdf", "There is no PDF of this document any more.")
    }
    guard let wanted = annotation(of: row) else {
      throw PageRefusal(
        409, "web.rule",
        "No rule takes a PDF together with notes. The chapter on notes of the documents has one.")
    }
    let given = body["notes"]?.arrayValue ?? [], written = given.compactMap(Self.note)
    guard !written.isEmpty, written.count == given.count else {
      throw PageRefusal(400, "web.request", "These are no notes.")
    }
    let inbox = try Folder.make(active.inbox)
    let folder = try inbox.makeFolders(wanted.document.removingLastComponent())
    var named = wanted, number = 1
    while try inbox.isTaken(named.document) || inbox.isTaken(named.notes) {
      number += 1
      named = wanted.numbered(number)
    }
    let notes = try HandIn(to: inbox, as: named.notes.name, way: Uploads.way)
    do {
      try notes.write(JSON.object([.init("notes", .array(written))]).line)
      let document = try HandIn(to: inbox, as: named.document.name, way: Uploads.way)
      do {
        let file = try Folder.open(pdf.removingLastComponent()).reading(FilePath(name: name))
        try document.copy(file)
        // First the notes: where this process ends in between, they wait for their document and are told.
        _ = try notes.finish(in: folder)
        _ = try document.finish(in: folder)
      } catch {
        try? document.giveUp()
        throw error
      }
    } catch {
      try? notes.giveUp()
      throw error
    }
    return ["path": .string(named.document.repaired.text)]
  }

  private static func arePlaces(_ numbers: [JSON]) -> Bool {
    numbers.allSatisfy { abs($0.measure ?? .infinity) < 100_000 }
  }

  /// A note as `pdf.notes` reads it, of what may be given here; nil where it is none.
  private static func note(_ given: JSON) -> JSON? {
    let box = given["box"]?.arrayValue ?? []
    guard let type = given["type"]?.stringValue,
      ["Highlight", "Underline", "StrikeOut", "Square", "Text", "FreeText"].contains(type),
      let page = given["page"]?.integerValue, (1...1_000_000).contains(page),
      box.count == 4, arePlaces(box)
    else { return nil }
    let quads = given["quads"]?.arrayValue
    guard
      quads?.allSatisfy({ $0.arrayValue.map { $0.count == 8 && arePlaces($0) } == true }) ?? true,
      (quads?.count ?? 1) <= 1000
    else { return nil }
    func text(_ name: String, _ most: Int) -> JSON? {
      given[name]?.stringValue.map { .string(String($0.prefix(most))) }
    }
    return [
      "type": .string(type), "page": .integer(page),
      // What a mark is on says more than the area around it.
      "box": quads == nil ? .array(box) : nil, "quads": quads.map { .array($0) },
      "contents": text("contents", 10_000), "author": text("author", 200),
    ]
  }
}

extension Folder {
  /// Whether something stands at a path below this folder.
  fileprivate func isTaken(_ path: FilePath) throws(FileError) -> Bool {
    try standing(path.removingLastComponent())?.exists(path.name) ?? false
  }
}

extension FilePath {
  /// Its last part, as a path.
  fileprivate var name: FilePath { lastComponent.map { FilePath(name: $0) } ?? self }
}
