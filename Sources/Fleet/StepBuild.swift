internal import Files
internal import Glibc
package import Pipelines
package import PluginKit
internal import Synchronization
package import SystemPackage
internal import Workers

/// What decides what a step makes of its input: the program, the libraries and the data it reads, and what the
/// processor computes with. Machines where it is the same give the same bytes.
package struct StepBuild: Sendable, Equatable {
  package let step: String
  package let version: String
  package let program: String
  package let libraries: String
  /// By name, such as `eng.traineddata`.
  package let data: [String: String]
  package let processor: String

  /// All of it in few digits: what the broker knows the orders by.
  ///
  /// Kept, because it is compared for each helper whenever one is heard.
  package let digest: String

  /// What the broker gives to the helpers that can do exactly this.
  func consumer(_ site: String) -> JSON {
    [
      "stream": .string("procd-\(site)-orders"),
      "name": .string("\(step)-\(digest)".replacing(".", with: "_")),
      "filter": .string(subject(site, keeper: "*")),
    ]
  }

  func subject(_ site: String, keeper: String) -> String {
    "procd.\(site).orders.\(step).\(digest).\(keeper)"
  }

  package let json: JSON

  init(
    step: String, version: String, program: String, libraries: String, data: [String: String],
    processor: String
  ) {
    (self.step, self.version, self.program) = (step, version, program)
    (self.libraries, self.data, self.processor) = (libraries, data, processor)
    json = [
      "step": .string(step), "version": .string(version), "program": .string(program),
      "libraries": .string(libraries),
      "data": .object(data.sorted { $0.key < $1.key }.map { JSON.Member($0, .string($1)) }),
      "processor": .string(processor),
    ]
    digest = String(sha256(json.line).prefix(16))
  }

  init?(_ json: JSON) {
    guard let step = json["step"]?.stringValue, let version = json["version"]?.stringValue,
      let program = json["program"]?.stringValue, let libraries = json["libraries"]?.stringValue,
      let processor = json["processor"]?.stringValue
    else { return nil }
    var data: [String: String] = [:]
    for member in json["data"]?.members ?? [] { data[member.name] = member.value.stringValue ?? "" }
    self.init(
      step: step, version: version, program: program, libraries: libraries, data: data,
      processor: processor)
  }

  /// Why the orders of another machine are not for this one; one sentence without full stop, nil where they are.
  package func difference(from keeper: StepBuild) -> String? {
    if version != keeper.version || program != keeper.program {
      return "its procd is another build (\(step) \(version), here \(keeper.version)):"
        + " install the same package on both"
    }
    let lacking = keeper.data.keys.filter { data[$0] == nil }.sorted()
    if !lacking.isEmpty {
      return "it lacks \(lacking.joined(separator: ", ")): install the same language packages there"
    }
    let more = data.keys.filter { keeper.data[$0] == nil }.sorted()
    if !more.isEmpty {
      return "it has \(more.joined(separator: ", ")), which is missing here:"
        + " install the same language packages on both"
    }
    if data != keeper.data {
      return "its language data are of another version: install the same packages on both"
    }
    if libraries != keeper.libraries {
      return
        "its libraries are of other versions: bring both systems to the same state (apt upgrade)"
    }
    if processor != keeper.processor {
      return "its processor would compute differently (\(processor), here \(keeper.processor)):"
        + " results could differ in single letters"
    }
    return nil
  }
}

extension StepBuild {
  /// Finds out what the steps of this machine are. Reads all that they are made of, so it takes some tenths of a
  /// second.
  ///
  /// - Parameter wanted: which steps may travel at all.
  package static func all(
    of catalog: PluginCatalog, programs: FilePath, where wanted: (StepManifest) -> Bool
  ) async -> [StepBuild] {
    var workers: [String: (program: String, libraries: String)] = [:]
    var builds: [StepBuild] = []
    let processor = processorKind
    for name in catalog.stepNames {
      guard let entry = catalog[name], !entry.step.state, wanted(entry.step) else { continue }
      let parts: (program: String, libraries: String)
      switch entry.program {
      case .worker(let worker):
        if workers[worker] == nil {
          let path = programs.appending(worker)
          workers[worker] = (digest(path), await libraries(of: path))
        }
        parts = workers[worker] ?? ("", "")
      case .foreign(let foreign):
        // What it needs besides its folder is its author's business.
        parts = (sum(files(below: FilePath(foreign.folder))), "")
      }
      var data: [String: String] = [:]
      for folder in entry.step.dataFolders {
        data.merge(files(below: FilePath(folder))) { first, _ in first }
      }
      builds.append(
        StepBuild(
          step: name, version: entry.version, program: parts.program, libraries: parts.libraries,
          data: data, processor: processor))
    }
    return builds
  }

  /// Few digits suffice: nobody who has the key wants to deceive.
  private static func digest(_ path: FilePath) -> String {
    guard let folder = try? Folder.open(path.removingLastComponent()),
      let name = path.lastComponent,
      let content = try? folder.following(FilePath(name: name)).digest()
    else { return "" }
    return String(content.sha256.prefix(12))
  }

  private static func sum(_ files: [String: String]) -> String {
    let text = files.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
    return String(sha256(Array(text.utf8)).prefix(12))
  }

  /// Digests by path below the folder.
  private static func files(below folder: FilePath, in prefix: String = "") -> [String: String] {
    guard let open = try? Folder.open(folder), let names = try? open.names() else { return [:] }
    var found: [String: String] = [:]
    for name in names {
      guard let status = open.target(name), prefix.utf8.count < 200 else { continue }
      let path = folder.appending(name.components), title = prefix + name.string
      switch status.kind {
      case .regular: found[title] = digest(path)
      case .folder: found.merge(files(below: path, in: title + "/")) { first, _ in first }
      default: break
      }
    }
    return found
  }

  /// The libraries as the loader finds them, which tells them instead of starting the program.
  private static func libraries(of program: FilePath) async -> String {
    let run = ProgramRun(
      [program.string], environment: ["LD_TRACE_LOADED_OBJECTS=1", "LC_ALL=C.UTF-8"],
      milliseconds: 20_000)
    let lines = Mutex<[[UInt8]]>([])
    _ = await run.run(line: { line in lines.withLock { $0.append(line) } })
    var found: [String: String] = [:]
    for line in lines.withLock({ $0 }) {
      // libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x…)
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      guard words.count >= 3, words[1] == "=>", words[2].hasPrefix("/") else { continue }
      found[words[0].trimmed] = digest(FilePath(String(words[2])))
    }
    return sum(found)
  }

  /// What decides how numbers with fractions come out: the instructions that recognition has a way of its own for.
  private static var processorKind: String {
    var name = utsname()
    unsafe uname(&name)
    let machine = unsafe withUnsafeBytes(of: &name.machine) {
      unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let text =
      (try? Folder.open("/proc").reading("cpuinfo").readAll(limit: 4 << 20)).map {
        String(decoding: $0, as: UTF8.self)
      } ?? ""
    let flags =
      text.split(separator: "\n").first { $0.hasPrefix("flags") }?
      .split(separator: " ").map(String.init) ?? []
    let known = ["avx512f", "avx2", "fma", "avx", "sse4_1"].filter(flags.contains)
    return ([machine] + known).joined(separator: "+")
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == "\t" || $0 == " " }) }
}
