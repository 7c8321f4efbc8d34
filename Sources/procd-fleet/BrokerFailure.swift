import CNats

/// Why the broker did not do what it was asked for, in the words of people.
struct BrokerFailure: Error {
  var code: String
  var message: String

  init(code: String, message: String) { (self.code, self.message) = (code, message) }

  init(_ status: natsStatus, _ error: jsErrCode = jsErrCode(0)) {
    let known = Self.ofJetStream[Int(error.rawValue)] ?? Self.ofConnection[status.rawValue]
    (code, message) =
      known ?? ("fleet.broker", unsafe "the broker: \(String(cString: natsStatus_GetText(status)))")
    if error.rawValue != 0, known == nil { message += " (\(error.rawValue))" }
  }

  private static let noJetStream = (
    "fleet.jetstream",
    "the server has no JetStream: start it with `-js`, or with `procd fleet run-broker`"
  )
  private static let full = (
    "fleet.full", "the broker is full: its streams hold all that they may"
  )
  private static let tooSmall = (
    "fleet.limits",
    "the broker does not give the space that \"fleet\" asks for: raise its JetStream limits, or lower"
      + " \"bytes\""
  )

  private static let ofConnection: [natsStatus.RawValue: (String, String)] = [
    NATS_NO_SERVER.rawValue: ("fleet.unreachable", "no broker answers there"),
    NATS_IO_ERROR.rawValue: ("fleet.unreachable", "the broker went away"),
    NATS_STALE_CONNECTION.rawValue: ("fleet.unreachable", "the broker fell silent"),
    NATS_CONNECTION_CLOSED.rawValue: ("fleet.unreachable", "there is no broker now"),
    NATS_CONNECTION_DISCONNECTED.rawValue: ("fleet.unreachable", "there is no broker now"),
    NATS_TIMEOUT.rawValue: ("fleet.timeout", "the broker did not answer in time"),
    NATS_CONNECTION_AUTH_FAILED.rawValue: (
      "fleet.login",
      "the broker refuses the login: name its file in \"credentials\", or copy broker.login again"
    ),
    NATS_NOT_PERMITTED.rawValue: (
      "fleet.login", "the broker does not allow this user what a fleet needs"
    ),
    NATS_SECURE_CONNECTION_REQUIRED.rawValue: (
      "fleet.tls", "the broker asks for TLS: write tls:// in \"servers\""
    ),
    NATS_SECURE_CONNECTION_WANTED.rawValue: (
      "fleet.tls", "the broker has no TLS: give it a certificate, or write nats:// in \"servers\""
    ),
    NATS_SSL_ERROR.rawValue: (
      "fleet.tls", "the broker's certificate is not trusted: name its authority in \"authority\""
    ),
    NATS_PROTOCOL_ERROR.rawValue: ("fleet.nonsense", "what answers there is no NATS server"),
    NATS_MAX_PAYLOAD.rawValue: (
      "fleet.payload", "the broker takes no messages of 768 KiB: set its max_payload to 1MB"
    ),
    NATS_NO_RESPONDERS.rawValue: noJetStream,
    NATS_NOT_FOUND.rawValue: ("fleet.missing", "the broker does not have it"),
  ]

  private static let ofJetStream: [Int: (String, String)] = [
    10002: tooSmall, 10023: tooSmall, 10027: tooSmall, 10028: tooSmall, 10047: tooSmall,
    10039: noJetStream, 10076: noJetStream, 10035: noJetStream,
    10077: full,
    10037: ("fleet.missing", "the broker does not have it"),
    10059: ("fleet.store", "the broker has lost the streams of the fleet; they are made anew"),
    10014: ("fleet.store", "the broker has lost a consumer of the fleet; it is made anew"),
    10005: (
      "fleet.replicas", "there are not as many brokers as \"replicas\" asks for"
    ),
    10074: (
      "fleet.replicas", "\"replicas\" above 1 needs a cluster of brokers"
    ),
  ]
}
