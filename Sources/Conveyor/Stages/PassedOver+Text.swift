internal import JobLedger
internal import PluginKit

extension PassedOver {
  /// For people.
  var sentence: String {
    "\(pipeline) passed it over: \(reason ?? "it found other content than expected")"
  }
}

extension [PassedOver] {
  /// What is told of a file that no pipeline was left for.
  var failure: PluginFailure {
    PluginFailure(
      .input, "route.unmatched",
      "no pipeline was left: \(map(\.sentence).joined(separator: "; "))",
      hint: "if this is the file that was meant, change \"expect\" in pipelines.json")
  }
}
