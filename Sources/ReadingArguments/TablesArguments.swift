package import ArgumentParser

/// The arguments of `procd tables`.
package struct TablesArguments: ParsableArguments, Sendable {
  /// The sentence that help shows about the command.
  package static let abstract = "Print the tables of PDF files as CSV."

  @OptionGroup package var sheets: SheetOptions

  /// Whether a workbook is written.
  package var isWorkbook: Bool { sheets.isWorkbook(reading) }

  /// Whether a copy of the PDF with files attached is written.
  package var isCopy: Bool { sheets.isCopy(reading) }

  @Flag(
    help: ArgumentHelp(
      "With -o: all tables of a PDF in one file, separated by empty lines, instead of NAME-t1.csv, NAME-t2.csv …"
    ))
  package var one = false

  @Option(
    help: ArgumentHelp(
      "Look only inside this box: its corners, in points from the top left of the page as shown.",
      valueName: "x0,y0,x1,y1"))
  package var area: AreaArgument?

  @Option(
    help: ArgumentHelp(
      "Split the columns at these positions, in points from the left; the whole page (or --area) is one table.",
      valueName: "x1,x2,…"))
  package var columnsAt: PlacesArgument?

  @OptionGroup package var reading: ReadingOptions

  package init() {}

  package mutating func validate() throws { try sheets.check(reading) }
}

/// Places along a page in points, such as `72,180.5`.
package struct PlacesArgument: ExpressibleByArgument, Sendable, Equatable {
  package var places: [Double]

  package init?(argument: String) {
    var places: [Double] = []
    for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
      guard let place = Double(part), place.isFinite, place.magnitude < 1e6 else { return nil }
      places.append(place)
    }
    guard !places.isEmpty, places.count <= 200 else { return nil }
    self.places = places
  }
}

/// A box on a page in points, such as `36,120,560,700`.
package struct AreaArgument: ExpressibleByArgument, Sendable, Equatable {
  package var box: (x0: Double, y0: Double, x1: Double, y1: Double)

  package init?(argument: String) {
    guard let places = PlacesArgument(argument: argument)?.places, places.count == 4,
      places[0] < places[2], places[1] < places[3]
    else { return nil }
    box = (places[0], places[1], places[2], places[3])
  }

  package static func == (one: AreaArgument, other: AreaArgument) -> Bool { one.box == other.box }
}
