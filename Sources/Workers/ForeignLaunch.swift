internal import Pipelines
internal import PluginKit

extension LaunchSpec {
  /// What every program of a foreign plugin is granted, as a step or as a command.
  init(of foreign: PluginCatalog.Foreign, workFolder: String, _ setup: WorkerSetup) {
    self.init(workFolder: workFolder)
    executableFolders = ["/usr", "/bin", "/sbin", "/lib", "/lib64", foreign.folder]
    readableFiles = ["/etc/ld.so.cache", "/etc/localtime"]
    readableFolders = foreign.readableFolders
    network = foreign.network
    landlockCeiling = setup.landlockCeiling
  }
}

extension WorkerSetup {
  /// The words that start a foreign program through the launcher.
  func launching(
    _ foreign: PluginCatalog.Foreign, _ spec: LaunchSpec, arguments: [String] = []
  ) -> [String] {
    var command = foreign.command
    if let program = command.first, program.contains("/"), !program.hasPrefix("/") {
      command[0] = "\(foreign.folder)/\(program)"
    }
    return ["\(programs)/procd-worker", "confine", spec.text, "--"] + command + arguments
  }
}
