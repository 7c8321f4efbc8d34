internal import PDFSyntax

extension PageContent {
  /// Where one content stream shows text.
  struct StreamNotes {
    /// An operator that shows text with its operands, by its place in the decoded stream.
    struct Show {
      var range: Range<Int>
      /// The operators that do the same but for the text.
      var rest: String
      /// The number among all of the page.
      var number: Int
      var isUnseen: Bool
    }

    /// A text object from `BT` to `ET`.
    struct TextObject {
      var range: Range<Int>
      /// Whether it has no operators but those for text.
      var isPlain: Bool
    }

    /// A form that is drawn, and the place of its notes in ``PageContent/streams``.
    struct Form {
      var name: PDFName
      var stream: PDFStream
      var notes: Int
    }

    var shows: [Show] = []
    var textObjects: [TextObject] = []
    var forms: [Form] = []
  }

  /// Operators that show text, numbered in their order, forms included.
  struct ShownText {
    /// All of them.
    var count = 0
    /// Those that are not seen because of their mode or font.
    var unseen = 0
    /// The last that is seen, or nil.
    var lastSeen: Int?
    /// Those before this one lie under a picture that fills the page.
    var coveredBefore = 0

    /// Whether any text is seen.
    var isSeen: Bool { lastSeen.map { $0 >= coveredBefore } ?? false }
    /// Whether there is text that is not seen, as programs for text recognition make it.
    var isHidden: Bool { unseen > 0 || (coveredBefore > 0 && count > 0) }
  }
}
