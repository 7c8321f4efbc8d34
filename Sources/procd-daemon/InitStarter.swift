import Dates
import PluginKit

/// The configuration that the answers of `procd init` ask for.
struct Starter {
  /// Where the page listens.
  var web: String
  var kinds: [ShippedRules.Kind]
  var want: ShippedRules.Wanted
  /// Whether photos of sheets are cut to the sheet.
  var crop: Bool

  var json: JSON {
    [
      "$comment":
        "`procd check` finds mistakes; after a change, `procd reload`. Every key: docs/configuration.md (in a package below /usr/share/doc/procd).",
      "version": 1, "web": ["listen": .string(web), "rules": "edit"],
      "timeZone": LocalZone.ofMachine.map(JSON.string),
      "inbox": "inbox", "outbox": "outbox", "archive": "archive", "quarantine": "quarantine",
      "pipelines": .array(kinds.map { ShippedRules.rule($0, want, crop: crop) }),
      "$others": [
        "$comment":
          "What no rule takes goes to the quarantine, with the reason. To have it kept in outbox/others instead, move this to the end of pipelines.",
        "id": "others", "match": "*", "emit": ["source"], "to": "others",
      ],
    ]
  }
}
