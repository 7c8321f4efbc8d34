internal import Glibc

let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "convert" {
  exit(convertDirectly(Array(arguments.dropFirst())))
}
exit(64)
