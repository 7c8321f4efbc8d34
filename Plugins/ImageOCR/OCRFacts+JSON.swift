internal import PluginKit

extension OCRFacts {
  /// The facts as the step gives them.
  var json: JSON {
    let read = read
    return [
      "pages": .integer(pages), "pagesRecognized": .integer(read.count),
      "words": .integer(read.reduce(0) { $0 + $1.words }),
      "confidence": confidence.map { Self.rounded($0, 10) },
      "dpi": read.first.map { .integer(Int($0.dpi.rounded())) },
      "dpiGuessed": .bool(read.first?.dpiIsGuessed ?? false),
      "language": language.map { .string($0) },
      "pagesTurned": .integer(read.count { $0.quarters != 0 }),
      "pagesLevelled": .integer(read.count { $0.angle != 0 }),
      "pagesCropped": .integer(read.count(where: \.isCropped)),
      "pagesBlank": .integer(blankPages.count), "pagesUnread": .integer(pages(with: "unread")),
      "pagesPartly": .integer(pages(with: "partly")),
      "pagesUnsure": .integer(pages(with: "unsure")), "pdfa": .bool(claimsArchive),
      "pdfaReason": whyNoArchive.map { .string($0) },
      "title": head?.title.map { .string($0) }, "documentDate": head?.date.map { .string($0) },
      "signed": isSigned ? true : nil, "perPage": .array(perPage.map(\.json)),
    ]
  }

  fileprivate static func rounded(_ value: Double, _ steps: Double) -> JSON {
    .number((value * steps).rounded() / steps)
  }
}

extension PageFacts {
  fileprivate var json: JSON {
    [
      "page": .integer(number), "origin": .string(origin.rawValue),
      "words": read.map { .integer($0.words) },
      "confidence": read?.confidence.map { OCRFacts.rounded($0, 10) },
      "turn": read.map { .integer($0.quarters * 90) },
      "angle": read.map { OCRFacts.rounded($0.angle * 180 / .pi, 100) },
      "dpi": read.map { .integer(Int($0.dpi.rounded())) },
      "languages": read.map { .string($0.languages.joined(separator: "+")) },
      "doubts": read.flatMap {
        $0.doubts.isEmpty ? nil : .array($0.doubts.map { .string($0.written) })
      },
      "dpiFrom": read.map { $0.dpiIsGuessed ? "guess" : "file" },
    ]
  }
}
