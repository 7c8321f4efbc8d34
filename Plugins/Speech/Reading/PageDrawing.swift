internal import Bytes
internal import Glibc
internal import PDFInput
internal import PDFSyntax
internal import PDFText
internal import SystemPackage

/// Draws pages of a PDF for the listening page, by poppler's pdftoppm; a page that cannot be drawn is shown without
/// a picture.
///
/// The program runs under the confinement of this one, as its child, and reads what this one reads.
final class PageDrawing {
  private static let program = "/usr/bin/pdftoppm"
  /// Pixels from left to right: letters of 10 points can be read. Of 39 PDFs half gave less than 13 kB, nine in ten
  /// less than 131 kB.
  private static let width = 900
  /// Milliseconds that a page may take.
  private static let patience = 15_000
  private let path: String
  private let scratch: String
  /// Whether a page took too long or the program cannot be run: a document must not cost that for each page.
  private var hasGivenUp: Bool

  /// - Parameters:
  ///   - path: a PDF.
  ///   - scratch: a folder for the picture that is drawn.
  init(of path: String, scratch: String) {
    (self.path, self.scratch) = (path, scratch)
    hasGivenUp = unsafe access(Self.program, X_OK) != 0
  }

  /// - Parameters:
  ///   - page: counted from 1.
  ///   - size: what is shown of the page, in points.
  ///   - most: bytes of the picture.
  func picture(_ page: Int, size: TextPage.Box, most: Int) -> PagePicture? {
    guard !hasGivenUp else { return nil }
    let result = scratch + "/page.jpg"
    defer { unsafe _ = unlink(result) }
    let isDrawn = run([
      Self.program, "-jpeg", "-jpegopt", "quality=60,optimize=y", "-singlefile", "-cropbox", "-f",
      "\(page)", "-l",
      "\(page)", "-scale-to-x", "\(Self.width)", "-scale-to-y", "-1", "--", path, scratch + "/page",
    ])
    guard isDrawn, let file = try? PDFInput.bytes(of: FilePath(result)), file.count <= most,
      let jpeg = JPEGCopy(file.span.array(0..<file.count), turn: 1)
    else { return nil }
    return PagePicture(jpeg: jpeg.bytes, width: jpeg.width, height: jpeg.height, box: size)
  }

  /// Runs a program that may say what it likes.
  ///
  /// - Returns: whether it ended well.
  private func run(_ arguments: [String]) -> Bool {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, flags) in [(Int32(0), O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0)
    }
    var words = unsafe arguments.map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var process = pid_t(), status: Int32 = 0
    guard unsafe posix_spawn(&process, Self.program, &actions, nil, &words, environ) == 0 else {
      hasGivenUp = true
      return false
    }
    for _ in 0..<Self.patience / 5 {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      usleep(5000)
    }
    hasGivenUp = true
    kill(process, SIGKILL)
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return false
  }
}
