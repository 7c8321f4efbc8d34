import PluginKit
import Synchronization
import Testing
import Workers

@testable import Fleet

/// What becomes of orders that are out; times in milliseconds, a helper may be silent for 1000.
struct OrderBookTests {
  /// The verdicts that came, by order.
  private final class Ends: Sendable {
    let verdicts = Mutex<[String: String]>([:])
    func end(_ order: String) -> @Sendable (OrderBook.Verdict) -> Void {
      { [self] verdict in
        let text =
          switch verdict {
          case .answered(let answer): "answered by \(answer.helper)"
          case .home(let why): "home: \(why)"
          case .suspect: "suspect"
          }
        verdicts.withLock { $0[order] = text }
      }
    }
    subscript(_ order: String) -> String? { verdicts.withLock { $0[order] } }
  }

  private let ends = Ends()

  private func book(_ orders: String..., at now: Int = 0) -> OrderBook {
    var book = OrderBook(patience: 1000)
    for order in orders {
      book.add(order, build: "b", timeout: 60_000, at: now, end: ends.end(order))
    }
    return book
  }

  @Test func `what a broker that begins anew has lost comes home at once`() {
    var book = book("waiting", "taken")
    book.heard(Sign(order: "taken", helper: "one", life: "l"), at: 10)?()
    for end in book.lost() { end() }
    #expect(ends["waiting"] == "home: the broker was started anew" && ends["taken"] == nil)
    book.heard(answer("taken"), at: 20)?()
    #expect(ends["taken"] == "answered by one" && book.count == 0)
  }

  private func answer(_ order: String, _ helper: String = "one") -> TravelingAnswer {
    TravelingAnswer(
      order: order, helper: helper, life: helper,
      outcome: RunOutcome(ending: .answered, result: .success(StepOutput())))
  }

  private func turn(_ book: inout OrderBook, at now: Int, canDo: Bool = true) {
    for end in book.turn(at: now, canDo: { _ in canDo }) { end() }
  }

  @Test func `the first answer counts, later ones are dropped and counted`() {
    var book = book("a")
    book.heard(answer("a"), at: 10)?()
    book.heard(answer("a", "two"), at: 20)?()
    #expect(ends["a"] == "answered by one")
    #expect(book.dropped == 1 && book.count == 0)
  }

  @Test func `an answer to what nobody asked is dropped`() {
    var book = book("a")
    #expect(book.heard(answer("b"), at: 10) == nil)
    #expect(book.dropped == 1 && book.count == 1)
  }

  @Test func `an order that no helper can do comes home`() {
    var book = book("a")
    turn(&book, at: 400, canDo: false)
    #expect(ends["a"] == nil)
    turn(&book, at: 600, canDo: false)
    #expect(ends["a"] == "home: no helper is there")
  }

  @Test func `an order that nobody takes comes home in the end`() {
    var book = book("a")
    turn(&book, at: 3900)
    #expect(ends["a"] == nil)
    turn(&book, at: 4100)
    #expect(ends["a"] == "home: no helper took it")
  }

  @Test func `signs keep an order out`() {
    var book = book("a")
    for now in stride(from: 0, through: 50_000, by: 900) {
      book.heard(Sign(order: "a", helper: "one", life: "1"), at: now)?()
      turn(&book, at: now + 800, canDo: false)
    }
    #expect(ends["a"] == nil)
  }

  @Test func `a helper that falls silent leaves the order to the next, then it comes home`() {
    var book = book("a")
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 0)?()
    turn(&book, at: 1900)
    #expect(ends["a"] == nil)
    turn(&book, at: 2100)
    #expect(ends["a"] == "home: its helper fell silent")
  }

  @Test func `without a broker an order comes home as soon as its helper may be silent`() {
    var book = book("a")
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 0)?()
    for end in book.turn(at: 900, isConnected: false, canDo: { _ in true }) { end() }
    #expect(ends["a"] == nil)
    for end in book.turn(at: 1100, isConnected: false, canDo: { _ in true }) { end() }
    #expect(ends["a"] == "home: the broker is away")
  }

  @Test func `what two helpers were lost with is a suspect`() {
    var book = book("a")
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 0)?()
    book.heard(Sign(order: "a", helper: "two", life: "2"), at: 1100)?()
    turn(&book, at: 2500)
    #expect(ends["a"] == nil)
    turn(&book, at: 2700)
    #expect(ends["a"] == "suspect")
  }

  @Test func `a helper that was started anew counts as another`() {
    var book = book("a")
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 0)?()
    book.heard(Sign(order: "a", helper: "one", life: "2"), at: 1100)?()
    turn(&book, at: 2700)
    #expect(ends["a"] == "suspect")
  }

  @Test func `after nonsense three times a helper gets nothing`() {
    var book = book("a", "b")
    for _ in 0..<2 { book.heardNonsense(of: "one") }
    #expect(!book.isShunned("one"))
    book.heardNonsense(of: "one")
    #expect(book.shunned == ["one"])
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 0)?()
    #expect(ends["a"] == "home: the helper one gets no more work")
    book.heard(answer("b"), at: 0)?()
    #expect(ends["b"] == nil && book.dropped == 1)
    book.heard(answer("b", "two"), at: 0)?()
    #expect(ends["b"] == "answered by two")
  }

  @Test func `a helper that gives signs or lives without end is left aside`() {
    var book = book("a", "b", "c", "d")
    for order in ["a", "b"] {
      for index in 0..<20_000 {
        book.heard(Sign(order: order, helper: "mad", life: "1"), at: index / 1000)?()
      }
      #expect(ends[order] == "home: what mad said of it makes no sense")
    }
    #expect(!book.isShunned("mad"))
    for index in 0..<20 {
      book.heard(Sign(order: "c", helper: "mad", life: "\(index)"), at: 10)?()
    }
    #expect(ends["c"] == "home: what mad said of it makes no sense" && book.isShunned("mad"))
    // Another one may give as many as a long step has.
    for index in 0..<20_000 {
      book.heard(Sign(order: "d", helper: "one", life: "1"), at: index * 500)?()
    }
    #expect(ends["d"] == nil)
    for index in 0..<5000 { book.heardNonsense(of: "\(index)") }
    book.shun("late")
    #expect(!book.isShunned("late") && book.isShunned("mad"))
  }

  @Test func `a machine has few lives, and a fleet has so many machines`() {
    var neighbors = Neighbors()
    func hear(_ name: String, _ life: Int, at now: Int) -> Bool {
      neighbors.heard(Presence(.helper, name: name, life: "\(name) \(life)"), at: now)
    }
    let lives = (0..<20_000).count { hear("mad", $0, at: 0) }
    #expect(lives == 8 && neighbors.helpers(at: 1).count == 8)
    let names = (0..<20_000).count { hear("\($0)", 1, at: 1) }
    #expect(names == 20_000 && neighbors.helpers(at: 1).count == 500)
    // Known ones are heard, new ones when others have gone.
    let isKnown = hear("mad", 0, at: 9000), isNew = hear("new", 0, at: 12_000)
    #expect(isKnown && isNew && neighbors.helpers(at: 12_000).map(\.name) == ["mad", "new"])
  }

  @Test func `what a machine says of itself has its length`() throws {
    var told = Presence(.helper, name: "one", life: "1")
    told.version = String(repeating: "x", count: 100_000)
    told.notes = Array(repeating: told.version, count: 30)
    let heard = try #require(Presence(told.json.line))
    #expect(heard.version.count == 200 && heard.notes.count == 20 && heard.notes[0].count == 1000)
    let long = String(repeating: "x", count: 201)
    #expect(Presence(Presence(.helper, name: "one", life: long).json.line) == nil)
    #expect(Sign(Sign(order: "a", helper: "one", life: long).json.line) == nil)
  }

  @Test func `a step that signs for ever does not stay out for ever`() {
    var book = OrderBook(patience: 1000)
    book.add("a", build: "b", timeout: 5000, at: 0, end: ends.end("a"))
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 14_500)?()
    turn(&book, at: 14_600)
    #expect(ends["a"] == "home: it took longer than it may")
  }

  @Test func `where and how far a step is, is told`() {
    let told = Mutex<[String]>([])
    var book = OrderBook(patience: 1000)
    book.add(
      "a", build: "b", timeout: 5000, at: 0,
      progress: { done, total, unit in told.withLock { $0.append("\(done)/\(total) \(unit)") } },
      placed: { machine in told.withLock { $0.append(machine) } }, end: ends.end("a"))
    book.heard(Sign(order: "a", helper: "one", life: "1"), at: 1)?()
    book.heard(
      Sign(order: "a", helper: "one", life: "1", progress: (2, 5, "pages")), at: 2)?()
    #expect(told.withLock { $0 } == ["one", "2/5 pages"])
  }
}
