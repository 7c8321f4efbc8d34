internal import CLinux
internal import Confinement
internal import Glibc

/// Confines processes as steps are confined and tries what they must not do: what a kernel claims is
/// one thing, what holds is another.
public enum SandboxTrial {
  /// `try-sandbox FOLDER LANDLOCK`: FOLDER has a file `secret` and a folder `work`; LANDLOCK is the
  /// highest version to use, `-` for the kernel's. Prints a line of JSON for each profile.
  public static func run(_ arguments: [String]) -> Never {
    guard arguments.count == 2 else { _exit(64) }
    for profile in [Confinement.Profile.sealed, .tool, .net] {
      writeAll(
        trial(profile, folder: arguments[0], landlock: Int(arguments[1])).line + [0x0A],
        to: 1)
    }
    _exit(0)
  }

  /// In the order of the bits of a child's answer.
  private static let breaches = [
    "reads files of others", "writes files of others", "opens local sockets",
    "signals other processes",
  ]

  private static func trial(
    _ profile: Confinement.Profile, folder: String, landlock: Int?
  ) -> JSON {
    var confinement = Confinement(profile: profile)
    confinement.landlockCeiling = landlock
    confinement.writableFolders = ["\(folder)/work"]
    var pipe: [Int32] = [-1, -1]
    guard unsafe clinux_pipe(&pipe) == 0 else { _exit(71) }
    let parent = getpid()
    confinement.protectedProcesses = [parent]
    let child = ConfinedChild.start(confinement) { isolation in
      switch isolation {
      case .failure(let error):
        return answer(["failed": .string(error.message)], pipe[1])
      case .success(let inForce):
        return answer(
          inForce.json.setting(
            "breaches", .array(tried(folder, parent).map { .string($0) })), pipe[1])
      }
    }
    close(pipe[1])
    defer { close(pipe[0]) }
    guard let child else { return ["profile": .string(profile.rawValue), "failed": "no process"] }
    let line = readSome(pipe[0]) ?? []
    let end = ConfinedChild.wait(child).end
    let json = (try? JSONReader.read(line).value) ?? ["failed": .string("it ended by \(end)")]
    return json.setting("profile", .string(profile.rawValue))
  }

  private static func answer(_ json: JSON, _ descriptor: Int32) -> Int32 {
    writeAll(json.line, to: descriptor)
    return 0
  }

  /// What succeeded and must not.
  private static func tried(_ folder: String, _ parent: Int32) -> [String] {
    let secret = "\(folder)/secret"
    let succeeded = [
      unsafe open(secret, O_RDONLY | O_CLOEXEC) >= 0,
      unsafe open(secret, O_WRONLY | O_CLOEXEC) >= 0,
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0, kill(parent, 0) == 0,
    ]
    return zip(breaches, succeeded).filter(\.1).map(\.0)
  }
}
