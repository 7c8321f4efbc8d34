import PageAPI
import PluginKit
import Testing

/// Who gets a connection, whose password is checked, and which session is over.
@Suite struct StrangerTests {
  @Test func `a crowd of connections makes room for itself only`() {
    var shares = ConnectionShares(most: 4)
    #expect(shares.open(1, from: "owner") == nil)
    for id in 2...4 { #expect(shares.open(id, from: "crowd") == nil) }
    shares.change(2, to: .asking)
    // A silent one before one that asks, the oldest first, and never that of another address.
    #expect(shares.open(5, from: "crowd") == 3)
    #expect(shares.open(6, from: "other") == 4)
    #expect(shares.open(7, from: "crowd") == 5)
    for id in [2, 7] { shares.change(id, to: .known) }
    #expect(shares.open(8, from: "other") == 6)
    for id in [1, 8] { shares.change(id, to: .known) }
    #expect(shares.open(9, from: "other") == 9)
    shares.close(8)
    #expect(shares.open(10, from: "other") == nil)
  }

  @Test func `passwords are checked in turn, so many of one visitor keep out no other`() {
    var order = LoginOrder(most: 5)
    for id in 1...4 { #expect(order.add(id, of: .address("crowd")) == nil) }
    #expect(order.next() == 1)
    #expect(order.add(5, of: .address("owner")) == nil && order.next() == 5)
    #expect(order.add(6, of: .address("owner")) == nil && order.next() == 2)
    for id in 7...9 { #expect(order.add(id, of: .address("crowd")) == (id == 9 ? 9 : nil)) }
    #expect(order.add(10, of: .address("other")) == 8 && order.next() == 10)
    #expect(order.next() == 6)
  }

  @Test func `a browser that was logged in before goes before a crowd of addresses`() {
    var order = LoginOrder(most: 42)
    for id in 1...40 { #expect(order.add(id, of: .address("\(id)")) == nil) }
    #expect(order.add(41, of: .browser("mine")) == nil && order.next() == 41)
    #expect(order.add(42, of: .browser("mine")) == nil)
    #expect(order.add(43, of: .browser("other")) == nil && order.add(44, of: .browser("new")) == 40)
    #expect(order.next() == 43 && order.next() == 44 && order.next() == 42 && order.next() == 1)
  }

  @Test func `ended sessions are remembered, and beyond a thousand the older ones are over`() {
    var ended = EndedSessions()
    let one = EndedSessions.Session(end: 5000, id: "a")
    ended.add(one, now: 0)
    #expect(ended.contains(one) && !ended.contains(.init(end: 5000, id: "b")))
    #expect(EndedSessions(ended.json) == ended && EndedSessions([:]) == nil)
    for index in 0..<1000 { ended.add(.init(end: 6000 + index, id: "x"), now: 0) }
    #expect(ended.contains(one) && ended.contains(.init(end: 4000, id: "other")))
    #expect(!ended.contains(.init(end: 5001, id: "other")))
    #expect(EndedSessions(ended.json) == ended)
  }
}
