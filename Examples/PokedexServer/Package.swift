// swift-tools-version: 6.2
import PackageDescription

// As in the package itself, so that code means here what it means there.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// A package of its own, so that nobody who uses repository-kit gets a server with it.
let package = Package(
  name: "pokedex-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "repository-kit", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.0.0"),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
  ],
  targets: [
    // What is shown, and how a server of Hummingbird mounts it.
    .target(
      name: "PokedexService",
      dependencies: [
        .product(name: "CSV", package: "repository-kit"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "PostgresStore", package: "repository-kit"),
        .product(name: "RepositoryService", package: "repository-kit"),
        .product(name: "SQLiteStore", package: "repository-kit"),
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "pokedex-server",
      dependencies: ["PokedexService", .product(name: "Hummingbird", package: "hummingbird")],
      path: "Sources/PokedexServer", swiftSettings: settings),
    // A find by hand, which the service is measured beside.
    .executableTarget(
      name: "handwritten",
      dependencies: [
        "PokedexService", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "SQLiteStore", package: "repository-kit"),
      ],
      path: "Sources/Handwritten", swiftSettings: settings),
    // A second program, which asks the first one by a web store.
    .executableTarget(
      name: "pokedex-watch",
      dependencies: ["PokedexService", .product(name: "WebStore", package: "repository-kit")],
      path: "Sources/PokedexWatch", swiftSettings: settings),
    .testTarget(
      name: "PokedexServerTests",
      dependencies: [
        "PokedexService", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "PostgresStore", package: "repository-kit"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "WebStore", package: "repository-kit"),
      ],
      path: "Tests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
