package import ArgumentParser

/// The arguments of `procd rows`.
package struct RowsArguments: ParsableArguments, Sendable {
  /// The sentence that help shows about the command.
  package static let abstract =
    "Print the rows of status lists as CSV: number, status, date, page, dateISO, doubtful; of several files with the file first."

  /// How dates of digits are meant.
  package enum Order: String, ExpressibleByArgument, CaseIterable, Sendable {
    case dmy, mdy, ymd
  }

  @Option(
    help: ArgumentHelp(
      "What a number looks like; eleven digits from 20000000000 to 28999999999 when left out.",
      valueName: "regex"))
  package var pattern: PatternArgument?

  @Option(
    // A value may begin with a dash.
    parsing: .unconditional,
    help: ArgumentHelp(
      "What the columns contain from left to right: number, status, date, or - for one to ignore; detected when left out.",
      valueName: "number,status,date"))
  package var columns: ColumnsArgument?

  @Option(
    help: ArgumentHelp(
      "The order of day, month and year in numeric dates: dmy, mdy or ymd; worked out from the whole column if left out.",
      valueName: "order"))
  package var dateOrder: Order?

  @OptionGroup package var sheets: SheetOptions

  /// Whether a workbook is written.
  package var isWorkbook: Bool { sheets.isWorkbook(reading) }

  /// Whether a copy of the PDF with files attached is written.
  package var isCopy: Bool { sheets.isCopy(reading) }

  @OptionGroup package var reading: ReadingOptions

  package init() {}

  package mutating func validate() throws { try sheets.check(reading) }
}

/// A regular expression in Swift's dialect.
package struct PatternArgument: ExpressibleByArgument, Sendable, Equatable {
  package var expression: String

  package init?(argument: String) {
    guard (try? Regex(argument)) != nil else { return nil }
    expression = argument
  }
}

/// The columns of a status list by name, the number among them.
package struct ColumnsArgument: ExpressibleByArgument, Sendable, Equatable {
  package var names: [String]

  package init?(argument: String) {
    names = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      $0 == "other" ? "-" : String($0)
    }
    let known = ["number", "status", "date"]
    let wanted = names.filter { $0 != "-" }
    guard names.count <= 40, wanted.allSatisfy({ known.contains($0) }),
      Set(wanted).count == wanted.count, wanted.contains("number")
    else { return nil }
  }
}
