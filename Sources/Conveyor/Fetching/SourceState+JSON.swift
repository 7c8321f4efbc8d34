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
      "next": .integer(Int(next)), "isStaleTold": .bool(isStaleTold),
      "handingIn": handingIn.map {
        [
          "name": .string($0.name), "file": NetAnswer.received($0.received).json,
          "sha256": .string($0.sha256),
        ]
      },
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
    isStaleTold = json["isStaleTold"]?.boolValue ?? false
    if let handing = json["handingIn"], let name = handing["name"]?.stringValue,
      let sha256 = handing["sha256"]?.stringValue,
      case .received(let file)? = handing["file"].flatMap(NetAnswer.init)
    {
      handingIn = HandingIn(name: name, received: file, sha256: sha256)
    }
  }
}
