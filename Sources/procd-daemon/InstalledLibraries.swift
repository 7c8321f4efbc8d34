import Conveyor
import Glibc
import Pipelines

/// Libraries that a step loads by itself, so that an installation may lack them.
enum InstalledLibraries {
  /// What the rules need and this machine lacks, a sentence for each library.
  static func missing(for active: ActiveConfiguration) -> [String] {
    let splitting = active.configuration.pipelines.first { pipeline in
      pipeline.steps.contains { $0.use == "pages.split" }
    }
    guard let splitting, !isThere("libzbar.so.0") else { return [] }
    return [
      "\(splitting.id): pages.split needs the library libzbar; on Debian: apt install libzbar0"
    ]
  }

  /// Whether a library lies in one of the usual folders.
  private static func isThere(_ name: String) -> Bool {
    folders.contains { unsafe access("\($0)/\(name)", R_OK) == 0 }
  }

  #if arch(arm64)
    private static let architecture = "aarch64-linux-gnu"
  #else
    private static let architecture = "x86_64-linux-gnu"
  #endif
  private static let folders = ["/usr/local/lib", "/usr/lib", "/lib"].flatMap {
    [$0, "\($0)64", "\($0)/\(architecture)"]
  }
}
