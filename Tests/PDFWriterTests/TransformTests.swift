import PDFSyntax
import PDFWriter
import Testing

@Suite struct TransformTests {
  @Test func `what a transform does its inverse undoes`() throws {
    let transform = Matrix(2, 1, -1, 3, 5, 7)
    let there = transform.apply(4, -2)
    let back = try #require(transform.inverse).apply(there.x, there.y)
    #expect(abs(back.x - 4) < 1e-9 && abs(back.y + 2) < 1e-9)
  }

  @Test func `transforms run in the order they are written`() {
    let moved = Matrix.translation(1, 0).then(.scale(10, 10)).apply(0, 0)
    #expect(moved.x == 10)
  }

  @Test func `a transform that flattens has no inverse`() {
    #expect(Matrix(1, 2, 2, 4, 0, 0).inverse == nil)
  }
}
