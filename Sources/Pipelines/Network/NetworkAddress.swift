internal import Glibc

/// An address of the internet by its bytes: four (IPv4) or sixteen (IPv6).
package struct NetworkAddress: Sendable, Equatable {
  package let bytes: [UInt8]

  package init?(bytes: [UInt8]) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Whether everybody may reach it: neither this machine, nor a private network, nor a range that
  /// stands for something else (RFC 6890 and the registries of special-purpose addresses).
  package var isPublic: Bool { bytes.count == 4 ? Self.isPublic4(bytes) : Self.isPublic6(bytes) }

  private static func isPublic4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1], bytes[2]) {
    case (0, _, _), (10, _, _), (127, _, _): false
    // Shared by the customers of a provider.
    case (100, 64...127, _): false
    case (169, 254, _): false
    case (172, 16...31, _): false
    case (192, 0, 0), (192, 0, 2), (192, 88, 99), (192, 168, _): false
    case (198, 18...19, _), (198, 51, 100), (203, 0, 113): false
    // Groups, reserved, broadcast.
    case (224..., _, _): false
    default: true
    }
  }

  private static func isPublic6(_ bytes: [UInt8]) -> Bool {
    // IPv4 in another dress: mapped, compatible (:: and ::1 among them), NAT64, 6to4.
    if bytes[..<10].allSatisfy({ $0 == 0 }) {
      if bytes[10] == 0xFF, bytes[11] == 0xFF { return isPublic4(Array(bytes[12...])) }
      return false
    }
    if bytes.starts(with: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0]) {
      return isPublic4(Array(bytes[12...]))
    }
    if bytes.starts(with: [0x20, 0x02]) { return isPublic4(Array(bytes[2..<6])) }
    // Only 2000::/3 is given out.
    guard bytes[0] & 0xE0 == 0x20 else { return false }
    // 2001::/23 (Teredo, benchmarks, ORCHID), documentation, 3fff::/20.
    if bytes[0] == 0x20, bytes[1] == 0x01, bytes[2] & 0xFE == 0 { return false }
    if bytes.starts(with: [0x20, 0x01, 0x0D, 0xB8]) { return false }
    if bytes[0] == 0x3F, bytes[1] == 0xFF, bytes[2] & 0xF0 == 0 { return false }
    return true
  }

  /// As it is written in numbers.
  package var text: String {
    if bytes.count == 4 { return bytes.map { String($0) }.joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map {
      String(Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]), radix: 16)
    }.joined(separator: ":")
  }
}

extension NetworkAddress {
  /// The address that a host's name spells in numbers, as the C library reads them: `127.1` is one too.
  package init?(literal host: String) {
    var address4 = in_addr()
    if unsafe inet_aton(host, &address4) != 0 {
      self.init(bytes: unsafe withUnsafeBytes(of: address4) { unsafe Array($0) })
      return
    }
    var address6 = in6_addr()
    guard unsafe inet_pton(AF_INET6, host, &address6) == 1 else { return nil }
    self.init(bytes: unsafe withUnsafeBytes(of: address6) { unsafe Array($0) })
  }

  /// Whether a URL names a host that is not everybody's, as far as its letters tell: numbers of this
  /// machine or a private network, or `localhost` (RFC 6761).
  package static func isPrivate(url: String) -> Bool {
    guard let start = url.firstRange(of: "://")?.upperBound else { return false }
    var host = url[start...].prefix { !"/?#\\".contains($0) }
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    if host.hasPrefix("[") {
      host = host.dropFirst().prefix { $0 != "]" }
    } else {
      host = host.prefix { $0 != ":" }
    }
    let name = host.lowercased()
    if name == "localhost" || name.hasSuffix(".localhost") { return true }
    return NetworkAddress(literal: name).map { !$0.isPublic } ?? false
  }
}
