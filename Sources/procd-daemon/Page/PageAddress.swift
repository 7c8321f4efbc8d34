import Files
import Glibc
import Pipelines
import PluginKit
import SystemPackage

/// Where on this machine a page can be shown.
enum PageAddress {
  private static let usual: ClosedRange<UInt16> = 8750...8799

  /// An address that no program listens to, and that no service of this machine is going to: one of those may not be
  /// started yet. Each folder begins to look at a port of its own, so that several that are set up before any of them
  /// runs seldom get the same.
  static func free(for folder: FilePath) -> String {
    let services = addressesOfServices()
    // FNV-1a, 32 bits.
    let hash = folder.string.utf8.reduce(2_166_136_261 as UInt32) {
      ($0 ^ UInt32($1)) &* 16_777_619
    }
    let first = Int(hash % UInt32(usual.count))
    let ports = (0..<usual.count).map { usual.lowerBound + UInt16((first + $0) % usual.count) }
    let port = ports.first { isFree($0) && !services.contains("127.0.0.1:\($0)") }
    return "127.0.0.1:\(port ?? usual.lowerBound)"
  }

  /// Whether no program listens to a port of this machine.
  static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(
      AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    // As a listener of its own does it, so that connections that just ended are not in the way.
    var reuses: Int32 = 1
    unsafe setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &reuses, socklen_t(MemoryLayout<Int32>.size))
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size) == 0
      }
    }
  }

  /// What the configurations of the package's services name; those that cannot be read name nothing.
  private static func addressesOfServices() -> Set<String> {
    guard let folder = try? Folder.open("/etc/procd"), let names = try? folder.names() else {
      return []
    }
    var found: Set<String> = []
    for name in names where name.extension == "json" {
      guard let text = try? folder.reading(name).readAll(limit: 1 << 20),
        let web = try? JSONReader.read(text).value["web"]
      else { continue }
      found.insert(web.stringValue ?? web["listen"]?.stringValue ?? "")
    }
    return found
  }
}
