import Foundation
import TestSupport

/// Runs the compiler over a source text, beside the modules that were built with these tests.
struct Typechecker {
  /// What the compiler found, and what it cost.
  struct Result {
    let diagnostics: [Diagnostic]
    /// How many partial solutions the type checker looked at: the same in every run, unlike its time.
    let scopes: Int
    /// All that the compiler wrote, for a message.
    let output: String
  }

  /// Where the modules are not, or the compiler, or its statistics.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private final class Anchor {}

  private let modules: URL
  private let headers: URL

  init() throws {
    // SwiftPM puts the modules into a folder beside the tests, Xcode beside the tests themselves.
    let places = [Bundle(for: Anchor.self).bundleURL, Bundle.main.bundleURL, Bundle.main.executableURL].compactMap(
      \.self)
    let folders = places.flatMap { place in
      sequence(first: place) { $0.path.count > 1 ? $0.deletingLastPathComponent() : nil }
        .flatMap { [$0.appending(path: "Modules"), $0] }
    }
    let found = folders.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "Repository.swiftmodule").path)
    }
    guard let found else { throw Failure(description: "there is no Repository.swiftmodule near \(places.map(\.path))") }
    modules = found
    headers = URL(filePath: #filePath).appending(path: "../../../Sources/CSQLite").standardized
  }

  /// Checks a source text by the language mode of the package.
  ///
  /// - Parameters:
  ///   - scopeLimit: above how many scopes an expression is an error.
  ///   - isOnMainActor: whether declarations are the main actor's by default; the borders between actors are checked
  ///     too, which takes more than types.
  ///   - isTopLevel: whether the source is that of a `main.swift`.
  func check(
    _ source: String, scopeLimit: Int? = nil, isOnMainActor: Bool? = nil, isTopLevel: Bool = false
  ) async throws -> Result {
    let folder = try TemporaryFolder()
    let statistics = URL(filePath: folder.path("statistics"))
    try FileManager.default.createDirectory(at: statistics, withIntermediateDirectories: true)
    let file = try folder.write(source.utf8, to: "Snippet.swift")
    let limit = scopeLimit.map { ["-Xfrontend", "-solver-scope-threshold=\($0)"] } ?? []
    let border = isOnMainActor.map {
      ["-emit-sil", "-o", "/dev/null"] + ($0 ? ["-default-isolation", "MainActor"] : [])
    }
    let output = try await run(
      [
        "swiftc", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules.path, "-I", headers.path,
        "-stats-output-dir", statistics.path,
      ] + (isTopLevel ? [] : ["-parse-as-library"]) + limit + (border ?? ["-typecheck"]) + [file])
    return Result(
      diagnostics: output.split(separator: "\n").compactMap { Diagnostic($0) }, scopes: try scopes(in: statistics),
      output: output)
  }

  private func run(_ arguments: [String]) async throws -> String {
    try await OwnThread.run {
      let (process, pipe) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = arguments
      process.standardOutput = pipe
      process.standardError = pipe
      try process.run()
      let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return String(decoding: output, as: UTF8.self)
    }
  }

  private func scopes(in folder: URL) throws -> Int {
    let counts = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).compactMap {
      let counters = try JSONSerialization.jsonObject(with: Data(contentsOf: $0)) as? [String: Any]
      return (counters?["Sema.NumConstraintScopes"] as? NSNumber)?.intValue
    }
    if counts.isEmpty { throw Failure(description: "the compiler is missing, or counts no constraint scopes") }
    return counts.reduce(0, +)
  }
}

/// One error or warning of the compiler.
struct Diagnostic: Hashable, CustomStringConvertible {
  /// The line, from 1.
  let line: Int
  /// What is wrong, such as "error: cannot find 'x' in scope".
  let message: String

  var description: String { "\(line): \(message)" }

  /// Reads a line such as `/tmp/Snippet.swift:12:5: error: cannot find 'x' in scope`; `nil` for every other, notes too.
  ///
  /// What the compiler says of other files, such as the source of a module, is a note.
  init?(_ output: Substring) {
    guard let severity = output.range(of: ": error: ") ?? output.range(of: ": warning: ") else { return nil }
    let place = output[..<severity.lowerBound].split(separator: ":").suffix(2)
    guard place.count == 2, let line = place.first.flatMap({ Int($0) }) else { return nil }
    self.line = line
    message = String(output[severity.lowerBound...].dropFirst(2))
  }
}
