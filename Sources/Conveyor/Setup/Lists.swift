package import Series
internal import Synchronization
package import SystemPackage

/// The store of editions, opened when it is first needed.
package final class Lists: Sendable {
  package static let storeName = FilePath("lists.sqlite")

  private let path: FilePath
  private let opened = Mutex<SeriesStore?>(nil)

  /// - Parameter spool: the daemon's own folder.
  package init(spool: FilePath) {
    path = spool.appending(Self.storeName.components)
  }

  package func store() throws(SeriesError) -> SeriesStore {
    try opened.withLock { opened throws(SeriesError) in
      if let opened { return opened }
      let store = try SeriesStore(path: path)
      opened = store
      return store
    }
  }

  /// For questions; nil where nothing was ever kept.
  package func reader() throws(SeriesError) -> SeriesReader? {
    try SeriesStore.reading(path: path)
  }
}
