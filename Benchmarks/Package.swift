// swift-tools-version: 6.2
import PackageDescription

// As in the package itself, so that code means here what it means there.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// What the counts need, which CI checks: no peer has to be fetched for it.
let withPeers = Context.environment["WITHOUT_PEERS"] == nil
let peers: [Package.Dependency] =
  withPeers ? [.package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0")] : []
// What the server of the benchmarks is compared with, which needs libpq's headers.
let withPostgres = Context.environment["WITHOUT_POSTGRES"] == nil
let postgres: [Target] =
  withPostgres
  ? [
    .systemLibrary(
      name: "CSystemPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
    .target(name: "RawPostgres", dependencies: ["CSystemPostgres", "Model"], swiftSettings: settings),
  ] : []
let comparison: [Target] =
  withPeers
  ? [
    // The same library that the store is linked to; the store keeps its own module of it to itself.
    .systemLibrary(name: "CSystemSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .target(name: "Raw", dependencies: ["CSystemSQLite", "Model"], swiftSettings: settings),
    .target(
      name: "Peers", dependencies: ["Model", "Raw", .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings),
    .executableTarget(
      name: "bench",
      dependencies: [
        "Model", "Peers", "Raw", .product(name: "ErrorHandling", package: "repository-kit"),
        .product(name: "RepositoryService", package: "repository-kit"),
        .product(name: "SQL", package: "repository-kit"),
        .product(name: "SQLiteStore", package: "repository-kit"),
      ] + (withPostgres ? ["RawPostgres", .product(name: "PostgresStore", package: "repository-kit")] : []),
      swiftSettings: settings),
  ] + postgres : []

// A package of its own, so that nobody who uses repository-kit gets the peers that it is compared with.
let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "repository-kit", path: "..")] + peers,
  targets: [
    .target(
      name: "Model", dependencies: [.product(name: "SQLiteStore", package: "repository-kit")],
      swiftSettings: settings),
    .target(name: "CAllocations"),
    // The tool as a program, which needs nothing but its path.
    .executableTarget(name: "processes", swiftSettings: settings),
    .executableTarget(
      name: "counts",
      dependencies: [
        "CAllocations", "Model", .product(name: "RepositoryService", package: "repository-kit"),
        .product(name: "SQL", package: "repository-kit"), .product(name: "SQLiteStore", package: "repository-kit"),
      ], swiftSettings: settings),
  ] + comparison,
  swiftLanguageModes: [.v6]
)
