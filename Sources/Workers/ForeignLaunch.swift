internal import Files
internal import Glibc
internal import Pipelines
internal import PluginKit
internal import SystemPackage

extension LaunchSpec {
  /// What every program of a foreign plugin is granted, as a step or as a command.
  init(of foreign: PluginCatalog.Foreign, workFolder: String, _ setup: WorkerSetup) {
    self.init(workFolder: workFolder)
    executableFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", foreign.folder]
    readableFiles = ["/etc/ld.so.cache", "/etc/localtime"] + pythonStartupScripts
    readableFolders = foreign.readableFolders
    network = foreign.network
    landlockCeiling = setup.landlockCeiling
  }
}

/// The script that each Python runs first. Debian keeps it in /etc/python3.11 and the like, linked from /usr.
private let pythonStartupScripts: [String] = {
  do throws(FileError) {
    let names = try Folder.standing("/etc")?.names().map(\.string) ?? []
    return names.filter { $0.hasPrefix("python3.") }.map { "/etc/\($0)/sitecustomize.py" }
  } catch {
    // Not reported, because Python itself prints that it cannot read the script, and goes on.
    return []
  }
}()

extension WorkerSetup {
  /// The words that start a foreign program through the launcher.
  func launching(
    _ foreign: PluginCatalog.Foreign, _ spec: LaunchSpec, arguments: [String] = []
  ) -> [String] {
    ["\(programs)/procd-worker", "confine", spec.text, "--"] + command(of: foreign) + arguments
  }

  /// The program works in a folder of its own, so what stands in the plugin's is named in full.
  func command(of foreign: PluginCatalog.Foreign) -> [String] {
    foreign.command.enumerated().map { index, word in
      let path = "\(foreign.folder)/\(word)"
      let isMeant = index == 0 ? word.contains("/") : !word.hasPrefix("-") && isFile(path)
      return isMeant && !word.hasPrefix("/") ? path : word
    }
  }
}

private func isFile(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}
