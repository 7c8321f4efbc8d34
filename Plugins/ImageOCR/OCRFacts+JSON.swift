internal import PluginKit

extension OCRFacts {
  /// The facts as the step gives them.
  var json: JSON {
    [
      "pages": .integer(pages), "pagesRecognized": .integer(pagesRecognized),
      "words": .integer(words), "confidence": confidence.map { Self.rounded($0, 10) },
      "dpi": dpi.map { .integer(Int($0.rounded())) }, "dpiGuessed": .bool(dpiGuessed),
      "language": language.map { .string($0) }, "pagesTurned": .integer(pagesTurned),
      "pagesLevelled": .integer(pagesLevelled),
      "pagesUnread": .integer(pages(with: "unread")),
      "pagesUnsure": .integer(pages(with: "unsure")), "pdfa": .bool(claimsArchive),
      "pdfaReason": whyNoArchive.map { .string($0) },
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
