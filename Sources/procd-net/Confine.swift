import CCurl
import Confinement
import Glibc
import Pipelines

/// Certificates of authorities, where somebody names a file of his own, as other programs take it.
var certificateFile: String? {
  unsafe getenv("SSL_CERT_FILE").map { unsafe String(cString: $0) }
}

/// Gives up all that a client of servers does not need; to be called before a socket is opened.
///
/// - Parameter key: the path of a private key that may be read.
func confine(reading key: String? = nil) throws(NetAnswer.Failure) {
  // Names of hosts are UTF-8, whatever the environment says; a file for the keys of connections is
  // nothing that it may ask for. OpenSSL reads its settings while that is still allowed.
  _ = unsafe setlocale(LC_CTYPE, "C.UTF-8")
  unsafe unsetenv("SSLKEYLOGFILE")
  _ = curl_global_init(Int(CURL_GLOBAL_ALL))
  var confinement = Confinement(profile: .net)
  confinement.grantNameService(and: [certificateFile, key].compactMap(\.self))
  confinement.landlockCeiling = unsafe getenv("PROCD_LANDLOCK").flatMap {
    unsafe Int(String(cString: $0))
  }
  confinement.required = unsafe getenv("PROCD_ISOLATION_REQUIRED") != nil
  do throws(ConfinementError) { _ = try confinement.enforce() } catch {
    throw NetAnswer.Failure("net.confine", error.message)
  }
}
