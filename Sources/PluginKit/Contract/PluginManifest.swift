/// What a plugin is and offers; `plugin.json` of a foreign one says the same.
public struct PluginManifest: Sendable {
  /// Letters, digits, `-` and `_`, such as `image-ocr`; reports name the plugin so.
  public var name: String
  /// The plugin's own version, any text but the empty one. When it changes, files that come again
  /// are computed anew.
  public var version: String
  /// One sentence for people, shown by `procd plugins`.
  public var about: String
  /// In the order of declaration. Where two plugins offer a step of one name, the first plugin
  /// counts.
  public var steps: [StepManifest]
  /// Commands that it adds to procd; built-in plugins have none.
  public var commands: [CommandManifest]

  /// A plugin; built-in ones give no commands.
  public init(
    name: String, version: String, about: String, steps: [StepManifest],
    commands: [CommandManifest] = []
  ) {
    self.name = name
    self.version = version
    self.about = about
    self.steps = steps
    self.commands = commands
  }
}

/// One step of a plugin.
public struct StepManifest: Sendable {
  /// As `use` names it: `ocr.tesseract`.
  public var name: String
  /// One sentence for people, shown by `procd plugins`.
  public var about: String
  /// Media types it reads; `image/*` and `*/*` are patterns.
  public var accepts: [String]
  /// What a run gives, one entry for each role.
  public var outputs: [OutputManifest]
  /// The options that a pipeline may set; values that do not fit are refused before the step runs.
  public var options: ObjectShape
  /// Names of the facts it gives, with what they say.
  public var facts: [FactManifest]
  /// Whether the host runs it page by page and joins the parts.
  public var splitByPage: Bool
  /// Whether it keeps a folder of its own between jobs.
  public var state: Bool
  /// Whether its runs may be given to other machines: it needs nothing but its inputs and options.
  public var travels: Bool
  /// Folders it may read besides its inputs, such as language data. Absolute paths.
  public var dataFolders: [String]
  /// Media types, or patterns of them, that are decoded by libraries which start threads: where an input is of one,
  /// a sealed step may do so.
  public var threadedTypes: [String]

  /// A step without options, facts and state, run once for a whole document, unless more is said.
  public init(
    name: String, about: String, accepts: [String], outputs: [OutputManifest],
    options: ObjectShape = ObjectShape("options", []), facts: [FactManifest] = [],
    splitByPage: Bool = false, state: Bool = false, travels: Bool = false,
    dataFolders: [String] = [],
    threadedTypes: [String] = []
  ) {
    self.name = name
    self.about = about
    self.accepts = accepts
    self.outputs = outputs
    self.options = options
    self.facts = facts
    self.splitByPage = splitByPage
    self.state = state
    self.travels = travels
    self.dataFolders = dataFolders
    self.threadedTypes = threadedTypes
  }
}

/// A kind of artifact that a step gives.
public struct OutputManifest: Sendable {
  /// What pipelines call the artifact in `emit` and `in`, such as `pdf`; unique within the step.
  public var role: String
  /// Its media type, such as `application/pdf`.
  public var mime: String
  /// Without a dot.
  public var fileExtension: String
  /// Whether every run that ends well gives it.
  public var always: Bool
  /// An output that each run gives, unless `always` says otherwise.
  public init(_ role: String, mime: String, fileExtension: String, always: Bool = true) {
    self.role = role
    self.mime = mime
    self.fileExtension = fileExtension
    self.always = always
  }

  /// Whether its files may be of any type, as what is attached to a mail: then its extension says nothing of them.
  package var isOfAnyType: Bool { mime == "application/octet-stream" }
}

/// A fact that a step gives.
public struct FactManifest: Sendable {
  /// The key in ``StepOutput/facts``, which `if` and `expect` of a pipeline ask for.
  public var name: String
  /// One sentence for people.
  public var about: String
  /// What kind of value it has; nil where that is not said.
  public var kind: Kind?
  /// The media types of the files that have it, with `*` as in `image/*`.
  public var types: [String]

  /// Kinds of values.
  public enum Kind: String, Sendable, CaseIterable {
    /// The kinds of JSON.
    case number, boolean, string
  }

  /// A fact by its name, what it says, of what kind it is, and which files have it.
  public init(_ name: String, _ about: String, _ kind: Kind? = nil, of types: [String] = ["*/*"]) {
    self.name = name
    self.about = about
    self.kind = kind
    self.types = types
  }
}

/// A command of a foreign plugin: `procd NAME …`.
public struct CommandManifest: Sendable, Equatable {
  /// What is typed behind `procd`, such as `guide`. Names of procd's own commands win.
  public var name: String
  /// One sentence for people, shown by `procd plugins` and the help.
  public var about: String
  /// Which arguments are files to read. Options and their values are not counted.
  public enum Reads: Sendable, Equatable {
    case all
    /// Positions, from 0.
    case positions([Int])
    /// For a command of several verbs: by the first argument, all that stand behind it or the ones at
    /// these positions, itself not counted. Other first arguments are followed by no files.
    case behind([Verb])

    /// The files behind one first argument.
    public struct Verb: Sendable, Equatable {
      /// That argument, such as `load`.
      public var name: String
      /// Nil for all.
      public var positions: [Int]?
      /// A verb, and where the files are among what stands behind it, from 0; nil where all of it
      /// is files.
      public init(_ name: String, positions: [Int]?) {
        self.name = name
        self.positions = positions
      }
    }
  }
  /// The files that must exist before the command starts, which gets their absolute paths and may
  /// read them.
  public var reads: Reads
  /// Options whose value is a file to read, such as `--from`.
  public var opens: [String]
  /// Options whose value is a file to write, such as `-o`.
  public var writes: [String]
  /// By the first argument, as of `reads`, which files that exist its results may take the place of.
  public struct Replacing: Sendable, Equatable {
    /// The first argument, such as `page`; nil for any.
    public var verb: String?
    /// Which files.
    public var files: Files

    /// Files that exist.
    public enum Files: String, Sendable, CaseIterable {
      /// What an earlier call made, and so any file: a page or feed that is made anew time and again.
      case earlier
      /// The files that the command reads: it changes them.
      case inputs
    }

    /// What results of calls with a verb may take the place of; of any where it is nil.
    public init(_ files: Files, verb: String? = nil) {
      self.files = files
      self.verb = verb
    }
  }
  /// What results may take the place of without being asked to; else they take that of no file with other content.
  public var replaces: [Replacing]
  /// Options whose value is no file: without them such a value would be taken for an argument.
  public var values: [String]
  /// Whether it gets the folder that the plugin's steps keep their state in.
  public var state: Bool
  /// Whether it may ask for the text of pictures and scans among its files, by ending with
  /// ``asksForText``: then it is started once more, with PDFs that have it in their place.
  public var recognizes: Bool

  /// The exit status of a command that asks for text.
  public static let asksForText: Int32 = 79

  /// A command that reads and writes no files, unless more is said.
  public init(
    name: String, about: String, reads: Reads = .positions([]), opens: [String] = [],
    writes: [String] = [], replaces: [Replacing] = [], values: [String] = [], state: Bool = false,
    recognizes: Bool = false
  ) {
    self.name = name
    self.about = about
    self.reads = reads
    self.opens = opens
    self.writes = writes
    self.replaces = replaces
    self.values = values
    self.state = state
    self.recognizes = recognizes
  }
}

extension CommandManifest {
  /// Asks for results to take the place of files with other content. procd reads it for each command that writes files;
  /// the command never gets it.
  public static let overwrite = "--overwrite"
}

/// Whether a media type matches a pattern such as `image/*`, `*/*` or a whole type. Case and
/// parameters (`; charset=…`) do not count.
public func mediaType(_ type: String, matches pattern: String) -> Bool {
  func bare(_ text: String) -> Substring {
    text.lowercased().prefix { $0 != ";" && $0 != " " }.prefix(while: { _ in true })
  }
  let type = bare(type), pattern = bare(pattern)
  if pattern == "*/*" || pattern == "*" || pattern == type { return true }
  return pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast())
}
