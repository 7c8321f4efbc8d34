// swift-tools-version: 6.2
import PackageDescription

// Targets stand in the order of the rows in docs/architecture.md: imports go only from a higher row
// to a lower one, and Tests/ArchitectureTests asserts it.

let languageSettings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]
/// Tests are compiled without optimization: that takes two thirds of the time, and what they test is optimized.
let testSettings = languageSettings + [.unsafeFlags(["-Onone"])]
let sourceSettings = languageSettings + [.strictMemorySafety()]

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let cryptoExtras: Target.Dependency = .product(name: "CryptoExtras", package: "swift-crypto")
let sqlite: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let lifecycle: Target.Dependency = .product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let signals: Target.Dependency = .product(
  name: "UnixSignals", package: "swift-service-lifecycle")
let server: Target.Dependency = .product(
  name: "HummingbirdCore", package: "hummingbird")
let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// A room of the house: a library target below Sources/.
func room(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, exclude: exclude, swiftSettings: sourceSettings)
}

/// A built-in plugin: a library target below Plugins/.
func plugin(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Plugins/\(name)", swiftSettings: sourceSettings)
}

func program(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, resources: resources, swiftSettings: sourceSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], swiftSettings: testSettings)
}

/// `make fuzz` needs a compiler that knows libFuzzer, so ordinary builds leave its target out.
let fuzzing: [Target] =
  Context.environment["PROCD_FUZZ"] == nil
  ? []
  : [
    .executableTarget(
      name: "procd-fuzz",
      dependencies: [
        "Bytes", "Dates", "Finding", "Fleet", "Guide", "ImageHeaders", "ImageOCR", "MarkdownText",
        "Notes",
        "PDFSyntax",
        "PDFText",
        "PDFWriter", "Pipelines", "PluginKit", "Probe", system,
      ],
      path: "Tests/Fuzzing", exclude: ["run", "seeds.py"],
      swiftSettings: languageSettings)
  ]

let package = Package(
  name: "procd",
  products: [
    .library(name: "PDFEngine", targets: ["Bytes", "PDFSyntax", "PDFText", "PDFWriter"]),
    .library(name: "PDFInput", targets: ["PDFInput"]),
    .library(name: "PluginCommands", targets: ["PluginCommands"]),
    .library(name: "PluginKit", targets: ["PluginKit"]),
    .executable(name: "procd", targets: ["procd"]),
    .executable(name: "procd-daemon", targets: ["procd-daemon"]),
    .executable(name: "procd-fleet", targets: ["procd-fleet"]),
    .executable(name: "procd-guide", targets: ["procd-guide"]),
    .executable(name: "procd-net", targets: ["procd-net"]),
    .executable(name: "procd-notes", targets: ["procd-notes"]),
    .executable(name: "procd-speech", targets: ["procd-speech"]),
    .executable(name: "procd-web", targets: ["procd-web"]),
    .executable(name: "procd-worker", targets: ["procd-worker"]),
    .executable(name: "procd-worker-ocr", targets: ["procd-worker-ocr"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", exact: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // Row 0: the system's libraries and calls.
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    // What Leptonica is called when linking differs from version to version.
    .systemLibrary(
      name: "CTesseract", pkgConfig: "lept",
      providers: [.apt(["libtesseract-dev", "libleptonica-dev"])]),
    .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CTiff", pkgConfig: "libtiff-4", providers: [.apt(["libtiff-dev"])]),
    .systemLibrary(name: "CMagic", pkgConfig: "libmagic", providers: [.apt(["libmagic-dev"])]),
    .systemLibrary(
      name: "CEspeak", pkgConfig: "espeak-ng", providers: [.apt(["libespeak-ng-dev"])]),
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(
      name: "CHarfBuzz", pkgConfig: "harfbuzz-subset", providers: [.apt(["libharfbuzz-dev"])]),
    .systemLibrary(name: "CFriBidi", pkgConfig: "fribidi", providers: [.apt(["libfribidi-dev"])]),
    .systemLibrary(
      name: "CFontconfig", pkgConfig: "fontconfig", providers: [.apt(["libfontconfig-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev", "libssl-dev"])]),
    .systemLibrary(name: "CNats", pkgConfig: "libnats", providers: [.apt(["libnats-dev"])]),
    // Loaded at run time, so nothing is to be linked: no pkgConfig.
    .systemLibrary(name: "CZBar", providers: [.apt(["libzbar-dev"])]),
    .systemLibrary(name: "CXML", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .target(name: "CLinux"),
    .target(name: "CSerialOpenMP"),

    // Row 1
    room("Bytes", [system]),
    room("PlainText", []),
    room("Languages", []),
    room("Dates", ["Bytes"]),
    .target(
      name: "PageStyle", dependencies: ["CZlib"], resources: [.embedInCode("family.css")],
      swiftSettings: sourceSettings),
    room("Files", ["CLinux", "PlainText", crypto, system]),
    room("Confinement", ["CLinux", system]),

    // Row 2
    room("SQLiteFiles", ["Files", sqlite, system]),
    room("PluginKit", ["Confinement", "CLinux", system]),
    room("PDFSyntax", ["Bytes", "CZlib", crypto, cryptoExtras]),
    room("ImageHeaders", ["Bytes"]),

    // Row 3
    room("Pipelines", ["PluginKit", "PlainText", "Dates", system]),
    room("Spreadsheets", ["PluginKit", "Bytes", "CZlib"]),
    room(
      "PDFText", ["PDFSyntax", "Bytes"],
      exclude: ["Fonts/Data/make-cjk-tables.py", "Fonts/Data/make-presentation-forms.py"]),
    room("PDFWriter", ["PDFSyntax", "Bytes"]),
    room("PluginCommands", ["PluginKit", "PlainText", argumentParser]),

    // Row 4
    room("PageAPI", ["PluginKit", crypto, cryptoExtras]),
    room("PDFInput", ["PluginKit", "PDFWriter", "PDFText", "PDFSyntax", "Bytes", system]),
    room("PlacedText", ["PDFText", "Bytes"]),
    room("TableText", ["Spreadsheets", "PDFWriter", "PDFText", "PDFSyntax", "Dates", "Bytes"]),
    room("MarkdownText", ["TableText", "PDFText", "Bytes"]),
    room("Intake", ["Bytes", "Pipelines", "PluginKit", "Files", "CLinux", system]),
    room("JobLedger", ["Pipelines", "PluginKit", "SQLiteFiles", sqlite, system]),
    room("Series", ["PluginKit", "SQLiteFiles", "Dates", "Bytes", "PageStyle", sqlite, system]),
    room("Finding", ["Bytes", "Files", "SQLiteFiles", sqlite, system]),
    room("Notices", ["Pipelines", "PluginKit", "SQLiteFiles", sqlite, system]),
    room("Outbox", ["Pipelines", "PluginKit", "Files", "PlainText", system]),
    room("Workers", ["PluginKit", "Pipelines", "Files", "CLinux", system]),
    room(
      "Fleet",
      ["Workers", "Outbox", "Pipelines", "PluginKit", "Files", "CLinux", crypto, system]),

    // Row 5: the built-in plugins.
    plugin(
      "Probe",
      [
        "PluginKit", "CMagic", "Bytes", "Dates", "ImageHeaders", "PDFSyntax", "PDFText",
        "TableText",
      ]),
    plugin(
      "ImageOCR",
      [
        "PluginKit", "CTesseract", "CHeif", "CTiff", "CZBar", "Bytes", "ImageHeaders", "PDFSyntax",
        "PDFText", "PDFWriter", "PDFInput", "PlacedText", "TableText", "Languages", "Dates", system,
      ]),
    plugin(
      "PDFTextExtraction",
      [
        "PluginKit", "Bytes", "MarkdownText", "PDFSyntax", "PDFText", "PDFInput", "PDFWriter",
        "PlacedText",
      ]),
    plugin(
      "StatusRows",
      [
        "PluginKit", "Bytes", "Dates", "PDFSyntax", "PDFText", "PDFInput", "Spreadsheets",
        "TableText",
      ]),
    plugin(
      "TableRows",
      [
        "PluginKit", "Bytes", "PDFSyntax", "PDFText", "PDFWriter", "PDFInput", "Spreadsheets",
        "TableText",
      ]),

    // Foreign plugins that come with procd: programs of their own that use what a stranger's plugin
    // can use.
    .target(
      name: "Guide",
      dependencies: [
        "PluginKit", "PluginCommands", "Bytes", "Dates", "PageStyle", "CXML", "CZlib",
        argumentParser, sqlite,
        system,
      ],
      path: "Plugins/Guide",
      exclude: ["Program", "plugin.json"], resources: [.embedInCode("Page")],
      swiftSettings: sourceSettings),
    .executableTarget(
      name: "procd-guide", dependencies: ["Guide"], path: "Plugins/Guide/Program",
      swiftSettings: sourceSettings),

    .target(
      name: "Notes",
      dependencies: [
        "PluginKit", "PluginCommands", "Bytes", "PDFSyntax", "PDFText", "PDFWriter", "PDFInput",
        "CHarfBuzz", "CFriBidi", "CFontconfig", "CXML", argumentParser, system,
      ],
      path: "Plugins/Notes", exclude: ["Program", "plugin.json"], swiftSettings: sourceSettings),
    .executableTarget(
      name: "procd-notes", dependencies: ["Notes"], path: "Plugins/Notes/Program",
      swiftSettings: sourceSettings),

    // Row 6
    room(
      "Conveyor",
      [
        "Intake", "JobLedger", "Series", "Finding", "Notices", "Fleet", "Workers", "Outbox",
        "Pipelines",
        "PluginKit", "Bytes", "Confinement", "Files", "PlainText", lifecycle, signals, system,
      ]),

    // Row 7: the programs.
    room("ReadingArguments", ["PluginKit", argumentParser, system]),
    program(
      "procd",
      [
        "ReadingArguments", "MarkdownText", "PDFSyntax", "PDFText", "PDFWriter", "PlacedText",
        "Spreadsheets", "TableText", "Dates", "Confinement", "Bytes", "PlainText", "PluginKit",
        argumentParser,
        system,
      ]),
    program(
      "procd-daemon",
      [
        "ReadingArguments", "Conveyor", "Fleet", "Workers", "Intake", "Pipelines", "JobLedger",
        "Series", "Finding", "Notices", "PageAPI", "PluginKit", "Languages", "Spreadsheets",
        "Confinement", "Dates", "Files", "PlainText", argumentParser, logging, lifecycle, system,
      ], resources: [.embedInCode("Templates")]),
    program(
      "procd-worker",
      ["PluginKit", "Probe", "PDFTextExtraction", "StatusRows", "TableRows"]),
    program("procd-net", ["PluginKit", "Pipelines", "Confinement", "CCurl", crypto, system]),
    program(
      "procd-fleet",
      ["PluginKit", "Pipelines", "Files", "Confinement", "CNats", system]),
    program(
      "procd-web",
      [
        "PageAPI", "PageStyle", "Pipelines", "PluginKit", "Files", "Confinement", crypto,
        server,
      ],
      resources: [.embedInCode("Page")]),
    program("procd-worker-ocr", ["PluginKit", "ImageOCR", "CSerialOpenMP"]),

    // Foreign plugins that come with procd: programs that use what a stranger's plugin can use.
    .executableTarget(
      name: "procd-speech",
      dependencies: [
        "PluginKit", "PluginCommands", "Bytes", "PDFSyntax", "PDFText", "PDFInput", "TableText",
        "Languages", "PageStyle", "CEspeak", "CSndfile", argumentParser, system,
      ],
      path: "Plugins/Speech", exclude: ["plugin.json"],
      resources: [
        .embedInCode("Listening/Page/listen.css"), .embedInCode("Listening/Page/listen.js"),
        .embedInCode("Listening/Page/player.html"),
      ],
      swiftSettings: sourceSettings),

    // Tests
    .target(
      name: "TestSupport", dependencies: ["PluginKit", "CLinux", system], path: "Tests/TestSupport",
      swiftSettings: languageSettings),
    tests("ArchitectureTests", [system]),
    tests("BytesTests", ["Bytes", system]),
    tests("PlainTextTests", ["PlainText"]),
    tests("FilesTests", ["Files", system]),
    .target(name: "BreakOut", path: "Tests/BreakOut"),
    .executableTarget(
      name: "ConfinementProbe", dependencies: ["BreakOut", "Confinement", "CLinux", system],
      path: "Tests/ConfinementProbe", exclude: ["record.py"], swiftSettings: languageSettings),
    tests("ConfinementTests", ["Confinement", "ConfinementProbe", system]),
    tests("PluginKitTests", ["PluginKit", system]),
    tests("ImageHeadersTests", ["ImageHeaders", "Bytes"]),
    tests("PDFSyntaxTests", ["PDFSyntax", "Bytes"]),
    tests("PipelinesTests", ["Pipelines", "PluginKit", system]),
    tests("PDFTextTests", ["PDFText", "PDFSyntax", "Bytes"]),
    tests("PDFWriterTests", ["PDFWriter", "PDFSyntax", "PDFText", "Bytes"]),
    tests("MarkdownTextTests", ["MarkdownText", "PDFText", "PDFSyntax", "Bytes"]),
    tests("PlacedTextTests", ["PlacedText", "PDFText", "PDFSyntax", "Bytes"]),
    tests("DatesTests", ["Dates"]),
    tests("TableTextTests", ["TableText", "Dates", "PDFText", "PDFSyntax", "Bytes"]),
    tests("SpreadsheetsTests", ["Spreadsheets", "Bytes"]),
    tests("IntakeTests", ["Bytes", "Intake", "Pipelines", "PluginKit", "Files", system]),
    tests("JobLedgerTests", ["JobLedger", "Pipelines", "PluginKit", system, sqlite]),
    tests("SeriesTests", ["Series", "PluginKit", system]),
    tests("NetTests", ["procd-net", "Pipelines", "PluginKit"]),
    tests(
      "SpeechTests",
      [
        "procd", "procd-daemon", "procd-speech", "procd-worker", "PluginKit", "PDFSyntax",
        "PDFText",
        "Languages", argumentParser, system,
      ]),
    tests("FindingTests", ["Finding", system]),
    tests("PageAPITests", ["PageAPI", "PluginKit"]),
    tests("NoticesTests", ["Notices", "Pipelines", "PluginKit", system]),
    tests("OutboxTests", ["Outbox", "Pipelines", "PluginKit", "Files", system]),
    .executableTarget(
      name: "HostileWorker", dependencies: ["PluginKit"], path: "Tests/HostileWorker",
      swiftSettings: languageSettings),
    tests(
      "FleetTests",
      ["procd-fleet", "Fleet", "Workers", "Pipelines", "PluginKit", "Files", system]),
    tests("WorkersTests", ["Workers", "PluginKit", "Pipelines", "Files", "HostileWorker", system]),
    tests(
      "PluginTests",
      [
        "Probe", "ImageOCR", "PDFTextExtraction", "StatusRows", "TableRows", "PluginKit",
        "ImageHeaders", "PDFSyntax", "PDFText", "PDFWriter", "TableText", "Bytes", "Dates",
        "Languages", system,
      ]),
    tests("PluginCommandsTests", ["PluginCommands", "PluginKit", argumentParser, system]),
    tests("GuideTests", ["Guide", "PluginKit", "Bytes", "Dates", sqlite, system]),
    tests(
      "NotesTests",
      [
        "Notes", "procd-daemon", "procd-notes", "PluginKit", "Bytes", "PDFSyntax", "PDFText",
        "PDFWriter", system,
      ]),
    tests(
      "ConsoleTests", ["procd-daemon", "Conveyor", "Pipelines", "PlainText", "PluginKit", system]),
    tests(
      "ConveyorTests",
      [
        "CLinux", "Conveyor", "Files", "Intake", "JobLedger", "Notices", "Pipelines", "PluginKit",
        system,
      ]),
    tests(
      "EndToEndTests",
      [
        "procd", "procd-daemon", "procd-guide", "procd-net", "procd-worker", "procd-worker-ocr",
        "Pipelines", "PluginKit", "Files", system,
      ]),
  ] + fuzzing
)
