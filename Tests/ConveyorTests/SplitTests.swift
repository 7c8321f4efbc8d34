import Testing

@testable import Conveyor

struct SplitTests {
  @Test func `short documents are read page by page, long ones by several`() {
    #expect(FileProcessor.pagesTogether(of: 2) == 1)
    #expect(FileProcessor.pagesTogether(of: 31) == 1)
    #expect(FileProcessor.pagesTogether(of: 64) == 4)
    #expect(FileProcessor.pagesTogether(of: 1_000_000) == 16)
  }
}
