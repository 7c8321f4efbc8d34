/// A strict reader of Prometheus' text format (0.0.4), as far as procd writes it: each family has its
/// HELP and TYPE before its samples, once; names, labels and numbers are well formed; no sample twice.
public enum PrometheusText {
  /// One metric with its samples.
  public struct Family: Sendable {
    /// `gauge` or `counter`.
    public var kind: String
    /// By name and labels as written.
    public var samples: [String: Double] = [:]
  }

  struct Fault: Error, CustomStringConvertible {
    var description: String
  }

  /// The families of a text by their names; throws where the text breaks a rule, with the line.
  public static func read(_ text: String) throws -> [String: Family] {
    guard text.hasSuffix("\n") else { throw Fault(description: "no newline at the end") }
    var families: [String: Family] = [:], helped: Set<String> = []
    var current: String?
    for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
      if let match = line.wholeMatch(of: #/# HELP ([a-z_][a-z0-9_]*) (.+)/#) {
        guard helped.insert(String(match.1)).inserted else { throw fault("HELP twice", line) }
        current = String(match.1)
      } else if let match = line.wholeMatch(of: #/# TYPE ([a-z_][a-z0-9_]*) (gauge|counter)/#) {
        let name = String(match.1)
        guard name == current, families[name] == nil else {
          throw fault("TYPE without HELP, or twice", line)
        }
        guard name.hasSuffix("_total") == (match.2 == "counter") else {
          throw fault("a counter ends in _total, a gauge does not", line)
        }
        families[name] = Family(kind: String(match.2))
      } else {
        let sample =
          #/([a-z_][a-z0-9_]*)(\{[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\[\\"n])*")*\})? (-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)/#
        guard let match = line.wholeMatch(of: sample), let value = Double(match.3) else {
          throw fault("no sample", line)
        }
        let name = String(match.1), key = name + (match.2.map(String.init) ?? "")
        guard name == current, families[name] != nil else {
          throw fault("a sample outside its family", line)
        }
        guard families[name]?.samples.updateValue(value, forKey: key) == nil else {
          throw fault("a sample twice", line)
        }
        guard families[name]?.kind != "counter" || value >= 0 else {
          throw fault("a counter below 0", line)
        }
      }
    }
    for (name, family) in families where family.samples.isEmpty {
      throw Fault(description: "\(name) has no samples")
    }
    return families
  }

  private static func fault(_ what: String, _ line: Substring) -> Fault {
    Fault(description: "\(what): \(line)")
  }
}
