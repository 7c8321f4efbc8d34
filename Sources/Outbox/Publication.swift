package import Pipelines
package import PluginKit
package import SystemPackage

/// What is published under which names: decided once, kept by the ledger, carried out as written.
package struct Publication: Sendable, Equatable {
  /// A sealed file or folder and where it goes.
  package struct Item: Sendable, Equatable {
    /// In the job's folder of seals.
    package var sealed: FilePath
    package var place: Place
    /// Relative to the place.
    package var path: FilePath
    /// Whether it takes the place of a file that has its name.
    package var replaces: Bool
    package init(sealed: FilePath, place: Place, path: FilePath, replaces: Bool = false) {
      self.sealed = sealed
      self.place = place
      self.path = path
      self.replaces = replaces
    }
  }

  /// In this order; the report is the last, as commit mark.
  package var items: [Item]
  /// Where the original goes once all items stand.
  package var original: Item
  /// The copy of the report beside an archived original.
  package var originalReport: Item?
  /// Whether the bytes that are archived are a private copy of the original.
  package var isCopy: Bool

  package init(items: [Item], original: Item, originalReport: Item?, isCopy: Bool) {
    self.items = items
    self.original = original
    self.originalReport = originalReport
    self.isCopy = isCopy
  }

  /// Where a sealed file goes; in a folder of results where it is not named.
  package func place(ofSealed name: FilePath) -> Place {
    if let report = originalReport, report.sealed == name { return report.place }
    return items.first { $0.sealed == name }?.place ?? .outbox
  }

  package var json: JSON {
    [
      "items": .array(items.map(\.json)), "original": original.json,
      "originalReport": originalReport?.json, "isCopy": .bool(isCopy),
    ]
  }

  package init?(_ json: JSON) {
    guard let items = json["items"]?.arrayValue, let original = json["original"].flatMap(Item.init)
    else { return nil }
    let read = items.compactMap(Item.init)
    guard read.count == items.count else { return nil }
    self.init(
      items: read, original: original, originalReport: json["originalReport"].flatMap(Item.init),
      isCopy: json["isCopy"]?.boolValue ?? false)
  }
}

extension Publication.Item {
  var json: JSON {
    [
      "sealed": sealed.json, "place": .string(place.rawValue), "path": path.json,
      "replaces": replaces ? true : nil,
    ]
  }

  init?(_ json: JSON) {
    guard let sealed = json["sealed"].flatMap(FilePath.init),
      let place = json["place"]?.stringValue.flatMap(Place.init),
      let path = json["path"].flatMap(FilePath.init)
    else { return nil }
    self.init(
      sealed: sealed, place: place, path: path, replaces: json["replaces"]?.boolValue ?? false)
  }
}
