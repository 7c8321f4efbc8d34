import ArgumentParser
import Conveyor
import Files
import Glibc
import Pipelines
import PlainText
import PluginKit
import SystemPackage
import UnixSignals

/// One file to one file, as `convert scan.jpg scan.pdf`.
extension ConvertCommand {
  /// Where results go, as typed.
  var target: String { output ?? inputs.last ?? "" }

  /// What is converted, as typed.
  var sources: [String] { output == nil ? inputs.dropLast() : inputs }

  /// Whether a name is that of a file, not of a folder of results: it has an extension, and no folder is called
  /// so.
  static func namesFile(_ name: String) -> Bool {
    let path = absolutePath(name)
    return name == "-"
      || path.extension != nil && !name.hasSuffix("/") && (try? Folder.open(path)) == nil
  }

  /// Whether one file is made of one.
  var isOfOneFile: Bool {
    sources.count == 1 && Self.namesFile(target)
      && (try? Folder.open(absolutePath(sources[0]))) == nil
  }

  /// The role of the only result that is wanted; nil for all.
  ///
  /// - Throws: where nothing gives files that end like the one that is named.
  func wantedRole(in configuration: Configuration) throws -> String? {
    let outputs = configuration.pipelines.flatMap(\.steps).flatMap(\.manifest.outputs)
    if join {
      if !namesDocument, target != "-", Self.namesFile(target) {
        throw ValidationError(
          "--join makes a PDF: -o OUT.pdf; or name a folder, with a slash at its end if it is not there yet."
        )
      }
      return to ?? (namesDocument || target == "-" ? "pdf" : nil)
    }
    if let to, !outputs.contains(where: { $0.role == to }) {
      let known = Set(outputs.map(\.role)).sorted().joined(separator: ", ")
      let meant = Set(outputs.filter { $0.fileExtension == to }.map(\.role)).sorted()
      throw ValidationError(
        "No step gives \(to); there are: \(known)."
          + (meant.isEmpty
            ? "" : " Files that end with .\(to) come from: \(meant.joined(separator: ", ")).")
      )
    }
    guard isOfOneFile else {
      guard Self.namesFile(target), outputs.contains(where: { target.ends(as: $0.fileExtension) })
      else {
        return to
      }
      throw ValidationError(
        "\(target) is the name of one file, and there are several inputs. --join makes one document of them; or name a"
          + " folder with -o.")
    }
    guard target != "-" else { return to ?? "pdf" }
    if let to {
      let endings = Set(outputs.filter { $0.role == to }.map(\.fileExtension))
      // The last part of `hocr.html` will do where the role is named.
      guard
        endings.contains(where: {
          target.ends(as: $0) || target.ends(as: String($0.split(separator: ".").last ?? ""))
        })
      else {
        throw ValidationError(
          "--to \(to) gives files that end with .\(endings.sorted().joined(separator: " or .")), not \(target)."
        )
      }
      return to
    }
    let fitting = outputs.filter { target.ends(as: $0.fileExtension) }
    let longest = fitting.map(\.fileExtension.utf8.count).max()
    if let output = fitting.first(where: { $0.fileExtension.utf8.count == longest }) {
      return output.role
    }
    let known = Set(outputs.filter { !$0.isOfAnyType }.map(\.fileExtension)).sorted()
      .joined(separator: ", ")
    throw ValidationError(
      "No step gives files that end with .\(absolutePath(target).extension ?? ""); there are: \(known). For several inputs name a folder"
        + " with -o.")
  }

  /// Nothing that stands there is replaced unasked.
  func refuseToReplace(_ path: FilePath) throws {
    guard !overwrite, path.allows(F_OK) else { return }
    Console.complain("procd: \(path.printable) exists already; --overwrite replaces it")
    throw ExitCode(73)
  }

  func convertOne(_ active: ActiveConfiguration, _ role: String?) async throws {
    let isPiped = target == "-"
    if isPiped, isatty(1) == 1 {
      Console.complain("procd: results are not shown on a terminal; redirect them into a file")
      throw ExitCode(73)
    }
    let scratch = isPiped || sources[0] == "-" ? try ScratchFolder(for: "convert") : nil
    defer { scratch?.remove() }
    let place = isPiped ? scratch?.path.appending("result") ?? "" : absolutePath(target)
    if !isPiped { try refuseToReplace(place) }
    let source = sources[0] == "-" ? try scratch?.keepInput() ?? "" : absolutePath(sources[0])
    guard source.allows(F_OK) else {
      Console.complain("procd: \(source.printable): no such file or folder")
      throw Status.inputQuarantined
    }
    let bench = try bench(active, in: place.removingLastComponent())
    let ended = try await Self.untilInterrupted(bench) {
      await ConvertRun(
        bench: bench, role: role, output: place.removingLastComponent(), update: false,
        replaces: overwrite ? .all : .none, json: json
      ).convert(source, to: place.lastComponent.map { FilePath(name: $0) } ?? "result")
    }
    if let ended { throw ended }
    if isPiped, let scratch { try Console.give(scratch.result()) }
  }

  func bench(_ active: ActiveConfiguration, in folder: FilePath) throws -> Workbench {
    do {
      return try Workbench(
        active, installation: .ofThisProgram(), in: folder, slots: jobs,
        landlockCeiling: landlockCeiling())
    } catch {
      Console.complain("procd: \(error.failure.message)")
      throw ExitCode(73)
    }
  }

  /// Does something with a workbench, and clears that away however it ends.
  ///
  /// - Parameters:
  ///   - progress: ended before anything is said of that.
  ///   - isWhole: whether there is one result, which is there once all is done.
  static func untilInterrupted<Value>(
    _ bench: Workbench, _ progress: ConvertProgress? = nil, isWhole: Bool = true,
    _ work: () async -> Value
  ) async throws -> Value {
    let interrupts = Task {
      var isSecond = false
      for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
        if isSecond { _exit(130) }
        isSecond = true
        progress?.end()
        Console.complain(
          isWhole
            ? "procd: stopped; nothing was written"
            : "procd: stopped; finished results stay, and --update continues with the rest")
        bench.stop()
      }
    }
    let value = await work()
    interrupts.cancel()
    bench.close()
    if bench.isStopping { throw ExitCode(130) }
    return value
  }
}

extension String {
  /// Whether a file of this name has an extension, such as `hocr.html`; capitals do not matter.
  fileprivate func ends(as fileExtension: String) -> Bool {
    lowercased().hasSuffix(".\(fileExtension.lowercased())")
  }
}

extension ScratchFolder {
  /// Standard input as a file.
  fileprivate func keepInput() throws(FileError) -> FilePath {
    let file = try folder.creating("stdin")
    while let bytes = readSome(0), !bytes.isEmpty { try file.write(bytes.span) }
    return path.appending("stdin")
  }

  /// The result for standard output.
  func result() throws(FileError) -> [UInt8] {
    try folder.reading("result").readAll(limit: .max)
  }
}
