internal import PluginKit
internal import Glibc

/// The program: a step where procd asks for one, else a command.
public enum GuideProgram {
  public static func main() -> Never {
    let path = CommandLine.arguments[1], folder = CommandLine.arguments[2]
    do {
      let store = try GuideStore.open(folder: folder)
      guard let zone = LocalZone("") else { exit(1) }
      let s = try GuideLoad.run(try DocumentBytes(path: path), into: store, name: "x", filter: ChannelFilter([]), zone: zone, now: 0, keepAfter: 0)
      print(s)
    } catch { print(error) }
    exit(0)
  }
}
