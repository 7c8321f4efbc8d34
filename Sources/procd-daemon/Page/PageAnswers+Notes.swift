import Conveyor
import Files
import JobLedger
import Pipelines
import PluginKit
import Synchronization
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

  /// The rules that take a PDF together with notes that a step writes into it.
  private var annotating: CompanionRules {
    CompanionRules(
      active.configuration.pipelines.filter { pipeline in
        pipeline.steps.contains { step in
          step.inputs.contains { $0.role == "notes" && $0.from.contains(.companions) }
        }
      })
  }

  /// What the PDF of a job and its notes are called where such a rule takes both: in the folder in which the file came, or
  /// below `notes`; nil where none does.
  ///
  /// - Parameter number: added to their common name, from 2 on.
  func annotation(of row: JobRow, number: Int = 1) -> (document: FilePath, notes: FilePath)? {
    guard let stem = row.path.lastComponent?.stem else { return nil }
    let folder = row.path.removingLastComponent()
    for place in [folder, FilePath("notes").appending(folder.components)] {
      let document = place.appending(number > 1 ? "\(stem)~\(number).pdf" : "\(stem).pdf")
      for wanted in annotating.wanted(by: document) where wanted.names.count == 1 {
        guard let notes = wanted.names[0].first(where: { $0.string.hasSuffix(".json") }) else {
          continue
        }
        return (document, place.appending(notes.components))
      }
    }
    return nil
  }

  /// Puts a document into the inbox once more, with its new notes.
  func annotate(_ head: JSON, _ body: JSON) async throws -> JSON {
    let row = try row(head)
    guard let pdf = pdf(of: row), let name = pdf.lastComponent else {
      throw PageRefusal(404, "web.pdf", "There is no PDF of this document any more.")
    }
    guard let wanted = annotation(of: row) else {
      throw PageRefusal(
        409, "web.rule",
        "No rule takes a PDF together with notes. The chapter on notes in the documentation has one."
      )
    }
    let given = body["notes"]?.arrayValue ?? [], written = given.compactMap(Self.note)
    guard !written.isEmpty, written.count == given.count else {
      throw PageRefusal(400, "web.request", "These are not notes.")
    }
    for path in [wanted.document, wanted.notes] {
      try mayComeIn(path.lastComponent?.string ?? "", folder: path.removingLastComponent().string)
    }
    try await heavy.pass()
    defer { heavy.leave() }
    let inbox = try Folder.make(active.inbox)
    let notes = try HandIn(to: inbox, as: wanted.notes.name, way: Uploads.way)
    do {
      try notes.write(JSON.object([.init("notes", .array(written))]).line)
      let document = try HandIn(to: inbox, as: wanted.document.name, way: Uploads.way)
      do {
        let file = try Folder.open(pdf.removingLastComponent()).reading(FilePath(name: name))
        try document.copy(file)
        let path = try handInTogether(document, notes, of: row, to: inbox)
        return ["path": .string(path.repaired.text)]
      } catch {
        // What cannot be removed either goes when the page is started again; the first error is told.
        try? document.giveUp()
        throw error
      }
    } catch {
      try? notes.giveUp()
      guard (error as? FileError)?.errno == .fileNameTooLong else { throw error }
      throw PageRefusal.longName
    }
  }

  /// Gives both their names, which belong together, or none: the notes first, which wait for their document.
  ///
  /// - Returns: what the document is called, below the inbox.
  private func handInTogether(
    _ document: HandIn, _ notes: HandIn, of row: JobRow, to inbox: Folder
  ) throws -> FilePath {
    try annotationNames.withLock { _ in
      for number in 1...1000 {
        guard let names = annotation(of: row, number: number) else { break }
        let folder = try inbox.makeFolders(names.document.removingLastComponent())
        // A document that stands there would take the notes.
        if try folder.exists(names.document.name) { continue }
        guard try notes.finish(in: folder, exactly: names.notes.name) else { continue }
        do {
          if try document.finish(in: folder, exactly: names.document.name) { return names.document }
          try notes.takeBack(names.notes.name, from: folder)
        } catch {
          // Where they stay, `status` says that they wait for their document; the first error is told.
          try? notes.takeBack(names.notes.name, from: folder)
          throw error
        }
      }
      throw PageRefusal(
        503, "web.busy", "Too many files of this name wait. Try it again in a moment.")
    }
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

extension FilePath {
  /// Its last part, as a path.
  fileprivate var name: FilePath { lastComponent.map { FilePath(name: $0) } ?? self }
}
