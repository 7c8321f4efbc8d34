internal import Files
internal import Pipelines
internal import SystemPackage

/// A folder whose files are one document: what is in it, seen at one moment.
struct GatheredFolder {
  struct Member {
    var name: FilePath
    var status: FileStatus
  }

  /// Why a folder cannot be taken as one document.
  enum Obstacle: Error {
    /// Nothing to read is in it.
    case empty
    /// Something other than files is in it.
    case notOnlyFiles(String)
    /// A file in it is still being written under another name.
    case unfinished(String)
    case file(FileError)

    /// What people read of it; nil where nothing has come yet.
    var reason: WaitReason? {
      switch self {
      case .empty: nil
      case .notOnlyFiles(let name): .notOnlyFiles(name)
      case .unfinished(let name): .unfinished(name)
      case .file(let error):
        error.errno == .permissionDenied ? .unreadable : .failed("\(error)")
      }
    }
  }

  /// In the order of their names, numbers in them by value.
  let members: [Member]
  /// Stands for all: the folder's own identity, the size of the files together, the newest times.
  let status: FileStatus

  /// Looks at a folder. Names on the ignore list play no part.
  init(_ folder: Folder, ignoring ignore: IgnoreList) throws(Obstacle) {
    var members: [Member] = []
    var others: [FilePath] = [], unfinished: [FilePath] = []
    do throws(FileError) {
      var whole = try folder.status()
      whole.size = 0
      for name in try folder.names() {
        guard let component = name.lastComponent, let status = try folder.status(name) else {
          continue
        }
        guard ignore.pattern(for: component.string, isFolder: status.kind == .folder) == nil else {
          if status.kind == .regular, Self.isUnfinished(component.string) {
            unfinished.append(name)
          }
          continue
        }
        guard status.kind == .regular else {
          others.append(name)
          continue
        }
        whole.size += status.size
        whole.modified = max(whole.modified, status.modified)
        whole.changed = max(whole.changed, status.changed)
        members.append(Member(name: name, status: status))
      }
      status = whole
    } catch {
      throw .file(error)
    }
    if let other = others.map(\.printable).min() { throw .notOnlyFiles(other) }
    // Its writer renames it when it is done: taken before, the document would lack it.
    if let name = unfinished.map(\.printable).min() { throw .unfinished(name) }
    guard !members.isEmpty else { throw .empty }
    self.members = members.sorted { NaturalOrder.precedes($0.name.bytes, $1.name.bytes) }
  }

  private static let unfinished = IgnoreList(ConfigurationShape.unfinishedNames)

  /// What hidden names of pages have in them.
  private static let endingsOfPages = [
    ".pdf", ".png", ".jp", ".tif", ".gif", ".bmp", ".webp", ".hei", ".avif", ".pbm", ".pgm", ".ppm",
  ]

  /// Whether a name of the ignore list is one under which files are written, and not one that something has left there:
  /// `b.pdf.part`, `.b.pdf`, `.b.pdf.Xa81Qz`, but neither `Thumbs.db` nor `.DS_Store` nor `._b.pdf`.
  private static func isUnfinished(_ name: String) -> Bool {
    if unfinished.pattern(for: name, isFolder: false) != nil { return true }
    return name.hasPrefix(".") && !name.hasPrefix("._")
      && endingsOfPages.contains { name.lowercased().contains($0) }
  }

  /// Whether files are the same in the same state.
  static func isSame(_ files: [Member], _ others: [Member]) -> Bool {
    files.count == others.count
      && zip(files, others).allSatisfy {
        $0.name == $1.name && $0.status.isSameContent(as: $1.status)
      }
  }
}

/// The order in which people number files: `page 2` before `page 10`.
package enum NaturalOrder {
  package static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if isDigit(left[i]), isDigit(right[j]) {
        let a = number(left, &i), b = number(right, &j)
        // Without leading zeros the longer number is the larger one.
        if a.count != b.count { return a.count < b.count }
        if a != b { return a.lexicographicallyPrecedes(b) }
      } else {
        let a = lowered(left[i]), b = lowered(right[j])
        if a != b { return a < b }
        i += 1
        j += 1
      }
    }
    if left.count - i != right.count - j { return left.count - i < right.count - j }
    return left.lexicographicallyPrecedes(right)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }

  /// The digits at a place without leading zeros; moves behind them.
  private static func number(_ bytes: [UInt8], _ place: inout Int) -> ArraySlice<UInt8> {
    var start = place
    while place < bytes.count, isDigit(bytes[place]) { place += 1 }
    while start < place - 1, bytes[start] == 0x30 { start += 1 }
    return bytes[start..<place]
  }
}
