package import Pipelines
internal import PluginKit
package import SystemPackage

/// Where the original of a job was put: in which place, and where below it. What counts is where the place is now.
package struct Original: Sendable, Equatable {
  package var place: Place
  /// Relative to the place.
  package var path: FilePath
  /// Absolute.
  package var whole: FilePath

  package init(_ place: Place, _ path: FilePath, in folder: FilePath) {
    (self.place, self.path, whole) = (place, path, folder.appending(path.components))
  }

  /// As the ledger has it.
  ///
  /// - Parameter whole: where that was when the job was done.
  init?(publication: JSON?, whole: FilePath?) {
    guard let item = publication?["original"], let whole,
      let place = item["place"]?.stringValue.flatMap(Place.init),
      let path = item["path"].flatMap(FilePath.init)
    else { return nil }
    (self.place, self.path, self.whole) = (place, path, whole)
  }

  /// The same where the place has this folder now.
  package func standing(in folder: FilePath) -> Original {
    // Where it got another name at the last moment, earlier ledgers have that in the absolute path alone.
    var path = whole
    return Original(place, path.removePrefix(folder) ? path : self.path, in: folder)
  }
}
