import Glibc
import PDFTextExtraction
import PluginKit
import Probe
import StatusRows
import TableRows

// The only list of the light built-in plugins.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "confine" { Launcher.run(Array(arguments.dropFirst())) }
if arguments.first == "try-sandbox" { SandboxTrial.run(Array(arguments.dropFirst())) }
WorkerLoop(
  hosting: [ProbePlugin.self, PDFTextPlugin.self, StatusRowsPlugin.self, TableRowsPlugin.self]
).serve()
