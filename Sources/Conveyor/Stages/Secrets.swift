internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
package import SystemPackage

/// Puts secrets in the place of the options that say where they are kept, at the last moment before a
/// step runs: so they stand neither in the ledger nor in a report, and a changed file counts at once.
package struct Secrets: Sendable {
  let active: ActiveConfiguration

  package init(_ active: ActiveConfiguration) { self.active = active }

  /// The largest file of secrets.
  private static let limit = 64 << 10

  /// The options with the texts of their secrets.
  func resolved(
    _ options: Options, of step: StepManifest
  ) -> Result<Options, PluginFailure> {
    var json = options.json
    for field in step.options.fields {
      guard case .secret = field.shape, let place = json[field.key] else { continue }
      do throws(PluginFailure) {
        json = json.setting(field.key, .string(try text(place, field.key)))
      } catch {
        return .failure(error)
      }
    }
    return .success(Options(checked: json))
  }

  /// Files of secrets and keys that every user of the machine can read, by pipeline, source or target.
  package func openToAll() -> [(id: String, path: FilePath)] {
    var places: [(id: String, place: JSON?)] = []
    for pipeline in active.configuration.pipelines {
      for step in pipeline.steps {
        for field in step.manifest.options.fields {
          guard case .secret = field.shape else { continue }
          places.append((pipeline.id, step.options.json[field.key]))
        }
      }
    }
    for (id, place, _) in others { places.append((id, place)) }
    var files: [(id: String, path: FilePath)] = []
    for (id, place) in places {
      guard let file = place?["file"]?.stringValue else { continue }
      files.append((id, active.absolute(file)))
    }
    for source in active.configuration.sources {
      if let key = source.key { files.append((source.id, active.absolute(key))) }
    }
    return files.filter { Self.isOpenToAll($0.path) }
  }

  private static func isOpenToAll(_ path: FilePath) -> Bool {
    var folder = path.removingLastComponent(), wanted = [(path, UInt32(0o004))]
    while true {
      wanted.append((folder, 0o001))
      guard folder.lastComponent != nil else { break }
      folder.removeLastComponent()
    }
    return wanted.allSatisfy { place, mode in
      var status = stat()
      return unsafe place.withPlatformString { unsafe stat($0, &status) } == 0
        && status.st_mode & mode != 0
    }
  }

  /// The secrets of sources and targets, with their keys there.
  private var others: [(id: String, place: JSON, key: String)] {
    var others = active.configuration.sources.compactMap { source in
      source.password.map { (id: source.id, place: $0, key: "password") }
    }
    for target in active.configuration.notify {
      if case .webhook(_, _, let secret?, _) = target.way {
        others.append((target.place, secret, "secret"))
      }
    }
    return others
  }

  /// What is wrong with the secrets of a configuration, by pipeline, source or target.
  package func complaints() -> [(pipeline: String, message: String)] {
    var found: [(pipeline: String, message: String)] = []
    for pipeline in active.configuration.pipelines {
      for step in pipeline.steps {
        if case .failure(let failure) = resolved(step.options, of: step.manifest) {
          found.append((pipeline.id, failure.message))
        }
      }
    }
    for source in active.configuration.sources {
      guard let key = source.key.map({ active.absolute($0) }),
        !key.allows(R_OK)
      else { continue }
      found.append((source.id, "key: \(key.printable) \(Accounts.cannotRead(key.string))"))
    }
    for (id, place, key) in others {
      do throws(PluginFailure) { _ = try text(place, key) } catch {
        found.append((id, error.message))
      }
    }
    return found
  }

  /// The text of one secret.
  func text(_ place: JSON, _ key: String) throws(PluginFailure) -> String {
    if let name = place["environment"]?.stringValue {
      guard let value = unsafe getenv(name) else {
        throw PluginFailure(
          .transient, "secret.missing", "\(key): the environment of procd has no \(name)",
          hint: "set it in the environment that procd starts in")
      }
      return unsafe String(cString: value)
    }
    let path = active.absolute(place["file"]?.stringValue ?? "")
    do {
      let folder = try Folder.open(path.removingLastComponent())
      guard let name = path.lastComponent else { throw FileError("open", path, .isDirectory) }
      let bytes = try folder.following(FilePath(name: name)).readAll(limit: Self.limit)
      return Options.text(of: bytes)
    } catch {
      throw PluginFailure(
        .transient, "secret.missing", "\(key): \(error)",
        hint: "name a file of text that procd may read, of 64 KiB at most")
    }
  }
}
