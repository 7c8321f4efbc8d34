/// What the launcher of foreign programs must put in force; travels as JSON in one argument.
package struct LaunchSpec: Sendable, Equatable {
  package var workFolder: String
  package var executableFolders: [String] = []
  package var readableFiles: [String] = []
  package var readableFolders: [String] = []
  package var writableFolders: [String] = []
  package var network = false
  package var memory = 2 << 30
  package var output = 1 << 30
  /// Nil for no limit.
  package var processorSeconds: Int?
  /// How many processes it may have at once; nil for no limit.
  package var processes: Int?
  package var landlockCeiling: Int?
  package var required = false
  /// Whether standard output carries the protocol; otherwise it goes where errors go.
  package var speaksProtocol = false
  /// Whether somebody called the program as a command: its standard input, output and error are
  /// theirs, and nothing is reported to a host.
  package var isCommand = false
  package var runIdentifier = ""

  package init(workFolder: String) { self.workFolder = workFolder }

  package var text: String { String(decoding: json.line, as: UTF8.self) }

  private var json: JSON {
    func list(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
    return [
      "work": .string(workFolder), "exec": list(executableFolders),
      "readFiles": list(readableFiles), "readFolders": list(readableFolders),
      "write": list(writableFolders), "network": .bool(network), "memory": .integer(memory),
      "output": .integer(output), "cpuSeconds": processorSeconds.map { .integer($0) },
      "processes": processes.map { .integer($0) }, "landlock": landlockCeiling.map { .integer($0) },
      "required": .bool(required),
      "protocol": .bool(speaksProtocol), "command": .bool(isCommand),
      "id": .string(runIdentifier),
    ]
  }

  package init?(text: String) {
    guard let json = try? JSONReader.read(text).value, let work = json["work"]?.stringValue else {
      return nil
    }
    func list(_ name: String) -> [String] {
      (json[name]?.arrayValue ?? []).compactMap(\.stringValue)
    }
    self.init(workFolder: work)
    executableFolders = list("exec")
    readableFiles = list("readFiles")
    readableFolders = list("readFolders")
    writableFolders = list("write")
    network = json["network"]?.boolValue ?? false
    memory = json["memory"]?.integerValue ?? memory
    output = json["output"]?.integerValue ?? output
    processorSeconds = json["cpuSeconds"]?.integerValue
    processes = json["processes"]?.integerValue
    landlockCeiling = json["landlock"]?.integerValue
    required = json["required"]?.boolValue ?? false
    speaksProtocol = json["protocol"]?.boolValue ?? false
    isCommand = json["command"]?.boolValue ?? false
    runIdentifier = json["id"]?.stringValue ?? ""
  }
}
