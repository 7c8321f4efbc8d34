import CCurl
import Confinement
import Glibc
import Pipelines
import SystemPackage

/// What finding hosts and verifying certificates needs to read; nothing else can be opened.
private let readableFiles = [
  "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/host.conf", "/etc/gai.conf",
  "/etc/services", "/etc/localtime", "/etc/ssl/cert.pem",
]
private let readableFolders = [
  "/etc/ssl/certs", "/etc/pki/tls/certs", "/etc/pki/ca-trust/extracted",
  "/etc/ca-certificates/extracted", "/usr/share/ca-certificates",
  "/usr/local/share/ca-certificates",
]

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
  confinement.readableFiles = (readableFiles + [certificateFile, key].compactMap(\.self)).map {
    FilePath($0)
  }
  confinement.readableFolders = readableFolders
  confinement.landlockCeiling = unsafe getenv("PROCD_LANDLOCK").flatMap {
    unsafe Int(String(cString: $0))
  }
  confinement.required = unsafe getenv("PROCD_ISOLATION_REQUIRED") != nil
  do throws(ConfinementError) { _ = try confinement.enforce() } catch {
    throw NetAnswer.Failure("net.confine", error.message)
  }
}
