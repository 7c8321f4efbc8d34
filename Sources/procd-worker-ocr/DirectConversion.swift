internal import ImageOCR

/// `convert IN -o FOLDER -l LANGUAGES`: one file through the engine, for measurements.
func convertDirectly(_ arguments: [String]) -> Int32 {
  var input: String?
  var folder = "."
  var languages = ["eng"]
  var rest = arguments[...]
  while let argument = rest.popFirst() {
    switch argument {
    case "-o": folder = rest.popFirst() ?? folder
    case "-l": languages = (rest.popFirst() ?? "eng").split(separator: "+").map(String.init)
    default: input = argument
    }
  }
  guard let input else { return 64 }
  if let complaint = DirectEngine.convert(input, into: folder, languages: languages) {
    print(complaint)
    return 65
  }
  return 0
}
