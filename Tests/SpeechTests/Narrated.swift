import Foundation
import PDFSyntax
import PluginKit
import Synchronization
import SystemPackage
import TestSupport

@testable import procd_speech

/// A document that was read aloud, and all that came of it.
struct Narrated {
  struct Word {
    var text: String
    var start: Double
    var end: Double
    var page: Int
    var box: [Double]?
    var rest: [String: Any]?
  }

  var facts: NarrationFacts
  var notes: [String]
  var passages: [(kind: String, language: String, words: [Word])]
  var chapters: [(title: String, level: Int, page: Int, start: Double)]
  var duration: Double
  var captions: String
  var page: String
  /// Samples of the WAV file.
  var samples: [Int16]
  var opus: Data

  var words: [Word] { passages.flatMap(\.words) }
  var text: String {
    passages.map { $0.words.map(\.text).joined(separator: " ") }.joined(separator: "\n")
  }

  /// The engine has one state for the whole process, and tests run side by side.
  private static let engine = Mutex(())

  static func alone<Value>(_ body: () throws -> sending Value) rethrows -> sending Value {
    try engine.withLock { _ in try body() }
  }

  init(_ text: String, _ options: SpeechOptions = SpeechOptions(), isMarkdown: Bool = false) throws
  {
    try self.init(bytes: Array(text.utf8), options, isMarkdown: isMarkdown)
  }

  init(
    bytes: [UInt8], _ options: SpeechOptions = SpeechOptions(), isMarkdown: Bool = false,
    isFile: Bool = false
  ) throws {
    let folder = TemporaryFolder()
    if isFile { try folder.write(Data(bytes), to: "a.pdf") }
    var places = NarrationPlaces(scratch: folder.path.string)
    places.files = [
      .opus: folder("a.opus").string, .wav: folder("a.wav").string,
      .sync: folder("a.json").string, .captions: folder("a.vtt").string,
      .listen: folder("a.html").string,
    ]
    let host = Listener()
    facts = try Self.alone {
      let document = try DocumentOpening.open(
        FileBytes(bytes), mostPages: 100, isMarkdown: isMarkdown)
      var narration = try Narration(
        document, SpeechEngine.shared(), options, places, name: "test",
        file: isFile ? folder("a.pdf").string : nil, host)
      return try narration.run()
    }
    notes = host.notes
    let map =
      try JSONSerialization.jsonObject(with: folder.read("a.json") ?? Data()) as? [String: Any]
      ?? [:]
    passages = (map["passages"] as? [[String: Any]] ?? []).map { passage in
      let words = (passage["words"] as? [[String: Any]] ?? []).map { word in
        Word(
          text: word["text"] as? String ?? "", start: word["start"] as? Double ?? -1,
          end: word["end"] as? Double ?? -1, page: word["page"] as? Int ?? 0,
          box: word["box"] as? [Double], rest: word["rest"] as? [String: Any])
      }
      return (passage["kind"] as? String ?? "", passage["language"] as? String ?? "", words)
    }
    chapters = (map["chapters"] as? [[String: Any]] ?? []).map {
      (
        $0["title"] as? String ?? "", $0["level"] as? Int ?? 0, $0["page"] as? Int ?? 0,
        $0["start"] as? Double ?? -1
      )
    }
    duration = map["duration"] as? Double ?? -1
    captions = String(decoding: folder.read("a.vtt") ?? Data(), as: UTF8.self)
    page = String(decoding: folder.read("a.html") ?? Data(), as: UTF8.self)
    opus = folder.read("a.opus") ?? Data()
    // The header of a WAV file of 16-bit samples has 44 bytes.
    samples = (folder.read("a.wav") ?? Data()).dropFirst(44).withUnsafeBytes { raw in
      Array(raw.bindMemory(to: Int16.self))
    }
  }

  /// Runs of silence of at least so many seconds, in seconds.
  func silences(atLeast least: Double) -> [ClosedRange<Double>] {
    let rate = Double(SpeechEngine.sampleRate)
    var found: [ClosedRange<Double>] = []
    var begin = 0
    for index in 0...samples.count where index == samples.count || samples[index].magnitude > 160 {
      if Double(index - begin) / rate >= least {
        found.append(Double(begin) / rate...Double(index) / rate)
      }
      begin = index + 1
    }
    return found
  }
}

/// Notes what a step says of itself.
final class Listener: StepHost {
  var notes: [String] = []
  var progressed: [Int] = []
  func progress(_ done: Int, of total: Int, unit: String) { progressed.append(done) }
  func note(_ code: String, _ message: String, page: Int?) { notes.append(code) }
}

/// The failure of a narration, nil where there is none.
func failure(
  _ text: String, _ options: SpeechOptions = SpeechOptions()
) throws -> PluginFailure? {
  do { _ = try Narrated(text, options) } catch let failure as PluginFailure { return failure }
  return nil
}
