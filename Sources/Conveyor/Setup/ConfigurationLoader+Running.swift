internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
package import SystemPackage

extension ConfigurationLoader {
  /// What a running procd goes by that was started with this file, where the file has another text by now, whichever
  /// spool that names, or is gone; nil where it goes by what stands there, and where none is found: what cannot be
  /// looked at is none.
  ///
  /// - Parameter path: of the configuration, absolute.
  package func running(_ path: FilePath) -> ActiveConfiguration? {
    let base = path.removingLastComponent(), written = written(path)
    let named = written.flatMap { text in
      (try? JSONReader.read(text).value["spool"]?.stringValue)
        // A text with a mistake says it too.
        ?? String(decoding: text, as: UTF8.self)
        .firstMatch(of: #/"spool"\s*:\s*"([^"\\]+)"/#).map { String($0.1) }
    }
    let spool = Self.place(named ?? "spool", in: base)
    var trusted: Set<UInt32>?
    let usual = base.appending("spool")
    for place in [spool, usual] + Folder.listening(at: Spool.pulseName.string) {
      // Cheap first: what runs by the text that stands there needs no asking.
      guard let folder = try? Folder.open(place),
        let text = try? folder.reading(Spool.runningName).readAll(limit: 16 << 20)
      else { continue }
      if text == written {
        // It goes by what stands there, as it mostly does: no others need to be looked for.
        if place == spool, !folder.lock() { return nil }
        continue
      }
      if place != spool, place != usual {
        // It is believed which configuration it has, so nobody else's counts.
        trusted = trusted ?? owners(path, written)
        guard let status = try? folder.status(), status.mode & 0o077 == 0,
          trusted?.contains(status.owner) == true
        else { continue }
      }
      guard let running = Health.asked(spool: place, patience: 1000),
        // One that hangs cannot say which configuration it has, and counts where this one has that spool.
        running.pulse?.configuration != nil || place == spool,
        Self.isSameFile(running.pulse?.configuration, path),
        let active = load(text, name: path.lastComponent?.string ?? "", path: path).active
      else { continue }
      return active
    }
    return nil
  }

  /// The socket at which a procd tells its status that runs by an earlier text of a file which has mistakes; nil where
  /// its text names none.
  package func statusSocket(_ path: FilePath) -> FilePath? {
    written(path).flatMap { text in
      let status = (try? JSONReader.read(text).value)?["status"]
      return status?.stringValue ?? status?["socket"]?.stringValue
        ?? String(decoding: text, as: UTF8.self)
        .firstMatch(of: #/"status"\s*:\s*(?:\{[^{}]*?"socket"\s*:\s*)?"([^"\\]+)"/#).map {
          String($0.1)
        }
    }.map { Self.place($0, in: path.removingLastComponent()) }
  }

  private func written(_ path: FilePath) -> [UInt8]? {
    try? Folder.open(path.removingLastComponent())
      .following(FilePath(path.lastComponent?.string ?? "")).readAll(limit: 16 << 20)
  }

  private static func place(_ text: String, in base: FilePath) -> FilePath {
    let own = FilePath(text)
    return own.isAbsolute ? own : base.appending(own.components).lexicallyNormalized()
  }

  /// The users whose procd may be that of a configuration though its text names another spool: this one, and for root
  /// those who own what belongs to it.
  private func owners(_ path: FilePath, _ written: [UInt8]?) -> Set<UInt32> {
    guard geteuid() == 0 else { return [geteuid()] }
    let active = written.flatMap { load($0, name: "", path: path).active }
    let quarantine = active.flatMap { $0.answer(.quarantine) ? $0.folder(.quarantine) : nil }
    let places = [path, path.removingLastComponent()] + [quarantine].compactMap(\.self)
    let owners = places.compactMap { place -> UInt32? in
      guard let name = place.lastComponent else { return nil }
      return try? Folder.open(place.removingLastComponent()).status(FilePath(name: name))?.owner
    }
    return Set(owners + [0, Accounts.user("procd")].compactMap(\.self))
  }

  /// Whether a running procd was started with a configuration, whatever way its folder was named.
  ///
  /// - Parameter running: what it says; nil where it is an older one that does not.
  static func isSameFile(_ running: String?, _ path: FilePath) -> Bool {
    guard let running, running != path.repaired.text else { return true }
    let other = FilePath(running)
    // By whatever links.
    if let one = try? PathPlace(other), let two = try? PathPlace(path), one.isSame(as: two) {
      return true
    }
    guard other.lastComponent == path.lastComponent else { return false }
    let one = other.removingLastComponent(), two = path.removingLastComponent()
    do throws(FileError) {
      guard try PathPlace.lies(one, in: two) else { return false }
      return try PathPlace.lies(two, in: one)
    } catch {
      // Another procd is not acted on for want of knowing.
      return false
    }
  }
}
