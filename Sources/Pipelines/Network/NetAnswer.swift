package import PluginKit

/// What `procd-net` says: lines of JSON on its standard output, the last one is the result.
package enum NetAnswer: Sendable, Equatable {
  /// How many bytes there are; of how many, where the server said so.
  case progress(done: Int, total: Int?)
  case received(Received)
  /// Files of a folder; what comes in several lines belongs together.
  case listed([Listed])
  /// The server has nothing newer than what it gave before.
  case unchanged
  /// A posted message was taken.
  case accepted
  case failed(Failure)

  /// A file that came whole: it is `body` in the folder of the request.
  package struct Received: Sendable, Equatable {
    package var bytes: Int
    /// The address that gave it, after redirects.
    package var url: String
    /// What the server calls it.
    package var name: String?
    package var type: String?
    package var isPDF: Bool
    package var etag: String?
    package var modified: String?
    /// `modified` in seconds since 1970.
    package var modifiedSeconds: Int?

    package init(bytes: Int, url: String, isPDF: Bool) {
      (self.bytes, self.url, self.isPDF) = (bytes, url, isPDF)
    }
  }

  /// A file as the server of its folder shows it.
  package struct Listed: Sendable, Equatable {
    /// The name as it stands in an address, percent-encoded: names are bytes.
    package var path: String
    /// For patterns and people.
    package var name: String
    /// Stands for its size and time: another one means that the file has changed. Nil where the server
    /// tells neither.
    package var mark: String?

    package init(path: String, name: String, mark: String?) {
      (self.path, self.name, self.mark) = (path, name, mark)
    }
  }

  package struct Failure: Error, Sendable, Equatable {
    /// `net.…`
    package var code: String
    /// For people, one sentence.
    package var message: String
    /// Whether the same may well go better later without anybody doing anything.
    package var isPassing: Bool
    /// Seconds that the server asks to wait.
    package var retryAfter: Int?

    package init(
      _ code: String, _ message: String, isPassing: Bool = false, retryAfter: Int? = nil
    ) {
      (self.code, self.message) = (code, message)
      (self.isPassing, self.retryAfter) = (isPassing, retryAfter)
    }
  }
}

extension NetAnswer {
  package var json: JSON {
    switch self {
    case .progress(let done, let total):
      ["progress": ["done": .integer(done), "total": total.map { .integer($0) }]]
    case .received(let file):
      [
        "received": [
          "bytes": .integer(file.bytes), "url": .string(file.url),
          "name": file.name.map { .string($0) }, "type": file.type.map { .string($0) },
          "isPDF": .bool(file.isPDF), "etag": file.etag.map { .string($0) },
          "modified": file.modified.map { .string($0) },
          "modifiedSeconds": file.modifiedSeconds.map { .integer($0) },
        ]
      ]
    case .listed(let files):
      [
        "listed": .array(
          files.map {
            [
              "path": .string($0.path), "name": .string($0.name),
              "mark": $0.mark.map { .string($0) },
            ]
          })
      ]
    case .unchanged: ["unchanged": true]
    case .accepted: ["accepted": true]
    case .failed(let failure):
      [
        "failed": [
          "code": .string(failure.code), "message": .string(failure.message),
          "isPassing": .bool(failure.isPassing),
          "retryAfter": failure.retryAfter.map { .integer($0) },
        ]
      ]
    }
  }

  package init?(_ json: JSON) {
    if let progress = json["progress"], let done = progress["done"]?.integerValue {
      self = .progress(done: max(0, done), total: progress["total"]?.integerValue)
    } else if let file = json["received"], let bytes = file["bytes"]?.integerValue,
      let url = file["url"]?.stringValue
    {
      var received = Received(
        bytes: bytes, url: url, isPDF: file["isPDF"]?.boolValue ?? false)
      received.name = file["name"]?.stringValue
      received.type = file["type"]?.stringValue
      received.etag = file["etag"]?.stringValue
      received.modified = file["modified"]?.stringValue
      received.modifiedSeconds = file["modifiedSeconds"]?.integerValue
      self = .received(received)
    } else if let files = json["listed"]?.arrayValue {
      self = .listed(
        files.compactMap { file in
          guard let path = file["path"]?.stringValue else { return nil }
          return Listed(
            path: path, name: file["name"]?.stringValue ?? path, mark: file["mark"]?.stringValue)
        })
    } else if json["unchanged"] != nil {
      self = .unchanged
    } else if json["accepted"] != nil {
      self = .accepted
    } else if let failed = json["failed"], let code = failed["code"]?.stringValue,
      let message = failed["message"]?.stringValue
    {
      self = .failed(
        Failure(
          code, message, isPassing: failed["isPassing"]?.boolValue ?? false,
          retryAfter: failed["retryAfter"]?.integerValue))
    } else {
      return nil
    }
  }
}
