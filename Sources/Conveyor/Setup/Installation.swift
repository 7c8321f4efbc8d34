internal import Files
internal import Glibc
package import Pipelines
internal import PluginKit
package import SystemPackage
internal import Workers

/// Where this procd is installed: its programs and the plugins that come with it.
package struct Installation: Sendable {
  /// The folder of procd-worker and procd-worker-ocr.
  package var programs: FilePath

  package init(programs: FilePath) { self.programs = programs }

  /// Found from the running program: beside it, else in `../libexec/procd`.
  package static func ofThisProgram() -> Installation {
    let buffer = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      guard let start = buffer.baseAddress else { return }
      let length = unsafe start.withMemoryRebound(to: CChar.self, capacity: buffer.count) {
        unsafe readlink("/proc/self/exe", $0, 4096)
      }
      count = max(0, length)
    }
    let folder = FilePath(bytes: buffer).removingLastComponent()
    let beside = folder.appending("procd-worker")
    if beside.allows(X_OK) { return Installation(programs: folder) }
    return Installation(
      programs: folder.removingLastComponent().appending("libexec").appending("procd"))
  }

  /// The program that people type, which reads PDF files in a process that confines itself; nil where it is missing.
  package var procd: FilePath? {
    let prefix = programs.removingLastComponent().removingLastComponent()
    return [programs.appending("procd"), prefix.appending("bin").appending("procd")].first {
      $0.allows(X_OK)
    }
  }

  /// The worker programs that come with procd.
  package static let workers = ["procd-worker", "procd-worker-ocr"]

  /// Folders in which foreign plugins are looked for besides the configured ones.
  var pluginFolders: [FilePath] {
    let prefix = programs.removingLastComponent()
    return [
      programs.appending("plugins"),
      prefix.appending("lib").appending("procd").appending("plugins"),
      prefix.removingLastComponent().appending("lib").appending("procd").appending("plugins"),
    ]
  }

  /// A plugin that could not be added, for `check` and `plugins`.
  package struct Problem: Sendable {
    package var place: String
    package var message: String
  }

  /// All steps that exist: those of our workers, then foreign plugins.
  ///
  /// - Parameter configured: folders from the configuration, absolute.
  package func catalog(
    configured: [FilePath], landlockCeiling: Int? = nil
  ) -> (catalog: PluginCatalog, problems: [Problem]) {
    var catalog = PluginCatalog(), problems: [Problem] = []
    let setup = WorkerSetup(programs: programs.string, landlockCeiling: landlockCeiling)
    for worker in Self.workers {
      do throws(PluginHandshake.Failure) {
        for manifest in try PluginHandshake.manifests(of: worker, setup) {
          catalog.add(manifest, run: .worker(worker))
        }
      } catch {
        problems.append(Problem(place: worker, message: error.message))
        catalog.unasked = catalog.unasked ?? error.message
      }
    }
    for folder in pluginFolders + configured {
      guard let open = try? Folder.open(folder), let names = try? open.names() else {
        if configured.contains(folder) {
          problems.append(
            Problem(
              place: folder.string,
              message: folder.allows(F_OK) || errno != ENOENT
                ? "the folder cannot be read"
                : "there is no such folder; make it, or take it out of \"plugins\""))
        }
        continue
      }
      for name in names.sorted(by: { $0.string < $1.string }) {
        add(folder.appending(name.components), to: &catalog, &problems)
      }
    }
    return (catalog, problems)
  }

  /// The foreign plugins that a configuration uses and that cannot be started, or do not answer as they should.
  package func silentPlugins(
    of active: ActiveConfiguration, landlockCeiling: Int? = nil
  ) -> [Problem] {
    let setup = WorkerSetup(programs: programs.string, landlockCeiling: landlockCeiling)
    let used = Set(active.configuration.pipelines.flatMap(\.steps).map(\.use))
    var problems: [Problem] = []
    for (manifest, program) in active.catalog.plugins {
      guard case .foreign(let foreign) = program,
        manifest.steps.contains(where: { used.contains($0.name) })
      else { continue }
      if let obstacle = setup.obstacle(to: foreign) {
        problems.append(Problem(place: foreign.folder, message: obstacle))
        continue
      }
      guard foreign.speaksProtocol else { continue }
      do {
        let scratch = try ScratchFolder(for: "hello")
        defer { scratch.remove() }
        try PluginHandshake.greet(foreign, called: manifest.name, in: scratch.folder, setup)
      } catch let failure as PluginHandshake.Failure {
        problems.append(Problem(place: foreign.folder, message: failure.message))
      } catch {
        problems.append(Problem(place: foreign.folder, message: "it could not be tried: \(error)"))
      }
    }
    return problems
  }

  /// Sizes and times of a folder's files in few digits: who changes a plugin and not its version wants new results.
  static func stamp(of folder: Folder) -> String {
    let names = (try? folder.names()) ?? []
    let lines = names.compactMap { name -> String? in
      guard let status = try? folder.status(name), status.kind == .regular else { return nil }
      return
        "\(name.printable) \(status.size) \(status.modified.seconds).\(status.modified.nanoseconds)"
    }
    return String(sha256(Array(lines.sorted().joined(separator: "\n").utf8)).prefix(16))
  }

  private func add(
    _ folder: FilePath, to catalog: inout PluginCatalog, _ problems: inout [Problem]
  ) {
    let open: Folder, text: [UInt8]
    do {
      open = try Folder.open(folder)
      text = try open.reading("plugin.json").readAll(limit: 1 << 20)
    } catch {
      // What is no plugin may lie there too.
      if ![.noSuchFileOrDirectory, .notDirectory, .tooManySymbolicLinkLevels].contains(error.errno)
      {
        let cure =
          error.errno == .permissionDenied
          ? "; give user \(Accounts.currentUser) the right to read it" : ""
        problems.append(Problem(place: folder.string, message: "\(error)\(cure)"))
      }
      return
    }
    let place = folder.appending("plugin.json").string
    do throws(JSONError) {
      let node = try JSONReader.read(text)
      let complaints = PluginManifest.shape.complaints(about: node)
      if let first = complaints.first {
        let file = ConfigurationFile(name: place, text: text, complaints: complaints)
        problems.append(
          Problem(
            place: place,
            message: "\(first.message)\n\(String(file.rendered().dropLast()))"))
        return
      }
      let json = node.value, sandbox = json["sandbox"]
      let foreign = PluginCatalog.Foreign(
        folder: folder.string,
        command: (json["command"]?.arrayValue ?? []).compactMap(\.stringValue),
        speaksProtocol: json["protocol"]?.stringValue == "procd/1",
        network: sandbox?["network"]?.boolValue ?? false,
        readableFolders: (sandbox?["read"]?.arrayValue ?? []).compactMap(\.stringValue),
        stamp: Self.stamp(of: open))
      catalog.add(PluginManifest(checked: json), run: .foreign(foreign))
    } catch {
      let line = text.prefix(error.offset).count { $0 == 0x0A } + 1
      problems.append(Problem(place: "\(place):\(line)", message: error.message))
    }
  }
}
