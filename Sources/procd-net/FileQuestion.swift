import CCurl
import Pipelines

/// What a server of files is asked: SFTP and FTP know neither conditions nor tags.
struct FileQuestion {
  var login: NetRequest.Login
  /// Of the file as it last came.
  var etag: String?
  /// What is there of it.
  var rest: PartialDownload.Rest?
  /// For folders: whether their names alone are wanted.
  var listsNames = false
  /// For mailboxes: the command whose answer is wanted; nil for a mail.
  var command: String?

  /// There is less of the file now than what is there already, or the server cannot begin in the middle.
  static let noRest = [CURLE_BAD_DOWNLOAD_RESUME, CURLE_RANGE_ERROR, CURLE_FTP_COULDNT_USE_REST]
}

extension Exchange {
  func setOptions(_ question: FileQuestion) throws(NetAnswer.Failure) {
    let login = question.login
    if let user = address.user { set(CURLOPT_USERNAME, user) }
    // What the file of a secret ends with is no part of it.
    let password = login.password.map { password in
      String(password.prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" })
    }
    set(CURLOPT_FILETIME, 1)
    set(CURLOPT_RESUME_FROM_LARGE, question.rest?.bytes ?? 0)
    set(CURLOPT_CUSTOMREQUEST, question.command)
    set(CURLOPT_DIRLISTONLY, question.listsNames ? 1 : 0)
    guard address.scheme != .imaps || address.user != nil else {
      throw NetAnswer.Failure("net.url", "imaps needs a user: write imaps://USER@HOST/MAILBOX")
    }
    guard address.scheme == .sftp else {
      set(CURLOPT_PASSWORD, password)
      // CURLUSESSL_ALL, which is a macro in newer headers: also the connection on which files come.
      set(CURLOPT_USE_SSL, 3)
      return
    }
    guard address.user != nil else {
      throw NetAnswer.Failure("net.url", "sftp needs a user: write sftp://USER@HOST/PATH")
    }
    // Without this any key would do. The hash of nothing fits none, and libcurl says which was shown.
    set(CURLOPT_SSH_HOST_PUBLIC_KEY_SHA256, Self.base64(of: login.hostKey ?? Self.noKey))
    if let key = login.key {
      set(CURLOPT_SSH_AUTH_TYPES, Int(CURLSSH_AUTH_PUBLICKEY))
      set(CURLOPT_SSH_PRIVATE_KEYFILE, key)
      set(CURLOPT_KEYPASSWD, password ?? "")
    } else {
      set(CURLOPT_SSH_AUTH_TYPES, Int(CURLSSH_AUTH_PASSWORD | CURLSSH_AUTH_KEYBOARD))
      set(CURLOPT_PASSWORD, password ?? "")
    }
  }

  private static let noKey = "SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU"

  private static func base64(of hostKey: String) -> String {
    String(hostKey.dropFirst(hostKey.hasPrefix("SHA256:") ? 7 : 0))
  }

  /// What is known of the file, by the names that HTTP has for it.
  func head(_ question: FileQuestion) -> [String: String] {
    var size: curl_off_t = 0, time: curl_off_t = 0
    _ = unsafe ccurl_get_offset(handle, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &size)
    _ = unsafe ccurl_get_offset(handle, CURLINFO_FILETIME_T, &time)
    var head: [String: String] = [:]
    if time >= 0 { head["last-modified"] = HeaderFields.date(ofSeconds: Int(time)) }
    guard size >= 0 else { return head }
    head["content-length"] = "\(size)"
    let start = question.rest?.bytes ?? 0, total = start + Int(size)
    if time >= 0 { head["etag"] = "\"\(total)-\(time)\"" }
    if question.rest != nil { head["content-range"] = "bytes \(start)-\(total - 1)/\(total)" }
    return head
  }
}
