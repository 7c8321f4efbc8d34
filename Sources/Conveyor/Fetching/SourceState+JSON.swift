internal import Pipelines
internal import PluginKit

/// The file `state.json` of a source.
extension SourceState {
  var json: JSON {
    [
      "url": .string(url), "entry": entry.map { .string($0) }, "since": .integer(Int(since)),
      "checked": checked.map { .integer(Int($0)) },
      "received": received.map { .integer(Int($0)) }, "name": name.map { .string($0) },
      "etag": etag.map { .string($0) }, "modified": modified.map { .string($0) },
      "sha256": sha256.map { .string($0) }, "isPDF": .bool(isPDF),
      "failures": .integer(failures), "failure": failure.map { NetAnswer.failed($0).json },
      "next": .integer(Int(next)), "staleSince": staleSince.map { .integer(Int($0)) },
      "handingIn": handingIn.map {
        [
          "name": .string($0.name), "file": NetAnswer.received($0.received).json,
          "sha256": .string($0.sha256), "listed": $0.file.map { NetAnswer.listed([$0]).json },
        ]
      },
      "files": files.isEmpty
        ? nil
        : .object(
          files.sorted { $0.key < $1.key }.map { path, file in
            JSON.Member(
              path, .array([file.mark.map { .string($0) } ?? .null, .string(file.digits)]))
          }),
    ]
  }

  init?(_ json: JSON) {
    guard let url = json["url"]?.stringValue, let since = json["since"]?.integerValue,
      let next = json["next"]?.integerValue
    else { return nil }
    (self.url, self.since, self.next) = (url, Int64(since), Int64(next))
    entry = json["entry"]?.stringValue
    checked = json["checked"]?.integerValue.map(Int64.init)
    received = json["received"]?.integerValue.map(Int64.init)
    name = json["name"]?.stringValue
    etag = json["etag"]?.stringValue
    modified = json["modified"]?.stringValue
    sha256 = json["sha256"]?.stringValue
    isPDF = json["isPDF"]?.boolValue ?? false
    failures = json["failures"]?.integerValue ?? 0
    if case .failed(let failure)? = json["failure"].flatMap(NetAnswer.init) {
      self.failure = failure
    }
    staleSince = json["staleSince"]?.integerValue.map(Int64.init)
    if let handing = json["handingIn"], let name = handing["name"]?.stringValue,
      let sha256 = handing["sha256"]?.stringValue,
      case .received(let file)? = handing["file"].flatMap(NetAnswer.init)
    {
      handingIn = HandingIn(name: name, received: file, sha256: sha256)
      if case .listed(let files)? = handing["listed"].flatMap(NetAnswer.init) {
        handingIn?.file = files.first
      }
    }
    for member in json["files"]?.members ?? [] {
      guard let parts = member.value.arrayValue, parts.count == 2, let digits = parts[1].stringValue
      else {
        continue
      }
      files[member.name] = KnownFile(mark: parts[0].stringValue, digits: digits)
    }
  }
}
