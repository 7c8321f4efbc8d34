package import PluginKit

/// What `pipelines.json` may hold: the one declaration that checks the file, fills its defaults and
/// prints its schema.
package enum ConfigurationShape {
  package static var top: Shape { .object(file) }

  /// How files are called that a program is still writing, before it renames them.
  package static let unfinishedNames = [
    "*.tmp", "*.part", "*.partial", "*.filepart", "*.crdownload", "*.download", "*.opdownload",
  ]

  /// Names that are never taken from an inbox: temporary names of common programs, and what
  /// network storage and desktops leave behind.
  package static let shippedIgnores =
    [
      ".*", "~$*", "~*.tmp", "*~",
    ] + unfinishedNames + [
      "*.swp", "*.lock", "#recycle/", "@eaDir/", "@Recently-Snapshot/",
      "@Recycle/", "$RECYCLE.BIN/", "System Volume Information/", "lost+found/", "Thumbs.db",
      "desktop.ini", "ehthumbs.db", "*.DS_Store", "__MACOSX/", "Icon\r", "Icon\u{F00D}", "*.sb-*",
    ]

  static let file = ObjectShape(
    "configuration",
    [
      Field("version", .integer(1...1), "The version of this format", required: true),
      Field(
        "inbox", .either([.text, .object(inbox)]), "The folder that is watched",
        byDefault: "inbox"),
      Field(
        "outbox", .either([.text, .object(outbox)]), "Where results appear", byDefault: "outbox"),
      Field(
        "archive", .either([.text, .object(archive)]), "Where originals go when all went well",
        byDefault: "archive"),
      Field(
        "quarantine", .either([.text, .object(quarantine)]),
        "Where originals go that could not be processed", byDefault: "quarantine"),
      Field(
        "spool", .text, "The daemon's own folder, on the mount of the inbox", byDefault: "spool"),
      Field(
        "keepDeleted", .either([.oneOf(["forever"]), .duration]),
        "How long documents that were deleted on the page or by procd delete can be brought back",
        byDefault: "30d"),
      Field(
        "timeZone", .text,
        "The zone in which the days of names and of \"modified\" are counted, such as Europe/Berlin; UTC when left out; taken up at a start"
      ),
      Field(
        "workers", .integer(1...1024), "How many steps run at once; one per core when left out"),
      Field(
        "duplicates", .oneOf(Configuration.Duplicates.allCases.map(\.rawValue)),
        "What a file gets whose content was processed before: the same results, a report only, a run of"
          + " its own, or a place in the quarantine",
        byDefault: "reuse"),
      Field(
        "isolation", .oneOf(["best-effort", "required"]),
        "Whether steps may run where this kernel cannot confine them", byDefault: "best-effort"),
      Field("defaults", .object(defaults), "What holds for all steps"),
      Field(
        "plugins", .list(.text), "Folders in which plugins are looked for", byDefault: []),
      Field(
        "pipelines", .list(.object(pipeline)), "The rules; the first that matches is taken",
        required: true),
      Field(
        "sources", .list(.object(source)), "Files on the network that are fetched into the inbox",
        byDefault: []),
      Field(
        "notify", .list(.object(notify)), "Who is told when something happens", byDefault: []),
      Field("metrics", .object(metrics), "Figures for a monitoring system"),
      Field("status", .object(status), "Who may ask for the status, besides procd's own user"),
      Field(
        "find", .boolean,
        "Whether the texts of documents are kept in the spool, so that procd find finds their words",
        byDefault: true),
      Field(
        "web", .either([.text, .object(web)]), "A page in the browser; taken up at a start"),
      Field("fleet", .object(fleet), "Other machines that do steps; taken up at a start"),
    ])

  static let web = ObjectShape(
    "web",
    [
      Field(
        "listen", .text, "Where: HOST:PORT, or unix:PATH for a local socket",
        byDefault: "127.0.0.1:8750"),
      Field(
        "behindProxy", .boolean,
        "Whether a proxy with TLS stands before it; needed for any address but this machine's own",
        byDefault: false),
      Field(
        "hosts", .list(.text), "Names under which the proxy is reached, as browsers type them",
        byDefault: []),
      Field("uploads", .size, "The largest file that is taken from a browser", byDefault: "4GiB"),
      Field(
        "rules", .oneOf(["edit", "show"]), "Whether the page may change rules, or only shows them",
        byDefault: "show"),
    ])

  static let fleet = ObjectShape(
    "fleet",
    [
      Field(
        "servers", .list(.text, atLeast: 1), "The broker: nats://HOST:4222 or tls://HOST:4222",
        required: true),
      Field(
        "key", .text, "The file with the key that all machines of the fleet share", required: true),
      Field("credentials", .text, "The file with the login at the broker"),
      Field("authority", .text, "Certificates of the authority that the broker's is from"),
      Field(
        "steps", .list(.text),
        "Which steps may run elsewhere; those whose plugins say that they travel when left out"),
      Field("local", .boolean, "Whether this machine does such steps as well", byDefault: true),
      Field(
        "replicas", .integer(1...5), "How many brokers of a cluster keep each order", byDefault: 1),
      Field("bytes", .size, "What the broker may keep of files on their way", byDefault: "1GiB"),
      Field(
        "patience", .duration,
        "How long a helper may give no sign before its work is given to another", byDefault: "30s"),
    ])

  static let status = ObjectShape(
    "status",
    [
      Field(
        "socket", .text,
        "A local socket at which `procd status` of others asks; taken up at a start",
        required: true),
      Field(
        "group", .text,
        "The group whose members may ask, by name or number; whoever may enter the folder if left out"
      ),
    ])

  static let inbox = ObjectShape(
    "inbox",
    [
      Field("path", .text, "The folder", byDefault: "inbox"),
      Field("recursive", .boolean, "Whether sub-folders are watched too", byDefault: true),
      Field(
        "settle", .duration, "How long a file must have been quiet", byDefault: "2s"),
      Field(
        "settleFolder", .duration,
        "How long all files of a folder that is one document must have been quiet", byDefault: "60s"
      ),
      Field(
        "settleUnleased", .duration,
        "How long a file must have been quiet where no lease can tell whether it is still written",
        byDefault: "10s"),
      Field(
        "settleEndMark", .duration,
        "How long to wait for the end mark of a PDF, PNG, JPEG, TIFF or ZIP file that seems cut off; 20 s at"
          + " most where a lease shows that nobody has it open",
        byDefault: "2m"),
      Field(
        "rescan", .atLeast("100ms", .duration), "How often all is looked at, events or not",
        byDefault: "5m"),
      Field(
        "watch", .oneOf(["auto", "events", "poll"]),
        "Whether to trust the file system's events; auto finds out", byDefault: "auto"),
      Field(
        "poll", .atLeast("100ms", .duration), "How often to look where events are not trusted",
        byDefault: "10s"),
      Field(
        "ignore", .list(.text),
        "Further names to leave alone: * and ? as in a shell, a slash at the end for folders",
        byDefault: []),
      Field(
        "removeEmpty", .duration,
        "How long a sub-folder must have been empty to be removed; none is when left out"),
      marker,
    ])

  static let outbox = ObjectShape(
    "outbox",
    [
      Field("path", .text, "The folder", byDefault: "outbox"),
      Field(
        "layout", .oneOf(["flat", "folder"]),
        "flat mirrors the inbox; folder gives each file a folder of its own", byDefault: "flat"),
      Field(
        "reports", .text,
        "Where reports are put: beside their results, or the name of a folder inside the outbox",
        byDefault: "beside"),
      Field(
        "mtime", .oneOf(["source", "now"]), "The modification time of results",
        byDefault: "source"),
    ] + access)

  static let archive = ObjectShape(
    "archive",
    [
      Field("path", .text, "The folder", byDefault: "archive"),
      Field(
        "keep", .either([.oneOf(["forever", "no"]), .duration]),
        "How long originals stay once their results stand: forever, a time such as 30d, or no",
        byDefault: "forever"),
    ] + access)

  static let quarantine = ObjectShape(
    "quarantine", [Field("path", .text, "The folder", byDefault: "quarantine")] + access)

  private static let marker = Field(
    "marker", .text,
    "The name of a file that must stand in the folder: without it the folder's disk is not mounted, and"
      + " nothing is taken in")

  private static let access = [
    marker,
    Field(
      "mode", .permissions,
      "Who may read and write its files; folders may be entered by those who may read"),
    Field(
      "group", .text, "The group of its files, by name or number; that of the source if left out"),
  ]

  static let metrics = ObjectShape(
    "metrics",
    [
      Field(
        "file", .text,
        "The file they are written into every 15 s, in the text format of Prometheus; taken up at a"
          + " start"),
      Field(
        "socket", .text,
        "A local socket at which they are asked for over HTTP, as they are then; taken up at a start"
      ),
    ])

  static let retry = ObjectShape(
    "retry",
    [
      Field("attempts", .integer(1...100), "How often a step is tried", byDefault: 3),
      Field("backoff", .duration, "How long to wait before the second try", byDefault: "10s"),
      Field("factor", .number(1...100), "How much longer each further wait is", byDefault: 4),
      Field("max", .duration, "The longest wait", byDefault: "10m"),
    ])

  static let limits = ObjectShape(
    "limits",
    [
      Field("memory", .atLeast("16MiB", .size), "Address space of one step", byDefault: "2GiB"),
      Field("pages", .integer(1...1_000_000), "Pages of one document", byDefault: 2000),
      Field("pixels", .atLeast("1px", .pixels), "Pixels of one image", byDefault: "250Mpx"),
      Field("output", .atLeast("1B", .size), "All that one step writes", byDefault: "1GiB"),
      Field("files", .integer(1...1_000_000), "Files that one step writes", byDefault: 10_000),
    ])

  static let defaults = ObjectShape(
    "defaults",
    [
      Field("timeout", .atLeast("1ms", .duration), "How long a step may run", byDefault: "10m"),
      Field(
        "stall", .atLeast("1ms", .duration), "How long a step may be silent", byDefault: "2m"),
      Field("retry", .object(retry), "When a step is tried again"),
      Field("limits", .object(limits), "What a step may use"),
    ])

  static let pipeline = ObjectShape(
    "pipeline",
    [
      Field("id", .identifier, "The pipeline's name", required: true),
      Field("about", .string, "One sentence for people"),
      Field(
        "match", .either([.oneOf(["*"]), .object(match)]),
        "Which files it takes; all when left out, or \"*\""),
      Field(
        "steps", .list(.object(step)),
        "What is done, in order; nothing when left out", byDefault: []),
      Field(
        "emit", .list(.either([.text, .object(emit)]), atLeast: 1),
        "What lands in the outbox: STEP.ROLE, with ? at the end where it may be missing, or source",
        required: true),
      Field(
        "to", .text,
        "Sub-folder of the outbox; {stem} {ext} {yyyy} {mm} {dd} {pipeline} {text:NAME}; the day is that on"
          + " which the file arrived, by \"timeZone\""),
      Field(
        "subfolders", .oneOf(["keep", "drop"]),
        "Whether the folders that a file lay in stand below \"to\" too", byDefault: "keep"),
      Field(
        "onClash", .oneOf(NameClash.allCases.map(\.rawValue)),
        "What happens where the outbox has a file of a result's name: the new one gets a number, as in"
          + " scan~2.pdf, it replaces the old one, or its source is refused",
        byDefault: "number"),
      Field(
        "keep", .either([.oneOf(["forever", "no"]), .duration]),
        "How long originals of its files stay in the archive: forever, a time such as 30d, or no; as the archive says when"
          + " left out"),
      Field(
        "texts", .map(.object(namedText)),
        "Texts of the document that \"to\" and \"as\" may hold as {text:NAME}"),
      Field(
        "series", .identifier,
        "The list of which each file that the rule takes is an edition: its rows are kept and"
          + " compared with those of the edition before"),
      Field(
        "gather", .oneOf(Pipeline.Gathering.allCases.map(\.rawValue)),
        "The rule takes sub-folders of the inbox, each as one document: folder joins the pages of its"
          + " files by their names, odd-even two files of fronts and of backs from the last to the"
          + " first"),
      Field(
        "with", .oneOrMany(.either([.text, .list(.text, atLeast: 1)])),
        "Files that come with each file and are taken together with it: their names with {stem} or"
          + " {name}; of a list inside the list one is enough"),
      Field(
        "wait", .duration,
        "How long a file and what is to come with it wait for each other; 10m when left out"),
    ])

  static let emit = ObjectShape(
    "emit entry",
    [
      Field(
        "from", .text, "STEP.ROLE or source; with ? after it, it may be missing", required: true),
      Field("else", .text, "STEP.ROLE or source, to take where the first is missing"),
      Field(
        "as", .text,
        "The file's name; {stem} {ext} {yyyy} {mm} {dd} {pipeline} {sha8} {label} {text:NAME}"),
    ])

  static let step = ObjectShape(
    "step",
    [
      Field("id", .identifier, "The step's name inside the pipeline", required: true),
      Field("use", .text, "The plugin's step, such as ocr.tesseract", required: true),
      Field("with", .map(.any), "Options of that step", byDefault: [:]),
      Field(
        "in", .either([.oneOrMany(.text), .map(.oneOrMany(.text))]),
        "What it reads: source or STEP.ROLE; of a list the first that exists", byDefault: "source"),
      Field(
        "each", .boolean,
        "Whether it runs once for each file of its input that it can read, and passes over the others",
        byDefault: false),
      Field("if", .text, "A comparison over facts: probe.pagesWithoutText > 0"),
      Field("timeout", .atLeast("1ms", .duration), "How long this step may run"),
      Field(
        "retry",
        .object(
          ObjectShape(
            "retry",
            [
              Field("attempts", .integer(1...100), "How often this step is tried")
            ])), "When this step is tried again"),
      Field(
        "expect", .map(.any),
        "Facts that must hold, else the next rule is tried: NAME, minNAME or maxNAME"),
    ])

  static let text = ObjectShape(
    "text condition",
    [
      Field("pages", .text, "Which pages: 1, 1-3, 2-5,9 or all", byDefault: "1"),
      Field("regex", .regex, "The expression that a line must match", required: true),
      Field("lines", .integer(1...1_000_000), "In how many lines at least", byDefault: 1),
    ])

  static let size = ObjectShape(
    "size condition",
    [
      Field("min", .size, "At least this large"), Field("max", .size, "At most this large"),
    ])

  static let modified = ObjectShape(
    "time condition",
    [
      Field("from", .day, "The first day, in UTC"),
      Field("until", .day, "The last day, in UTC"),
      Field("olderThan", .duration, "How long ago at least, when the file is taken"),
      Field("newerThan", .duration, "How long ago at most, when the file is taken"),
    ])

  package static let match = ObjectShape(
    "match",
    [
      Field("mime", .oneOrMany(.text), "Media types, with * as in image/*"),
      Field("name", .oneOrMany(.text), "File names, with * and ?"),
      Field("path", .oneOrMany(.text), "Paths below the inbox, with * and ?"),
      Field(
        "ignoreCase", .boolean, "Whether SCAN.PDF has a name like *.pdf, and so for paths",
        byDefault: true),
      Field("size", .object(size), "How large the file is"),
      Field("modified", .object(modified), "When the file was last changed"),
      Field("text", .object(text), "What its pages say"),
      Field("any", .list(nested, atLeast: 1), "At least one of these"),
      Field("all", .list(nested, atLeast: 1), "All of these"),
      Field("not", nested, "Not this"),
    ])

  private static var nested: Shape { .named("match", { .object(match) }) }
}

extension ConfigurationShape {
  /// The JSON Schema of `pipelines.json`, with the steps that exist here and their options.
  package static func schema(catalog: PluginCatalog) -> JSON {
    let plain = top.schema(
      title: "procd pipelines", identifier: "procd:pipelines:1")
    let rules: [JSON] = catalog.stepNames.compactMap { name in
      guard let entry = catalog[name] else { return nil }
      let options = Shape.object(entry.step.options).schemaBody
      return [
        "if": ["properties": ["use": ["const": .string(name)]], "required": ["use"]],
        "then": ["properties": ["with": options]],
      ]
    }
    // The steps stand at properties/pipelines/items/properties/steps/items.
    let path = ["properties", "pipelines", "items", "properties", "steps", "items"]
    return plain.changing(path[...]) { step in
      let names: JSON = .array(catalog.stepNames.map { .string($0) })
      let use = (step["properties"]?["use"] ?? [:]).setting("enum", names)
      return step.setting("properties", step["properties"]?.setting("use", use))
        .setting("allOf", .array(rules))
    }
  }
}

extension JSON {
  fileprivate func changing(_ path: ArraySlice<String>, _ change: (JSON) -> JSON) -> JSON {
    guard let first = path.first else { return change(self) }
    guard let inner = self[first] else { return self }
    return setting(first, inner.changing(path.dropFirst(), change))
  }
}
