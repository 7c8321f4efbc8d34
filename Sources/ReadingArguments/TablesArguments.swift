package import ArgumentParser
internal import PluginKit

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
      valueName: "x0,y0,x1,y1"), transform: AreaArgument.init)
  package var area: AreaArgument?

  @Option(
    help: ArgumentHelp(
      "Split the columns at these positions, in points from the left; the whole page (or --area) is one table.",
      valueName: "x1,x2,…"), transform: PlacesArgument.init)
  package var columnsAt: PlacesArgument?

  @Flag(help: "Repeat the text of a merged cell in each row that it belongs to.")
  package var fillDown = false

  @OptionGroup package var reading: ReadingOptions

  package init() {}

  package mutating func validate() throws { try sheets.check(reading) }
}

/// Places along a page in points, such as `72,180.5`.
package struct PlacesArgument: Sendable, Equatable {
  package var places: [Double]

  package init(_ typed: String) throws {
    places = try typed.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let place = Double(part), place.isFinite, place.magnitude < 1e6 else {
        throw ValidationError("\(part) is no number of points; several are separated by commas")
      }
      return place
    }
    guard places.count <= 200 else { throw ValidationError("200 places are the most") }
  }
}

/// A box on a page in points, such as `36,120,560,700`.
package struct AreaArgument: Sendable, Equatable {
  package var box: (x0: Double, y0: Double, x1: Double, y1: Double)

  package init(_ typed: String) throws {
    let places = try PlacesArgument(typed).places
    guard ValueRule.box.holds(for: .array(places.map { .number($0) })) else {
      throw ValidationError("a box needs \(ValueRule.box.expectation) separated by commas")
    }
    box = (places[0], places[1], places[2], places[3])
  }

  package static func == (one: AreaArgument, other: AreaArgument) -> Bool { one.box == other.box }
}
