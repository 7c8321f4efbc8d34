/// The live block as lines: one per busy worker, then the total.
struct LiveLines: Sendable {
  let width: Int
  let height: Int

  /// Columns that a file's path gets before its details are said more briefly.
  private static let comfortablePath = 14

  /// - Returns: lines of at most `width - 1` columns, so that no terminal wraps them; nothing where
  ///   there is nothing to tell yet.
  func lines(of state: LiveState, at now: Int) -> [String] {
    guard !state.busy.isEmpty || state.done + state.quarantined + state.waiting > 0 else {
      return []
    }
    // One row stays for what scrolls above, one is the total.
    let rows = max(1, height - 2)
    var shown = state.busy[...]
    if shown.count > rows { shown = shown.prefix(rows - 1) }
    let room = max(1, width - 1)
    let details = shown.map { self.details(of: $0, at: now, in: room) }
    let widest = details.map(ShownText.columns).max() ?? 0
    let forPath = max(0, room - 2 - 2 - widest)
    let paths = shown.map { ShownText.shortened($0.path, to: forPath) }
    let column = paths.map(ShownText.columns).max() ?? 0
    var lines = zip(paths, details).map { path, details in
      ShownText.cut("> \(ShownText.padded(path, to: column))  \(details)", to: room)
    }
    let more = state.busy.count - shown.count
    if more > 0 { lines.append(ShownText.cut("> and \(more) more", to: room)) }
    lines.append(total(of: state, at: now, in: room))
    return lines
  }

  /// Step, progress and time in the longest form that leaves room for the path.
  private func details(of busy: LiveState.Busy, at now: Int, in room: Int) -> String {
    let time = Self.time(max(0, now - busy.began) / 1000)
    let (long, short) = Self.progress(busy.progress)
    let step = ShownText.cut(busy.step, to: 24)
    let forms = [[step, long, time], [step, short, time], [short ?? step, time], [time]].map {
      $0.compactMap { $0 }.joined(separator: "  ")
    }
    let most = room - 4 - Self.comfortablePath
    return forms.first { ShownText.columns($0) <= most } ?? forms[forms.count - 1]
  }

  /// "page 3 of 12" and "3/12". Pages are counted when they are done, people are told the one that
  /// is worked on.
  private static func progress(_ progress: LiveState.Progress?) -> (long: String?, short: String?) {
    // "1 of 1" tells nothing: it is a file of one page, or one of several pages that run side by side.
    guard let progress, progress.total > 1, progress.done >= 0 else { return (nil, nil) }
    let total = progress.total
    if progress.unit == "page" {
      let page = progress.done < total ? progress.done + 1 : total
      return ("page \(page) of \(total)", "\(page)/\(total)")
    }
    let done = min(progress.done, total)
    return ("\(done) of \(total) \(progress.unit)", "\(done)/\(total)")
  }

  private static func time(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60):\(two(seconds % 60)) min" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)) h"
  }

  private func total(of state: LiveState, at now: Int, in room: Int) -> String {
    let counts = "\(state.done) done, \(state.quarantined) quarantined, \(state.waiting) waiting"
    let pace = state.perMinute(at: now).map { ", \($0) per minute" } ?? ""
    let briefPace = state.perMinute(at: now).map { " \($0)/min" } ?? ""
    let brief = "\(state.done) done \(state.quarantined) bad \(state.waiting) left"
    let forms = [counts + pace, counts + briefPace, brief + briefPace, brief]
    return ShownText.cut(
      forms.first { ShownText.columns($0) <= room } ?? forms[forms.count - 1], to: room)
  }
}
