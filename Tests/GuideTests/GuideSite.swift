import Bytes
import Dates
import Foundation
import PluginKit
import SystemPackage
import TestSupport
import Testing

@testable import Guide

/// A guide in a folder of its own, and what tests put into it.
final class GuideSite {
  let folder = TemporaryFolder()
  /// 2026-01-05 12:00 UTC, a Monday.
  static let noon: Int64 = 1_767_614_400

  func load(
    _ data: Data, named name: String = "guide.xml", channels: [String] = [], zone: String = "UTC",
    now: Int64 = GuideSite.noon, keep: Int64 = 7 * 86_400
  ) throws -> GuideLoad.Summary {
    try folder.write(data, to: name)
    return try GuideLoad.run(
      folder(name).string,
      into: try GuideStore.open(folder: folder.path.string),
      name: name, filter: ChannelFilter(channels), zone: try #require(LocalZone(zone)), now: now,
      keepAfter: now - keep)
  }

  @discardableResult
  func load(
    _ text: String, channels: [String] = [], zone: String = "UTC", now: Int64 = GuideSite.noon,
    keep: Int64 = 7 * 86_400
  ) throws -> GuideLoad.Summary {
    try load(Data(text.utf8), channels: channels, zone: zone, now: now, keep: keep)
  }

  var store: GuideStore {
    get throws { try #require(try GuideStore.reading(folder: folder.path.string)) }
  }

  /// All programmes as `channel HH:MM-HH:MM title`, times in UTC.
  func listing() throws -> [String] {
    let store = try self.store
    var lines: [String] = []
    for channel in try store.channels() {
      for programme in try store.programmes(of: channel, from: 0, to: 1 << 40) {
        lines.append(
          "\(channel.identifier) \(Self.clock(programme.start))-\(Self.clock(programme.stop))"
            + " \(programme.title)")
      }
    }
    return lines
  }

  static func clock(_ time: Int64) -> String {
    "\((Int(time) / 3600 % 24).padded()):\((Int(time) / 60 % 60).padded())"
  }

  func titles(
    _ terms: String..., all: Bool = false, channels: [String] = [], from: Int64 = .min
  ) throws -> [String] {
    var request = SearchRequest(terms: terms)
    request.all = all
    request.channels = ChannelFilter(channels)
    request.from = from
    return try GuideSearch(store: store).run(request).map(\.title)
  }
}

/// A guide of programmes that are written in short: `channel start stop title`, with times of 2026-01-05.
func guide(_ lines: String...) -> String {
  var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tv>\n"
  for line in lines {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    let stop = words[2] == "-" ? "" : " stop=\"20260105\(words[2])00 +0000\""
    text +=
      "<programme start=\"20260105\(words[1])00 +0000\"\(stop) channel=\"\(words[0])\">"
      + "<title>\(words[3])</title></programme>\n"
  }
  return text + "</tv>\n"
}

/// The failure that some work ends with.
func failure(_ work: () throws -> Void) -> PluginFailure? {
  do { try work() } catch { return error as? PluginFailure }
  return nil
}

/// All tests of the guide, one after another: the time zone belongs to the whole process.
@Suite(.serialized) struct GuideTests {}
