package import Files
package import Pipelines
internal import PluginKit
package import SystemPackage

/// Finds, reads and checks a configuration.
package struct ConfigurationLoader: Sendable {
  package let installation: Installation
  package let landlockCeiling: Int?

  package init(installation: Installation, landlockCeiling: Int? = nil) {
    self.installation = installation
    self.landlockCeiling = landlockCeiling
  }

  package struct Loaded: Sendable {
    package var path: FilePath
    package var file: ConfigurationFile
    package var catalog: PluginCatalog
    package var pluginProblems: [Installation.Problem]
    /// Nil while there are errors.
    package var active: ActiveConfiguration?
  }

  /// - Parameters:
  ///   - path: absolute.
  ///   - name: what people call it; its last component where it is left out.
  package func load(_ path: FilePath, as name: String? = nil) throws(FileError) -> Loaded {
    let folder = try Folder.open(path.removingLastComponent())
    guard let last = path.lastComponent else {
      throw FileError("open", path, .noSuchFileOrDirectory)
    }
    // Links are followed here: the configuration's own place is the administrator's.
    let text = try folder.following(FilePath(name: last)).readAll(limit: 16 << 20)
    return load(text, name: name ?? last.string, path: path)
  }

  package func load(_ text: [UInt8], name: String, path: FilePath) -> Loaded {
    let base = path.removingLastComponent()
    // The file alone first: its plugin folders are needed to know the steps.
    let plain = ConfigurationFile(name: name, text: text, catalog: nil)
    let folders = plain.pluginFolders.map { text in
      let folder = FilePath(text)
      return folder.isAbsolute ? folder : base.appending(folder.components)
    }
    let (catalog, problems) = installation.catalog(
      configured: folders, landlockCeiling: landlockCeiling)
    let file = ConfigurationFile(name: name, text: text, catalog: catalog)
    return Loaded(
      path: path, file: file, catalog: catalog, pluginProblems: problems,
      active: file.configuration.map {
        ActiveConfiguration(
          $0, catalog: catalog, base: base, text: text, file: path, pluginProblems: problems)
      })
  }
}
