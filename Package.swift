// swift-tools-version: 6.2
import PackageDescription

// Every target is compiled with the same upcoming features, so that a file means the same wherever it moves.
let settings: [SwiftSetting] = [
  // `any Repository<Pokemon>` shows where a call is dispatched at run time, which is what AnyRepository is about.
  .enableUpcomingFeature("ExistentialAny"),
  // What a module shows of its imports is a decision (`public import`), never an accident: only SQLiteStore knows C.
  .enableUpcomingFeature("InternalImportsByDefault"),
  // A member is visible where its module is imported, so no file compiles because of a neighbour's import.
  .enableUpcomingFeature("MemberImportVisibility"),
  // An async call runs on its caller unless it says otherwise: a point read costs 3.5 µs, a hop to another executor
  // 6 to 25 µs. Long reads say `@concurrent`.
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "repository-kit",
  // The first releases that ship the Synchronization module (`Mutex`).
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Query", targets: ["Query"]),
    .library(name: "SQL", targets: ["SQL"]),
    .library(name: "Repository", targets: ["Repository"]),
    .library(name: "SQLiteStore", targets: ["SQLiteStore"]),
    .library(name: "PostgresStore", targets: ["PostgresStore"]),
    .library(name: "CSV", targets: ["CSV"]),
    .library(name: "ErrorHandling", targets: ["ErrorHandling"]),
    .library(name: "RepositoryTesting", targets: ["RepositoryTesting"]),
    .library(name: "RepositoryService", targets: ["RepositoryService"]),
    .library(name: "WebStore", targets: ["WebStore"]),
    .executable(name: "repokit", targets: ["repokit"]),
    .executable(name: "pokedex", targets: ["pokedex"]),
  ],
  traits: [
    .default(enabledTraits: ["NSError"]),
    // On Linux NSError needs all of Foundation, with some 40 MB of tables for languages, which a tool that is linked into
    // one file does without: `--disable-default-traits`. On Apple's systems it is always there.
    .trait(name: "NSError", description: "Friendly forms of Foundation's NSError, and matchers for it"),
  ],
  targets: [
    // What every error tells, below all that throws one.
    .target(name: "ErrorDetails", swiftSettings: settings),
    .target(name: "Query", dependencies: ["ErrorDetails"], swiftSettings: settings),
    .target(name: "SQL", dependencies: ["Query"], swiftSettings: settings),
    .target(name: "ErrorHandling", dependencies: ["ErrorDetails"], swiftSettings: settings),
    .target(name: "Repository", dependencies: ["ErrorDetails", "ErrorHandling", "Query"], swiftSettings: settings),
    .target(name: "CSV", dependencies: ["ErrorDetails"], swiftSettings: settings),
    // No pkgConfig: the header and the library are on the default paths, and pkg-config may not be installed.
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    // What is about any SQL database: a store of one engine is a driver and a façade.
    .target(name: "SQLStore", dependencies: ["Query", "Repository", "SQL"], swiftSettings: settings),
    .target(
      name: "SQLiteStore", dependencies: ["CSQLite", "Query", "Repository", "SQL", "SQLStore"], swiftSettings: settings),
    // It loads libpq when a program opens a store, so that nothing has to be installed to build it.
    .target(name: "PostgresStore", dependencies: ["Query", "Repository", "SQL", "SQLStore"], swiftSettings: settings),
    // What only the command-line tool asks of a database: of any, and of each engine in its own way.
    .target(
      name: "SQLInspection", dependencies: ["ErrorDetails", "Query", "Repository", "SQL", "SQLStore"],
      swiftSettings: settings),
    .target(
      name: "SQLiteInspection",
      dependencies: ["Query", "Repository", "SQL", "SQLInspection", "SQLStore", "SQLiteStore"],
      swiftSettings: settings),
    .target(
      name: "PostgresInspection",
      dependencies: ["PostgresStore", "Query", "Repository", "SQL", "SQLInspection", "SQLStore"],
      swiftSettings: settings),
    // What travels between a repository service and a web store: both sides read and write it by this alone.
    .target(
      name: "WebRepositoryFormat", dependencies: ["ErrorDetails", "Query", "Repository"], swiftSettings: settings),
    .target(
      name: "RepositoryService", dependencies: ["ErrorDetails", "Query", "Repository", "WebRepositoryFormat"],
      swiftSettings: settings),
    .target(name: "WebStore", dependencies: ["Query", "Repository", "WebRepositoryFormat"], swiftSettings: settings),
    .target(name: "RepositoryTesting", dependencies: ["Query", "Repository"], swiftSettings: settings),
    .target(
      name: "RowImport",
      dependencies: ["CSV", "ErrorDetails", "Query", "Repository", "SQLInspection", "SQLStore", "SQLiteStore"],
      swiftSettings: settings),
    .target(name: "LineEditor", dependencies: ["ErrorDetails"], swiftSettings: settings),
    .executableTarget(
      name: "repokit",
      dependencies: [
        "CSV", "ErrorDetails", "ErrorHandling", "LineEditor", "PostgresInspection", "PostgresStore", "Query",
        "Repository", "RowImport",
        "SQL", "SQLInspection", "SQLStore", "SQLiteInspection", "SQLiteStore",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "pokedex",
      dependencies: ["CSV", "ErrorHandling", "PostgresStore", "Query", "Repository", "SQLiteStore"],
      path: "Examples/Pokedex/Sources", swiftSettings: settings),
    // What several test targets need; no product, and no target but these and the programme of faults depends on it.
    .target(
      name: "TestSupport", dependencies: ["Query", "Repository", "RepositoryService", "WebStore"],
      path: "Tests/Support",
      swiftSettings: settings),
    // Breaks things on purpose, and shows that nothing is lost: `make faults`.
    .target(name: "CFaultVFS", path: "Faults/CFaultVFS"),
    .executableTarget(
      name: "faults",
      dependencies: [
        "CFaultVFS", "CSQLite", "CSanitizer", "PostgresStore", "Query", "Repository", "RowImport", "SQLStore",
        "SQLiteStore",
        "TestSupport",
      ],
      path: "Faults/Sources", swiftSettings: settings),
    // What has to hold for every input: libFuzzer looks for inputs that break it (`make fuzz`), and tests try those that are kept.
    .target(
      name: "FuzzLaws",
      dependencies: [
        "CSQLite", "CSV", "Query", "Repository", "RepositoryService", "RowImport", "SQLStore", "SQLiteStore",
        "WebRepositoryFormat",
      ],
      path: "Fuzz", exclude: ["Corpus", "Tests", "words.dict"], swiftSettings: settings),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzLaws", "TestSupport"], path: "Fuzz/Tests", swiftSettings: settings),
    // The tool is killed, too.
    .testTarget(
      name: "FaultTests", dependencies: ["CFaultVFS", "TestSupport", "faults", "repokit"], path: "Faults/Tests",
      swiftSettings: settings),
    // Linked to the tests, so that Thread Sanitizer understands Swift's mutexes. Empty without it.
    .target(name: "CSanitizer", path: "Tests/CSanitizer"),
    .testTarget(name: "QueryTests", dependencies: ["Query", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "ErrorHandlingTests", dependencies: ["CSanitizer", "ErrorHandling", "Repository"], swiftSettings: settings),
    .testTarget(name: "SQLTests", dependencies: ["Query", "SQL", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "RepositoryTests",
      dependencies: ["CSanitizer", "ErrorHandling", "Query", "Repository", "RepositoryTesting", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "CompileTests",
      dependencies: ["PostgresStore", "Query", "Repository", "RepositoryTesting", "SQLiteStore", "TestSupport"],
      exclude: ["Snippets"],
      swiftSettings: settings),
    .testTarget(name: "CSVTests", dependencies: ["CSV", "ErrorHandling", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "SQLStoreTests", dependencies: ["Query", "Repository", "SQL", "SQLStore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "SQLiteStoreTests",
      dependencies: [
        "CSQLite", "CSanitizer", "ErrorHandling", "Query", "Repository", "RepositoryTesting", "SQL", "SQLInspection",
        "SQLStore", "SQLiteInspection", "SQLiteStore", "TestSupport",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PostgresStoreTests",
      dependencies: [
        "CSanitizer", "ErrorHandling", "PostgresInspection", "PostgresStore", "Query", "Repository",
        "RepositoryTesting",
        "SQL", "SQLStore", "SQLiteStore", "TestSupport",
      ],
      swiftSettings: settings),
    // What the drivers of another library are tested with, over every store: docs/coming-from-fluent.md.
    .testTarget(
      name: "FluentComparisonTests",
      dependencies: ["PostgresStore", "Query", "Repository", "SQLiteStore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RowImportTests",
      dependencies: ["CSV", "Query", "Repository", "RowImport", "SQLiteStore", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "RepositoryServiceTests", dependencies: ["Query", "Repository", "RepositoryService", "TestSupport"],
      swiftSettings: settings),
    .testTarget(
      name: "WebStoreTests",
      dependencies: [
        "PostgresStore", "Query", "Repository", "RepositoryService", "RepositoryTesting", "SQLiteStore", "TestSupport",
        "WebRepositoryFormat", "WebStore",
      ],
      swiftSettings: settings),
    .testTarget(name: "LineEditorTests", dependencies: ["LineEditor", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "repokitTests",
      dependencies: [
        "CSV", "ErrorHandling", "LineEditor", "PostgresStore", "Query", "SQLInspection", "SQLiteInspection",
        "SQLiteStore", "TestSupport", "repokit",
      ],
      exclude: ["Help/Golden", "Slow/Clauses/clauses.txt", "Slow/Clauses/generate.py"], swiftSettings: settings),
    .testTarget(
      name: "PokedexTests", dependencies: ["ErrorHandling", "Query", "Repository", "pokedex"],
      path: "Examples/Pokedex/Tests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)

/// What a variable of the environment lists, without what is empty.
func names(in variable: String) -> [String] {
  (Context.environment[variable] ?? "").split(separator: ",").map(String.init).filter { !$0.isEmpty }
}

// What takes long to build or to run is a part of the package only with `REPOKIT_ALL=1`, which `make test-slow`, `make faults`,
// `make fuzz` and CI set: the folders `Slow` of the tests, and what is beside the library and the tool.
let isComplete = !names(in: "REPOKIT_ALL").isEmpty
let extras: Set = [
  "CFaultVFS", "CompileTests", "FaultTests", "FluentComparisonTests", "FuzzLaws", "FuzzTests", "PokedexTests", "faults",
]
let withSlowFolder: Set = [
  "CSVTests", "ErrorHandlingTests", "PostgresStoreTests", "QueryTests", "RepositoryServiceTests", "RepositoryTests",
  "SQLStoreTests", "SQLiteStoreTests", "WebStoreTests", "repokitTests",
]
for target in package.targets where !isComplete && withSlowFolder.contains(target.name) {
  target.exclude.append("Slow")
  // The contract is tried by slow tests alone.
  target.dependencies.removeAll { if case .byNameItem("RepositoryTesting", _) = $0 { true } else { false } }
}

// The tests of some modules alone, with what they need: `REPOKIT_TESTS=QueryTests,SQLTests swift test`.
let asked = names(in: "REPOKIT_TESTS")
if !asked.isEmpty {
  var needed = Set(asked)
  var size = 0
  while size < needed.count {
    size = needed.count
    for target in package.targets where needed.contains(target.name) {
      for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll()
} else if !isComplete {
  package.targets.removeAll { extras.contains($0.name) }
}
