import Testing

@testable import ImageOCR

/// Figures that two models read.
@Suite struct FigureTests {
  private func checked(
    _ text: String, _ confidence: Double, against other: String, _ otherConfidence: Double
  ) -> (text: String, confidence: Double) {
    let box = PixelBox(left: 0, top: 0, right: 100, bottom: 20)
    var word = RecognizedPage.Word(text: text, box: box, confidence: confidence)
    word.check(
      against: RecognizedPage.Line(
        words: other.split(separator: " ").map {
          .init(text: String($0), box: box, confidence: otherConfidence)
        }, box: box, baseline: box.foot, rowHeight: 20, startsParagraph: false))
    return (word.text, word.confidence)
  }

  @Test func `the surer of two readings is taken`() {
    #expect(checked("718,89", 80, against: "778,89", 96) == ("778,89", 96))
    #expect(checked("177,89", 86, against: "77,89", 96) == ("77,89", 96))
    #expect(checked("778,89", 96, against: "778,89", 60) == ("778,89", 96))
    // A sign that is none of figures shows which one went wrong.
    #expect(checked("245.616,3®", 80, against: "245.616,30", 78) == ("245.616,30", 78))
  }

  @Test func `two figures of which none is surer are doubtful`() {
    #expect(checked("4.161,57", 95, against: "4.761,57", 91) == ("4.161,57", 49))
    // What was hardly read is no reason for doubt.
    #expect(checked("4.161,57", 95, against: "4.761,57", 30) == ("4.161,57", 95))
  }

  @Test func `what is cut off or no figure changes nothing`() {
    #expect(checked("219.368,00", 65, against: "219.368", 87) == ("219.368,00", 65))
    #expect(checked("219.368,00", 65, against: "", 0) == ("219.368,00", 65))
    #expect(checked("219.368,00", 65, against: "Z19.3GB,00", 90) == ("219.368,00", 65))
  }

  @Test(arguments: [
    ("1.289,47", true), ("07.08.1979", true), ("12:30", true), ("3®0,1", true), ("12", false),
    ("Haus12", false), ("€", false),
  ]) func `figures are told from words`(text: String, isFigure: Bool) {
    let box = PixelBox(left: 0, top: 0, right: 1, bottom: 1)
    #expect(RecognizedPage.Word(text: text, box: box, confidence: 90).isFigure == isFigure)
  }
}
