import Foundation
import SystemPackage
import TestSupport
import Testing

/// `procd fleet run-broker` with the nats-server that is installed, whose version is the system's.
@Suite(.enabled(if: Programs.find("nats-server") != nil, "SKIPPED: nats-server is not installed"))
struct RunBrokerTests {
  @Test func `sync is given to a server that knows it, and refused for an older one`() throws {
    let place = TemporaryFolder()
    let told = try Programs.run(try #require(Programs.find("nats-server")), ["--version"])
    let numbers = told.output.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
    let port = try #require(Programs.freePort())
    let words = [
      "fleet", "run-broker", "--store", place("store").string, "--listen", "127.0.0.1:\(port)",
      "--sync",
    ]
    guard numbers.lexicographicallyPrecedes([2, 10]) else {
      let broker = try Programs.start("procd", words, in: place.path)
      #expect(Programs.wait { FileServer.answers(port) }, "it starts")
      broker.signal(SIGTERM)
      _ = broker.wait()
      let written = String(
        decoding: try #require(place.read("store/broker.conf")), as: UTF8.self)
      #expect(written.contains("sync_interval: always"))
      return
    }
    let refused = try Programs.run("procd", words, in: place.path)
    #expect(refused.status == 69 && refused.errors.contains("nats-server 2.10"), "\(refused)")
    #expect(!place.exists("store"))
  }
}
