// swift-tools-version: 6.2
import PackageDescription

// As in the package itself, so that code means here what it means there.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
  name: "color-lists",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "repository-kit", path: "../..")],
  targets: [
    .executableTarget(
      name: "clr",
      dependencies: [
        .product(name: "ErrorHandling", package: "repository-kit"),
        .product(name: "SQLiteStore", package: "repository-kit"),
      ],
      path: "Sources", swiftSettings: settings),
    .testTarget(
      name: "ClrTests",
      dependencies: [
        "clr", .product(name: "ErrorHandling", package: "repository-kit"),
        .product(name: "SQLiteStore", package: "repository-kit"),
      ],
      path: "Tests", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
