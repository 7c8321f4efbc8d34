internal import Files
internal import Outbox
internal import Pipelines
internal import PluginKit
internal import SystemPackage

/// What will be published, and the report that says so.
struct PublicationPlan: Sendable {
  var publication: Publication
  var report: Report
  /// Whether all is published as one folder.
  var isFolder: Bool
  /// Sealed names and the names they get inside that folder.
  var inFolder: [(name: FilePath, as: FilePath)]
}

/// Decides the names of results, report and original, from what the configuration wants and what is
/// free.
struct Naming: Sendable {
  let active: ActiveConfiguration
  let report: Report
  let claimed: ClaimedFile
  let places: Places
  /// Whether no step has run yet: what hangs on the text of results is shown as it is written.
  var isPreview = false

  private var name: OutputName { OutputName(of: claimed.arrival.name) }
  /// What the original is called: with companions it is a folder of that name without its extension.
  private var originalName: OutputName {
    guard !claimed.companions.isEmpty else { return name }
    let stem = claimed.arrival.name.stemAndSuffix.stem
    return OutputName(of: FilePath(bytes: stem))
  }
  private var pipeline: Pipeline? {
    active.configuration.pipelines.first { $0.id == report.pipeline }
  }
  private var isFolderLayout: Bool {
    active.configuration.outbox.layout == .folder && report.outcome != .quarantined
  }
  private var originalPlace: Place { report.outcome == .quarantined ? .quarantine : .archive }

  /// The folder of the outbox, relative to it.
  private func outboxFolder(_ subfolder: String?) -> FilePath {
    places.usableFolder(.outbox, wantedFolder(subfolder))
  }

  /// The same as the rule has it; a file or link of that name may stand there.
  private func wantedFolder(_ subfolder: String?) -> FilePath {
    let own = claimed.arrival.folder
    var wanted = own
    if let subfolder {
      wanted = FilePath(filled(subfolder))
      if pipeline?.keepsFolders ?? true { wanted.append(own.components) }
    }
    // Reports name results in UTF-8. Repairing makes a name longer, so it comes before fitting.
    return OutputName.folder(wanted, repaired: true)
  }

  /// Where its report is put, given where its results are.
  private func reportFolder(_ folder: FilePath) -> FilePath {
    guard let reports = active.configuration.outbox.reports else { return folder }
    return places.usableFolder(.outbox, reports.appending(folder.components))
  }

  private var values: [String: String] {
    let date = day(of: report.arrived)
    var values: [String: String] = [:]
    for text in pipeline?.texts ?? [] where !isPreview {
      values.merge(text.values(report.texts?[text.name]?.stringValue)) { $1 }
    }
    return values.merging([
      "stem": name.stemText, "ext": name.extensionText, "pipeline": report.pipeline ?? "",
      "sha8": String(claimed.sha256.prefix(8)), "job": report.job,
      "yyyy": String(date.prefix(4)), "mm": String(date.dropFirst(5).prefix(2)),
      "dd": String(date.dropFirst(8)),
    ]) { $1 }
  }

  /// What becomes of results whose names are taken. A report alone replaces none that tells of results.
  private var onClash: NameClash {
    report.outcome == .done ? pipeline?.onClash ?? .number : .number
  }

  /// What must be reserved: the original with what stands beside it, the report in the outbox (or the folder of all),
  /// the results.
  func bundles(
    _ emitted: [EmittedResult], to subfolder: String?
  ) -> [NameBundle] {
    let place = originalPlace
    let originalFolder = places.usableFolder(place, claimed.arrival.folder)
    let original = NameBundle(place) { [originalName] number in
      let original = originalName.original(number)
      let beside = [original, OutputName.report(of: original)]
      return (place == .quarantine ? beside + [OutputName.why(of: original)] : beside)
        .map { originalFolder.appending($0.components) }
    }
    guard report.outcome != .quarantined else { return [original] }
    let folder = outboxFolder(subfolder)
    if isFolderLayout {
      let whole = NameBundle(.outbox, onClash: onClash) { [name] number in
        [folder.appending(name.original(number).components)]
      }
      return [original, whole]
    }
    let reports = reportFolder(folder)
    // Where its results may not be evaded, the report may: it hinders nobody.
    let told = NameBundle(.outbox, onClash: onClash == .refuse ? .number : onClash) {
      [name] number in [reports.appending(name.report(number).components)]
    }
    let results = NameBundle(.outbox, onClash: onClash) { number in
      resultNames(emitted, number).map { folder.appending($0.components) }
    }
    return [original, told] + (emitted.isEmpty ? [] : [results])
  }

  /// The names of results with a number. Those that would be called the same get the next numbers.
  ///
  /// - Parameter taken: names that none of them may get.
  private func resultNames(
    _ emitted: [EmittedResult], _ number: Int, besides taken: Set<FilePath> = []
  ) -> [FilePath] {
    var taken = taken
    var endings = OutputName.endings(
      emitted.filter { $0.name == .extended }.map {
        ($0.artifact.role, $0.artifact.fileExtension)
      })[...]
    return emitted.map { entry in
      let ending = entry.name == .extended ? endings.removeFirst() : ""
      func name(_ number: Int) -> FilePath {
        switch entry.name {
        case .template(let template):
          OutputName.result(named: usable(filled(template, label: entry.artifact.label)), number)
        case .kept(let own): OutputName(of: own).kept(number)
        case .extended: self.name.result(ending: ending, number)
        }
      }
      // As many names as there are results are enough for one to be free.
      let free = (number...(number + emitted.count)).lazy.map(name).first { !taken.contains($0) }
      let chosen = free ?? entry.artifact.name
      taken.insert(chosen)
      return chosen
    }
  }

  /// A name that what it is made of has left empty or hidden begins with that of the source.
  private func usable(_ text: String) -> String {
    text.isEmpty || text.hasPrefix(".") && !claimed.arrival.name.string.hasPrefix(".")
      ? name.stemText + text : text
  }

  /// - Parameter label: of the result that is named.
  private func filled(_ template: String, label: String? = nil) -> String {
    var values = values
    if !isPreview { values[NameTemplate.label] = label ?? NameTemplate.noLabel }
    return NameTemplate(template).filled(values, otherwise: { isPreview ? $0 : "" })
  }

  /// What results and report will be called where all names are free, relative to the outbox.
  func preview(_ emitted: [EmittedResult], to subfolder: String?) -> [FilePath] {
    let names = bundles(emitted, to: subfolder).dropFirst().flatMap { $0.paths(1) }
    guard isFolderLayout else { return Array(names.dropFirst() + names.prefix(1)) }
    let inside = resultNames(emitted, 1, besides: [Sealer.reportName]) + [Sealer.reportName]
    return inside.map { names[0].appending($0.components) }
  }

  /// Fills the report and lists the moves, now that the names are reserved.
  ///
  /// - Parameter names: the paths that each bundle got.
  func plan(
    _ emitted: [EmittedResult], _ bundles: [NameBundle], _ names: [[FilePath]]
  ) -> PublicationPlan {
    var report = report
    let place = originalPlace, beside = names[0]
    let replaces = zip(bundles, names).map { $0.onClash == .replace && $0.paths(1) == $1 }
    if onClash == .replace, replaces.dropFirst().contains(false) {
      report.notes.append("a file that came later has the name already, so this one got a number")
    }
    let wanted = wantedFolder(pipeline?.to)
    let first = isFolderLayout ? names.dropFirst().first?.first : names.dropFirst(2).first?.first
    if place != .quarantine, let used = first?.removingLastComponent(), wanted != used {
      report.notes.append(
        "\(wanted.printable) in the outbox is no folder of its own (a file or a link), so the results are in"
          + " \(used.printable)")
    }
    let original = Publication.Item(
      sealed: claimed.isCopy ? "copy" : "source", place: place, path: beside[0])
    report.original = active.written(place) + "/" + beside[0].repaired.text
    var items: [Publication.Item] = []
    var copy: Publication.Item?
    var inFolder: [(name: FilePath, as: FilePath)] = []

    func listed(_ artifact: CollectedArtifact, as path: FilePath) {
      report.artifacts.append(
        ArtifactReport(
          role: artifact.role, path: path.repaired.text, mime: artifact.mime,
          bytes: artifact.bytes, sha256: artifact.sha256, label: artifact.label,
          from: artifact.from))
    }
    if place == .quarantine {
      items = [
        Publication.Item(sealed: Sealer.whyName, place: place, path: beside[2]),
        Publication.Item(sealed: Sealer.reportName, place: place, path: beside[1]),
      ]
    } else {
      copy = Publication.Item(sealed: Sealer.reportCopyName, place: place, path: beside[1])
      if isFolderLayout {
        let inside = resultNames(emitted, 1, besides: [Sealer.reportName])
        for (name, entry) in zip(inside, emitted) {
          inFolder.append((entry.artifact.name, name))
          listed(entry.artifact, as: name)
        }
        inFolder.append((Sealer.reportName, Sealer.reportName))
        items = [
          Publication.Item(sealed: Sealer.folderName, place: .outbox, path: names[1][0])
        ]
      } else {
        for (path, entry) in zip(names.dropFirst(2).joined(), emitted) {
          items.append(
            Publication.Item(
              sealed: entry.artifact.name, place: .outbox, path: path, replaces: replaces[2]))
          listed(entry.artifact, as: path.relative(to: names[1][0].removingLastComponent()))
        }
        items.append(
          Publication.Item(
            sealed: Sealer.reportName, place: .outbox, path: names[1][0], replaces: replaces[1]))
      }
    }
    return PublicationPlan(
      publication: Publication(
        items: items, original: original, originalReport: copy, isCopy: claimed.isCopy),
      report: report, isFolder: isFolderLayout && place != .quarantine, inFolder: inFolder)
  }

  /// Gives an item whose name was taken meanwhile one of its own, in the report too.
  static func evade(
    _ taken: Publisher.Taken, in publication: inout Publication, _ report: inout Report,
    _ places: Places, attempt: Int
  ) {
    evade(taken, in: &publication, places, attempt: attempt)
    // Results that are published each by itself stand before their report, in its order.
    guard let last = publication.items.last, last.place == .outbox,
      last.sealed == Sealer.reportName, report.artifacts.count == publication.items.count - 1
    else { return }
    let folder = last.path.removingLastComponent()
    for (index, item) in publication.items.dropLast().enumerated() {
      report.artifacts[index].path = item.path.relative(to: folder).repaired.text
    }
  }

  static func evade(
    _ taken: Publisher.Taken, in publication: inout Publication, _ places: Places, attempt: Int
  ) {
    let item = taken.item
    func evading(_ path: FilePath) -> FilePath {
      let folder = path.removingLastComponent()
      let name = path.lastComponent.map { FilePath(name: $0) } ?? FilePath()
      if taken.isFolder {
        let other = places.usableFolder(item.place, folder)
        // Where nothing stands in its way and it still cannot be used, the place itself can.
        return (other == folder ? FilePath() : other).appending(name.components)
      }
      let bytes = name.bytes
      var dot = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.count
      if bytes.count - dot > 60 { dot = bytes.count - min(bytes.count, name.ending.count) }
      // Some file systems take shorter names than others.
      let fresh = OutputName.fitted(
        Array(bytes[..<dot]), Array("~\(attempt + 2)".utf8) + bytes[dot...],
        room: attempt < 3 ? 240 : 120)
      return folder.appending(fresh.components)
    }
    for index in publication.items.indices where publication.items[index].sealed == item.sealed {
      publication.items[index].path = evading(item.path)
      // What stands under that name is nobody's to replace.
      publication.items[index].replaces = false
    }
    if publication.original.path == item.path, publication.original.place == item.place {
      publication.original.path = evading(item.path)
    }
    if publication.originalReport?.path == item.path {
      publication.originalReport?.path = evading(item.path)
    }
  }
}

extension FilePath {
  /// What must stay at the end of a name of ours for people and programs to know what it is.
  fileprivate var ending: [UInt8] {
    let own = [".report.json", ".why.txt"].map { Array($0.utf8) }
    return own.first { bytes.suffix($0.count) == $0[...] } ?? stemAndSuffix.suffix
  }

  /// The way from a folder to this path; both are relative to one place.
  fileprivate func relative(to folder: FilePath) -> FilePath {
    let shared = zip(components, folder.components).prefix { $0 == $1 }.count
    let up = folder.components.dropFirst(shared).map { _ in FilePath.Component("..") }
    return FilePath(root: nil, up + components.dropFirst(shared))
  }
}
