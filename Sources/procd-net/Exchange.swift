import CCurl
import Glibc
import Pipelines

/// One request to one server, by libcurl: finds its addresses, leaves out those that are not allowed,
/// connects to one of the rest, and to no other.
@safe final class Exchange {
  let address: Address
  private let bounds: NetRequest.Bounds
  /// Who is given the body; nil where it is nobody's business.
  private let reception: (any BodyReceiver)?
  let handle: UnsafeMutableRawPointer
  /// The judged addresses of the host.
  private var pins: UnsafeMutablePointer<curl_slist>?
  /// What a server of files is asked; nil for the web.
  private var question: FileQuestion?
  /// What libcurl tells besides results; not for people.
  private let told = UnsafeMutablePointer<ccurl_told>.allocate(capacity: 1)

  /// 0 until the answer's head is there.
  private(set) var status = 0
  private var headBytes = 0
  private var sent = 0
  /// When a byte last went one way or the other.
  private var touched = ContinuousClock.now
  /// What was complained of while the answer came.
  private var failure: NetAnswer.Failure?
  private var isEnough = false
  private var isRefused = false

  /// More addresses of one host are not tried.
  private static let mostAddresses = 4
  private static let longestHead = 1 << 18
  /// Of the first request: where it leads on, all have the same time together.
  private static let start = ContinuousClock.now

  init(
    _ address: Address, _ bounds: NetRequest.Bounds, for reception: (any BodyReceiver)?
  ) throws(NetAnswer.Failure) {
    guard let handle = unsafe curl_easy_init() else {
      throw NetAnswer.Failure("net.connect", "there is no memory", isPassing: true)
    }
    (self.address, self.bounds, self.reception) = (address, bounds, reception)
    unsafe self.handle = unsafe handle
    unsafe told.initialize(to: ccurl_told())
  }

  deinit {
    unsafe curl_easy_cleanup(handle)
    unsafe curl_slist_free_all(pins)
    unsafe told.deallocate()
  }

  /// A field of the answer's head; where it comes twice, the first.
  subscript(_ name: String) -> String? {
    if let question { return head(question)[name] }
    var field: UnsafeMutablePointer<curl_header>?
    guard unsafe curl_easy_header(handle, name, 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK
    else { return nil }
    return unsafe field.map { unsafe String(cString: $0.pointee.value) }
  }

  /// Sends the request, and gives what answers it to the reception.
  ///
  /// - Parameter message: what is posted; nil where something is asked for.
  func run(_ fields: [(String, String)], message: String? = nil) throws(NetAnswer.Failure) {
    try prepare()
    var lines: UnsafeMutablePointer<curl_slist>?
    defer { unsafe curl_slist_free_all(lines) }
    // `Expect` would have a long message wait for leave.
    for (name, value) in fields + [("Expect", "")] {
      guard !value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) else {
        throw NetAnswer.Failure("net.request", "\(name) has more than one line")
      }
      unsafe lines = unsafe curl_slist_append(lines, "\(name): \(value)")
    }
    unsafe ccurl_set_pointer(handle, CURLOPT_HTTPHEADER, lines)
    if let message {
      set(CURLOPT_POSTFIELDSIZE, message.utf8.count)
      set(CURLOPT_COPYPOSTFIELDS, message)
    }
    try perform()
  }

  /// Asks a server of files. What it tells of a file is answered as the head of a web server would be, so
  /// that what has not changed is not sent, and what broke off goes on.
  func run(_ question: FileQuestion) throws(NetAnswer.Failure) {
    self.question = question
    try prepare()
    try setOptions(question)
    try perform()
    // An empty file has no first piece.
    if status == 0 { _ = try begins(question) }
  }

  private func perform() throws(NetAnswer.Failure) {
    touched = .now
    try judge(unsafe curl_easy_perform(handle))
  }

  /// What the status says where it is no success.
  var failureOfStatus: NetAnswer.Failure {
    Failures.failure(
      forStatus: status, host: address.host,
      retryAfter: Failures.retryAfter(self["retry-after"], now: time(nil)))
  }

  // MARK: - The request

  private func prepare() throws(NetAnswer.Failure) {
    _ = Self.start
    var allowed = try Resolver.addresses(of: address.host)
    if !bounds.allowsPrivate { allowed = allowed.filter(\.isPublic) }
    guard !allowed.isEmpty else { throw Failures.refused(address.host) }
    setOptions()
    // Numbers of IPv6 are not looked up.
    guard !address.host.contains(":") else { return }
    // The name is not looked up a second time: the addresses that were judged are the ones. The plus
    // lets a name begin with a minus.
    let list = allowed.prefix(Self.mostAddresses).map(\.text).joined(separator: ",")
    unsafe pins = unsafe curl_slist_append(nil, "+\(address.host):\(address.port):\(list)")
    unsafe ccurl_set_pointer(handle, CURLOPT_RESOLVE, pins)
  }

  private func setOptions() {
    set(CURLOPT_URL, address.text)
    set(CURLOPT_PROTOCOLS_STR, address.isWeb ? "http,https" : "sftp,ftps,ftp,imaps")
    set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    // Redirects are new requests, whose addresses are judged anew.
    set(CURLOPT_FOLLOWLOCATION, 0)
    // What stands in the environment is not its user's word on where files come from.
    set(CURLOPT_PROXY, "")
    set(CURLOPT_NOPROXY, "*")
    set(CURLOPT_NOSIGNAL, 1)
    set(CURLOPT_CONNECTTIMEOUT_MS, bounds.connect)
    set(CURLOPT_BUFFERSIZE, 1 << 17)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_SSL_VERIFYPEER, 1)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    if let certificateFile {
      set(CURLOPT_CAINFO, certificateFile)
      set(CURLOPT_CAPATH, nil)
    }
    unsafe ccurl_set_told(handle, told)
    unsafe ccurl_set_callbacks(
      handle, { unsafe Exchange.own($0).openSocket($2) },
      { unsafe Exchange.own($3).takeLine(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
      { unsafe Exchange.own($3).takeBody(UnsafeRawBufferPointer(start: $0, count: $1 * $2)) },
      { context, _, _, _, sent in unsafe Exchange.own(context).goesOn(sent) ? 0 : 1 },
      unsafe Unmanaged.passUnretained(self).toOpaque())
  }

  func set(_ option: CURLoption, _ value: Int) {
    unsafe ccurl_set_number(handle, option, value)
  }

  func set(_ option: CURLoption, _ value: String?) {
    unsafe ccurl_set_text(handle, option, value)
  }

  /// - Throws: what is to be said of the request, unless it came to its end.
  private func judge(_ result: CURLcode) throws(NetAnswer.Failure) {
    if let failure { throw failure }
    if isEnough { return }
    // What ends where the connection does ends there only if the server says so.
    let isEndless = self["content-length"] == nil && self["transfer-encoding"] == nil
    let isCut = unsafe address.scheme == .https && isEndless && told.pointee.is_closed == 0
    if result == CURLE_OK, !isCut { return }
    if isRefused { throw Failures.refused(address.host) }
    if question?.rest != nil, FileQuestion.noRest.contains(result) {
      status = 416
      return
    }
    let failure = unsafe Failures.failure(
      result, unsafe String(cString: ccurl_text(told)), of: handle, address,
      hostKey: question?.login.hostKey)
    if status != 0, failure.code != "net.timeout", let reception { throw reception.broken }
    throw failure
  }

  // MARK: - What libcurl asks and tells

  private static func own(_ context: UnsafeMutableRawPointer!) -> Exchange {
    unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
  }

  /// Judges once more the very address that is connected to.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>!) -> curl_socket_t {
    let reached = unsafe NetworkAddress(ccurl_address(address))
    guard let reached, bounds.allowsPrivate || reached.isPublic else {
      isRefused = true
      return -1
    }
    return unsafe socket(
      address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
      address.pointee.protocol)
  }

  /// - Returns: how many bytes were taken; where they are fewer than there are, the connection ends.
  private func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
    touched = .now
    headBytes += line.count
    // An empty line ends a head. There may be some that only say that it will come, and lines after the
    // body.
    let isEnd = unsafe line.first == 0x0D || line.first == 0x0A
    let code = unsafe ccurl_number(handle, CURLINFO_RESPONSE_CODE)
    do throws(NetAnswer.Failure) {
      if question?.command != nil {
        // What a mailbox says of itself stands among the head, and comes before what is asked for.
        try reception?.take(unsafe [UInt8](line))
        return line.count
      }
      guard headBytes <= Self.longestHead else { throw Failures.noServer(address) }
      guard isEnd, address.isWeb, status == 0, code >= 200 else { return line.count }
      status = code
      if try reception?.begin(self) == true { return line.count }
      isEnough = true
    } catch { failure = error }
    return 0
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    touched = .now
    // Each line of the answer to a command was in the head already.
    if question?.command != nil { return bytes.count }
    do throws(NetAnswer.Failure) {
      if let question, status == 0, try !begins(question) {
        isEnough = true
        return 0
      }
      try reception?.take(unsafe [UInt8](bytes))
      return bytes.count
    } catch { failure = error }
    return 0
  }

  /// - Returns: whether the file is wanted.
  private func begins(_ question: FileQuestion) throws(NetAnswer.Failure) -> Bool {
    let head = head(question)
    if question.rest != nil, head["content-length"] == "0" {
      // All of it was there, but not that it was all.
      status = 416
      return false
    }
    let isKnown = question.etag != nil && head["etag"] == question.etag
    status = isKnown ? 304 : question.rest == nil ? 200 : 206
    return try reception?.begin(self) ?? true
  }

  private func goesOn(_ sent: Int) -> Bool {
    if sent != self.sent { (self.sent, touched) = (sent, .now) }
    if Self.start.duration(to: .now) > .milliseconds(bounds.total) {
      failure = NetAnswer.Failure(
        "net.timeout", "it took longer than \(bounds.total / 1000) s", isPassing: true)
    } else if touched.duration(to: .now) > .milliseconds(bounds.idle) {
      failure = Failures.silent(address.host)
    }
    return failure == nil
  }
}
