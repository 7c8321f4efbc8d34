internal import Bytes
internal import Glibc
internal import PDFSyntax

/// A function from numbers to numbers (PDF 32000-1, 7.10).
indirect enum PDFFunction {
  case sampled(Sampled)
  case exponential(low: [Double], high: [Double], exponent: Double, domain: [Double])
  case stitching(functions: [PDFFunction], bounds: [Double], encode: [Double], domain: [Double])
  case calculator(CalculatorProgram, domain: [Double], range: [Double])
  /// One function for each result.
  case several([PDFFunction])

  private static let deepest = 5
  private static let mostFunctions = 64

  /// - Returns: nil where it is none that can be computed.
  init?(_ object: PDFObject?, file: PDFFile, depth: Int = 0) {
    guard depth < Self.deepest else { return nil }
    let object = file.resolve(object)
    if case .array(let items) = object {
      let functions = items.prefix(Self.mostFunctions).compactMap {
        PDFFunction($0, file: file, depth: depth + 1)
      }
      guard functions.count == items.count, !functions.isEmpty else { return nil }
      self = .several(functions)
      return
    }
    guard let dictionary = object.dictionary, let domain = file.numbers(dictionary, "Domain"),
      domain.count >= 2
    else { return nil }
    switch file.integer(dictionary, "FunctionType") {
    case 0:
      guard let stream = object.stream, let sampled = Sampled(stream, domain: domain, file: file)
      else { return nil }
      self = .sampled(sampled)
    case 2:
      let low = file.numbers(dictionary, "C0") ?? [0]
      let high = file.numbers(dictionary, "C1") ?? [1]
      guard low.count == high.count else { return nil }
      self = .exponential(
        low: low, high: high, exponent: file.number(dictionary, "N") ?? 1, domain: domain)
    case 3:
      let functions = (file.array(dictionary, "Functions") ?? []).prefix(Self.mostFunctions)
        .compactMap { PDFFunction($0, file: file, depth: depth + 1) }
      let bounds = file.numbers(dictionary, "Bounds") ?? []
      let encode = file.numbers(dictionary, "Encode") ?? []
      guard !functions.isEmpty, bounds.count >= functions.count - 1,
        encode.count >= 2 * functions.count
      else { return nil }
      self = .stitching(functions: functions, bounds: bounds, encode: encode, domain: domain)
    case 4:
      guard let stream = object.stream,
        let program = CalculatorProgram(file.decode(stream, limit: 1 << 16).bytes)
      else { return nil }
      self = .calculator(program, domain: domain, range: file.numbers(dictionary, "Range") ?? [])
    default: return nil
    }
  }

  /// The results for some arguments; what is missing of these counts as 0.
  func values(_ arguments: [Double]) -> [Double] {
    switch self {
    case .sampled(let sampled): return sampled.values(arguments)
    case .exponential(let low, let high, let exponent, let domain):
      let x = Self.clipped(arguments.first ?? 0, domain, 0)
      let power = exponent == 1 ? x : pow(x, exponent)
      return zip(low, high).map { $0 + power * ($1 - $0) }
    case .stitching(let functions, let bounds, let encode, let domain):
      let x = Self.clipped(arguments.first ?? 0, domain, 0)
      var place = 0
      while place < functions.count - 1, x >= bounds[place] { place += 1 }
      let from = place == 0 ? domain[0] : bounds[place - 1]
      let to = place == functions.count - 1 ? domain[1] : bounds[place]
      let (low, high) = (encode[2 * place], encode[2 * place + 1])
      let share = to > from ? (x - from) / (to - from) : 0
      return functions[place].values([low + share * (high - low)])
    case .calculator(let program, let domain, let range):
      var inputs = arguments
      for index in inputs.indices { inputs[index] = Self.clipped(inputs[index], domain, index) }
      let results = program.run(inputs).suffix(range.isEmpty ? .max : range.count / 2)
      return results.enumerated().map { Self.clipped($1, range, $0) }
    case .several(let functions): return functions.map { $0.values(arguments).first ?? 0 }
    }
  }

  /// A value inside the pair of limits at a place, where there is one.
  static func clipped(_ value: Double, _ limits: [Double], _ index: Int) -> Double {
    guard 2 * index + 1 < limits.count else { return value }
    guard value.isFinite else { return limits[2 * index] }
    return max(limits[2 * index], min(limits[2 * index + 1], value))
  }

  /// A table of samples, between which values are interpolated (7.10.2).
  struct Sampled {
    private let domain: [Double]
    private let range: [Double]
    private let size: [Int]
    private let encode: [Double]
    private let decode: [Double]
    /// From 0 to 1, the results of one place together, the first argument varying fastest.
    private let samples: [Float]

    private static let mostSamples = 4_000_000

    init?(_ stream: PDFStream, domain: [Double], file: PDFFile) {
      let dictionary = stream.dictionary
      guard let range = file.numbers(dictionary, "Range"), range.count >= 2,
        let size = file.numbers(dictionary, "Size")?.map({ Int(max(1, min(1e6, $0))) }),
        let bits = file.integer(dictionary, "BitsPerSample"),
        [1, 2, 4, 8, 12, 16, 24, 32].contains(bits), size.count == domain.count / 2,
        (1...8).contains(size.count)
      else { return nil }
      let results = range.count / 2
      var count = results
      for part in size {
        let (product, overflow) = count.multipliedReportingOverflow(by: part)
        guard !overflow, product <= Self.mostSamples else { return nil }
        count = product
      }
      let bytes = file.decode(stream, limit: count * bits / 8 + 8).bytes
      guard bytes.count >= (count * bits + 7) / 8 else { return nil }
      var samples: [Float] = []
      samples.reserveCapacity(count)
      var bit = 0
      let highest = Double((1 << bits) - 1)
      for _ in 0..<count {
        var value = 0
        var taken = 0
        while taken < bits {
          let free = min(bits - taken, 8 - bit % 8)
          let byte = Int(bytes[bit / 8]) >> (8 - bit % 8 - free) & (1 << free - 1)
          value = value << free | byte
          taken += free
          bit += free
        }
        samples.append(Float(Double(value) / highest))
      }
      self.domain = domain
      self.range = range
      self.size = size
      let whole: [Double] = size.flatMap { [0.0, Double($0 - 1)] }
      let encode = file.numbers(dictionary, "Encode") ?? whole
      self.encode = encode.count >= whole.count ? encode : whole
      let decode = file.numbers(dictionary, "Decode") ?? range
      self.decode = decode.count >= range.count ? decode : range
      self.samples = samples
    }

    func values(_ arguments: [Double]) -> [Double] {
      let results = range.count / 2
      // Each corner of the cell around the place, with its weight.
      var corners: [(place: Int, weight: Double)] = [(0, 1)]
      var step = 1
      for (index, count) in size.enumerated() {
        let argument = index < arguments.count ? arguments[index] : 0
        let x = PDFFunction.clipped(argument, domain, index)
        let (from, to) = (domain[2 * index], domain[2 * index + 1])
        let (low, high) = (encode[2 * index], encode[2 * index + 1])
        let share = to > from ? (x - from) / (to - from) : 0
        let position = max(0, min(Double(count - 1), low + share * (high - low)))
        let below = min(count - 1, Int(position.isFinite ? position : 0))
        let part = position.isFinite ? position - Double(below) : 0
        var next: [(place: Int, weight: Double)] = []
        for corner in corners {
          next.append((corner.place + below * step, corner.weight * (1 - part)))
          if part > 0, below + 1 < count {
            next.append((corner.place + (below + 1) * step, corner.weight * part))
          }
        }
        corners = next
        step *= count
      }
      return (0..<results).map { result in
        var value = 0.0
        for corner in corners {
          value += Double(samples[corner.place * results + result]) * corner.weight
        }
        let (low, high) = (decode[2 * result], decode[2 * result + 1])
        return PDFFunction.clipped(low + value * (high - low), range, result)
      }
    }
  }
}
