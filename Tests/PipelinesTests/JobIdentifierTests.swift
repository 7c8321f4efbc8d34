import Testing

@testable import Pipelines

struct JobIdentifierTests {
  @Test func `identifiers of one millisecond sort in the order in which they were made`() {
    let now: Int64 = 1_795_727_019_718
    let identifiers = (0..<5000).map { _ in JobIdentifiers.make(at: now) }
    #expect(identifiers == identifiers.sorted() && Set(identifiers).count == identifiers.count)
    #expect(
      identifiers.allSatisfy { $0.count == 26 && $0.hasPrefix(JobIdentifiers.prefix(at: now)) })
    #expect(JobIdentifiers.make(at: now + 1) > identifiers[4999])
    #expect(JobIdentifiers.make(at: now - 1) < identifiers[0])
    #expect(Set((0..<1000).map { _ in JobIdentifiers.random(10) }).count == 1000)
  }
}
