import CCurl
import Glibc
import Pipelines

/// The addresses of a host, by the C library: hosts file, name servers, or numbers in any spelling.
enum Resolver {
  static func addresses(of host: String) throws(NetAnswer.Failure) -> [NetworkAddress] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    var result = unsafe getaddrinfo(host, nil, &hints, &list)
    if result != 0 {
      // A machine that has nothing but its loopback configures no family.
      unsafe hints.ai_flags = 0
      result = unsafe getaddrinfo(host, nil, &hints, &list)
    }
    guard result == 0 else {
      let isPassing = result == EAI_AGAIN
      throw NetAnswer.Failure(
        "net.name",
        isPassing
          ? "the name server does not answer, so \(host) cannot be found"
          : "there is no host \(host)", isPassing: isPassing)
    }
    defer { unsafe freeaddrinfo(list) }
    var found: [NetworkAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe NetworkAddress(entry.pointee.ai_addr), !found.contains(address) {
        found.append(address)
      }
      unsafe next = entry.pointee.ai_next
    }
    return found
  }
}

extension NetworkAddress {
  init?(_ address: UnsafeMutablePointer<sockaddr>?) {
    guard let address = unsafe address else { return nil }
    switch Int32(unsafe address.pointee.sa_family) {
    case AF_INET:
      let raw = unsafe UnsafeRawPointer(address).load(as: sockaddr_in.self).sin_addr
      self.init(bytes: unsafe withUnsafeBytes(of: raw) { unsafe Array($0) })
    case AF_INET6:
      let raw = unsafe UnsafeRawPointer(address).load(as: sockaddr_in6.self).sin6_addr
      self.init(bytes: unsafe withUnsafeBytes(of: raw) { unsafe Array($0) })
    default: return nil
    }
  }
}
