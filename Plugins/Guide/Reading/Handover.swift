internal import Glibc
internal import PluginKit
internal import Synchronization

/// Reads a file on a thread of its own and hands what it finds to the thread that keeps it, some hundred
/// programmes at a time: reading and keeping take about as long as each other.
final class Handover: Sendable {
  enum Item: Sendable {
    case channel(ChannelEntry)
    case programme(Programme)
  }

  struct Programme: Sendable {
    var channel: [UInt8]
    var start: Int64
    var stop: Int64?
    var marks: ShowingMarks
    /// The number that its work goes by, and the work itself where nobody has it yet.
    var key: UInt64
    var work: PackedWork?
  }

  /// What is known when the file was read to its end.
  struct Counts: Sendable {
    var programmes = 0, channels = 0, leftOut = 0, withoutTime = 0, mended = 0
    var isCut = false
  }

  private struct State {
    var batches: [[Item]] = []
    var counts: Counts?
    var failure: PluginFailure?
    var isGivenUp = false
  }

  private let path: String
  private let zone: LocalZone
  private let filter: ChannelFilter
  /// The names of channels that are known already, by identifier.
  private let known: [[UInt8]: Bool]
  private let key: WorkKey
  /// The works that are kept already, by their numbers.
  private let works: Set<UInt64>
  private let state = Mutex(State())
  /// A byte for each batch that waits, and one for each that may still be put there.
  private let waiting: BytePipe
  private let free: BytePipe

  /// Batches that may wait: enough that neither thread waits for a short pause of the other.
  private static let mostWaiting = 4
  private static let batchSize = 256

  init(
    path: String, zone: LocalZone, filter: ChannelFilter, known: [[UInt8]: Bool], key: WorkKey,
    works: Set<UInt64>
  ) throws(PluginFailure) {
    (self.path, self.zone, self.filter, self.known) = (path, zone, filter, known)
    (self.key, self.works) = (key, works)
    waiting = try BytePipe()
    free = try BytePipe()
    for _ in 0..<Self.mostWaiting { free.put() }
  }

  /// Has the file read.
  ///
  /// - Parameter take: gets each channel and programme in the order of the file.
  func run(_ take: (Item) throws(PluginFailure) -> Void) throws(PluginFailure) -> Counts {
    let thread = try start()
    defer {
      state.withLock { $0.isGivenUp = true }
      // Whoever waits for a place goes on, sees that, and ends.
      free.put()
      pthread_join(thread, nil)
    }
    while true {
      waiting.take()
      let (batch, counts, failure) = state.withLock { state in
        let batch = state.batches.isEmpty ? nil : state.batches.removeFirst()
        return (batch, state.counts, state.failure)
      }
      guard let batch else {
        if let failure { throw failure }
        return counts ?? Counts()
      }
      for item in batch { try take(item) }
      free.put()
    }
  }

  private func start() throws(PluginFailure) -> pthread_t {
    var thread = pthread_t()
    let held = unsafe Unmanaged.passRetained(self)
    let code = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        unsafe Unmanaged<Handover>.fromOpaque(pointer).takeRetainedValue().read()
        return nil
      }, held.toOpaque())
    guard code == 0 else {
      unsafe held.release()
      throw PluginFailure(.transient, "worker.start", "no thread could be started (errno \(code))")
    }
    return thread
  }

  // MARK: - The reading thread

  private func read() {
    do throws(PluginFailure) {
      var reader = GuideReader(try DocumentBytes(path: path), zone: zone)
      var sink = Sink(handover: self, wanted: known)
      try reader.read(into: &sink)
      try sink.flush()
      let counts = Counts(
        programmes: reader.programmes, channels: reader.channels, leftOut: reader.leftOut,
        withoutTime: reader.withoutTime, mended: reader.mended, isCut: reader.isCut)
      state.withLock { $0.counts = counts }
    } catch {
      state.withLock { $0.failure = error }
    }
    waiting.put()
  }

  private struct Sink: GuideSink {
    let handover: Handover
    var wanted: [[UInt8]: Bool]
    /// Works that the other thread has or gets: of half of all programmes the number is enough.
    private var given: Set<UInt64>
    private var items: [Item] = []
    private var last: (channel: [UInt8], wanted: Bool) = ([], false)

    init(handover: Handover, wanted: [[UInt8]: Bool]) {
      (self.handover, self.wanted, given) = (handover, wanted, handover.works)
    }

    mutating func wants(channel: [UInt8]) -> Bool {
      if channel == last.channel { return last.wanted }
      let answer =
        wanted[channel] ?? handover.filter.wants([String(decoding: channel, as: UTF8.self)])
      // A copy, which the programmes of this channel share.
      last = (unsafe channel.withUnsafeBufferPointer { unsafe Array($0) }, answer)
      return answer
    }

    mutating func add(_ channel: ChannelEntry) throws(PluginFailure) {
      let names = [channel.identifier] + channel.names
      // One that is not described in a later file is still the one it was.
      let answer = handover.filter.wants(names.map { String(decoding: $0, as: UTF8.self) })
      if wanted.count < Limits.channels { wanted[channel.identifier] = answer }
      last = ([], false)
      if answer { try put(.channel(channel)) }
    }

    mutating func add(_ programme: borrowing ProgrammeEntry) throws(PluginFailure) {
      guard let start = programme.start else { return }
      let key = handover.key.of(programme.work)
      // Copies: whoever read it goes on with the memory that it has.
      try put(
        .programme(
          Programme(
            channel: last.channel, start: start, stop: programme.stop, marks: programme.marks,
            key: key,
            work: given.insert(key).inserted ? PackedWork(programme.work) : nil)))
    }

    private mutating func put(_ item: Item) throws(PluginFailure) {
      items.append(item)
      if items.count >= Handover.batchSize { try flush() }
    }

    mutating func flush() throws(PluginFailure) {
      guard !items.isEmpty else { return }
      handover.free.take()
      let batch = items
      items.removeAll(keepingCapacity: false)
      let isGivenUp = handover.state.withLock { state in
        state.batches.append(batch)
        return state.isGivenUp
      }
      if isGivenUp { throw PluginFailure(.cancelled, "host.stopping", "the guide is not kept") }
      handover.waiting.put()
    }
  }
}

/// Counts over threads: `take` waits until something was put.
private final class BytePipe: Sendable {
  private let reading: Int32
  private let writing: Int32

  init() throws(PluginFailure) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe(&ends) == 0 else {
      throw PluginFailure(.transient, "worker.start", "no pipe could be made (errno \(errno))")
    }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func put() {
    var byte: UInt8 = 0
    while unsafe write(writing, &byte, 1) < 0, errno == EINTR {}
  }

  func take() {
    var byte: UInt8 = 0
    while unsafe read(reading, &byte, 1) < 0, errno == EINTR {}
  }
}
