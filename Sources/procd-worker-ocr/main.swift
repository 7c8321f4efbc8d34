internal import Glibc
internal import ImageOCR
internal import PluginKit

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "convert" {
  exit(convertDirectly(Array(arguments.dropFirst())))
}
// The only list of the built-in plugins that need heavy libraries.
WorkerLoop(hosting: [ImageOCRPlugin.self]).serve()
