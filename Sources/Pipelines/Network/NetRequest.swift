package import PluginKit

/// What `procd-net` is asked for: one line of JSON on its standard input.
package enum NetRequest: Sendable, Equatable {
  case fetch(Fetch)
  /// What a folder of a server holds: `url` ends with a slash.
  case list(Fetch)
  case post(Post)

  /// Where a request may lead and how long it may take.
  package struct Bounds: Sendable, Equatable {
    /// Whether addresses of private networks may be connected to.
    package var allowsPrivate = false
    /// Whether the host that the address names may be one of a private network, though none that it
    /// leads on to.
    package var allowsOwnHost = false
    /// Milliseconds, as all times here: until a connection stands.
    package var connect = 15_000
    /// Without a byte.
    package var idle = 60_000
    /// For all of it.
    package var total = 1_800_000
    package init() {}
  }

  /// A file is asked for; what comes is written into `body` in the folder, what is known of a download
  /// that broke off stands beside it in `partial.json`.
  package struct Fetch: Sendable, Equatable {
    package var url: String
    /// An absolute path; it must exist.
    package var folder: String
    /// As the server gave them with the last whole file.
    package var etag: String?
    package var modified: String?
    /// Whether a PDF came from there before: a web page is none then, whatever it says of itself.
    package var wasPDF = false
    /// Bytes that the file may have.
    package var limit = 1 << 30
    package var redirects = 10
    package var login = Login()
    package var bounds = Bounds()
    package init(url: String, folder: String) { (self.url, self.folder) = (url, folder) }

    package static let bodyName = "body"
    package static let partialName = "partial.json"
  }

  /// How a server of files is to know whom it has before it, and the other way round.
  package struct Login: Sendable, Equatable {
    /// The user's, or that of the key.
    package var password: String?
    /// The path of a private key.
    package var key: String?
    /// `SHA256:` and the base64 of the hash of the server's key, as OpenSSH writes it.
    package var hostKey: String?
    package init() {}
  }

  /// A message is posted. Redirects are not followed.
  package struct Post: Sendable, Equatable {
    package var url: String
    package var type: String
    package var body: String
    /// Names the message, the same at every try.
    package var key: String
    /// What it is signed with.
    package var secret: String?
    package var bounds = Bounds()
    package init(url: String, type: String, body: String, key: String) {
      (self.url, self.type, self.body, self.key) = (url, type, body, key)
      bounds.total = 60_000
      bounds.idle = 30_000
    }
  }
}

extension NetRequest {
  package var bounds: Bounds {
    switch self {
    case .fetch(let fetch), .list(let fetch): fetch.bounds
    case .post(let post): post.bounds
    }
  }

  package var json: JSON {
    switch self {
    case .fetch(let fetch): ["fetch": fetch.json]
    case .list(let folder): ["list": folder.json]
    case .post(let post):
      [
        "post": [
          "url": .string(post.url), "type": .string(post.type), "body": .string(post.body),
          "key": .string(post.key), "secret": post.secret.map { .string($0) },
          "bounds": post.bounds.json,
        ]
      ]
    }
  }

  package init?(_ json: JSON) {
    if let fetch = json["fetch"].flatMap(Fetch.init) {
      self = .fetch(fetch)
    } else if let folder = json["list"].flatMap(Fetch.init) {
      self = .list(folder)
    } else if let json = json["post"], let url = json["url"]?.stringValue,
      let type = json["type"]?.stringValue, let body = json["body"]?.stringValue,
      let key = json["key"]?.stringValue
    {
      var post = Post(url: url, type: type, body: body, key: key)
      post.secret = json["secret"]?.stringValue
      post.bounds = Bounds(json["bounds"], or: post.bounds)
      self = .post(post)
    } else {
      return nil
    }
  }
}

extension NetRequest.Fetch {
  var json: JSON {
    [
      "url": .string(url), "folder": .string(folder), "etag": etag.map { .string($0) },
      "modified": modified.map { .string($0) }, "wasPDF": .bool(wasPDF), "limit": .integer(limit),
      "redirects": .integer(redirects), "password": login.password.map { .string($0) },
      "key": login.key.map { .string($0) }, "hostKey": login.hostKey.map { .string($0) },
      "bounds": bounds.json,
    ]
  }

  init?(_ json: JSON) {
    guard let url = json["url"]?.stringValue, let folder = json["folder"]?.stringValue else {
      return nil
    }
    (self.url, self.folder) = (url, folder)
    etag = json["etag"]?.stringValue
    modified = json["modified"]?.stringValue
    wasPDF = json["wasPDF"]?.boolValue ?? false
    limit = json["limit"]?.integerValue ?? limit
    redirects = json["redirects"]?.integerValue ?? redirects
    login.password = json["password"]?.stringValue
    login.key = json["key"]?.stringValue
    login.hostKey = json["hostKey"]?.stringValue
    bounds = NetRequest.Bounds(json["bounds"], or: bounds)
  }
}

extension NetRequest.Bounds {
  var json: JSON {
    [
      "private": .bool(allowsPrivate), "ownHost": .bool(allowsOwnHost),
      "connect": .integer(connect), "idle": .integer(idle), "total": .integer(total),
    ]
  }

  init(_ json: JSON?, or bounds: NetRequest.Bounds) {
    self = bounds
    allowsPrivate = json?["private"]?.boolValue ?? false
    allowsOwnHost = json?["ownHost"]?.boolValue ?? false
    connect = json?["connect"]?.integerValue ?? connect
    idle = json?["idle"]?.integerValue ?? idle
    total = json?["total"]?.integerValue ?? total
  }
}
