import Bytes

/// Applies filters by name (PDF 32000-1, 7.4), abbreviated names of inline images included.
struct FilterChain {
  var filters: [(name: PDFName, parameters: PDFDictionary?)]

  /// Decodes as far as the filters are known. Never fails: broken data gives what it had.
  func decode(_ input: Span<UInt8>, limit: Int) -> DecodedStream {
    var current: [UInt8]?
    var isChecked = false
    var result = DecodedStream(bytes: [], isComplete: true, work: input.count)
    for (name, parameters) in filters {
      let made: FilterResult?
      if let bytes = current {
        made = Self.apply(name, parameters, to: bytes.span, limit: limit)
      } else {
        made = Self.apply(name, parameters, to: input, limit: limit)
      }
      guard let made else {
        (result.pending, result.pendingParameters) = (name, parameters)
        break
      }
      result.work += made.bytes.count
      current = made.bytes
      result.isComplete = result.isComplete && made.isComplete
      result.isBroken = result.isBroken || made.isBroken
      switch name {
      case "FlateDecode", "Fl": isChecked = true
      case "LZWDecode", "LZW", "RunLengthDecode", "RL": result.isUnchecked = true
      default: break
      }
    }
    result.isUnchecked = result.isUnchecked && !isChecked
    result.bytes = current ?? input.array(0..<input.count)
    return result
  }

  private static func apply(
    _ name: PDFName, _ parameters: PDFDictionary?, to input: Span<UInt8>, limit: Int
  ) -> FilterResult? {
    switch name {
    case "FlateDecode", "Fl":
      return Predictor.undo(parameters, Flate.inflate(input, limit: limit))
    case "LZWDecode", "LZW":
      let early = parameters?.integer("EarlyChange") ?? 1
      return Predictor.undo(
        parameters, LZW.decode(input, earlyChange: early != 0, limit: limit))
    case "ASCII85Decode", "A85": return ASCII85.decode(input, limit: limit)
    case "ASCIIHexDecode", "AHx": return ASCIIHex.decode(input, limit: limit)
    case "RunLengthDecode", "RL": return RunLength.decode(input, limit: limit)
    case "Crypt": return FilterResult(bytes: input.array(0..<input.count), isComplete: true)
    default: return nil
    }
  }
}

extension FilterChain {
  /// The filters that a stream's dictionary names; nil parameters where they are references.
  init(_ dictionary: PDFDictionary, resolve: (PDFObject) -> PDFObject = { $0 }) {
    self.init(filters: [])
    let filter = (dictionary["Filter"] ?? dictionary["F"]).map(resolve)
    let parameters = (dictionary["DecodeParms"] ?? dictionary["DP"]).map(resolve)
    switch filter {
    case .name(let name): filters = [(name, Self.first(parameters, resolve))]
    case .array(let names):
      for (index, item) in names.prefix(Limits.standard.filters).enumerated() {
        guard let name = resolve(item).name else { continue }
        var own: PDFDictionary?
        if let list = parameters?.array {
          own = index < list.count ? Self.resolved(resolve(list[index]).dictionary, resolve) : nil
        } else if names.count == 1 {
          own = Self.resolved(parameters?.dictionary, resolve)
        }
        filters.append((name, own))
      }
    default: break
    }
  }

  private static func first(
    _ parameters: PDFObject?, _ resolve: (PDFObject) -> PDFObject
  ) -> PDFDictionary? {
    resolved(parameters?.dictionary ?? parameters?.array?.first.map(resolve)?.dictionary, resolve)
  }

  private static func resolved(
    _ dictionary: PDFDictionary?, _ resolve: (PDFObject) -> PDFObject
  ) -> PDFDictionary? {
    guard var result = dictionary else { return nil }
    for (key, value) in zip(result.keys, result.values) where value.reference != nil {
      // The global segments of JBIG2 stay a reference: they are a stream of their own.
      if key != "JBIG2Globals" { result[key] = resolve(value) }
    }
    return result
  }
}
