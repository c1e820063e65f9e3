import Foundation
import Testing

@testable import faults

@Suite("The page on reliability")
struct ReliabilityPageTests {
  private let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

  private func lines(from start: String, to end: String) throws -> [[String]] {
    let page = try String(contentsOf: root.appending(path: "docs/reliability.md"), encoding: .utf8)
    let from = try #require(page.range(of: start)).upperBound
    let to = try #require(page.range(of: end, range: from..<page.endIndex)).lowerBound
    return page[from..<to].split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  private func names(in cell: String) -> [String] { cell.matches(of: #/`([^`]+)`/#).map { String($0.1) } }

  @Test("has a line for each experiment, and for nothing else")
  func experiments() throws {
    let rows =
      try lines(from: "## The last run\n", to: "## Proof of the tests")
      + lines(from: "## PostgreSQL\n", to: "## The server")
    let named = rows.compactMap { row in row.first.flatMap { names(in: $0).first } }
    #expect(Set(named) == Set(Experiment.all.map(\.name)))
    #expect(named.count == Set(named).count)
  }

  @Test("names slips, suites and experiments that there are")
  func slips() throws {
    let slips = try Set(listedSlips().keys)
    #expect(slips.count > 600)
    let experiments = Set(Experiment.all.map(\.name))
    var suites: Set<String> = []
    for folder in ["Tests", "Faults", "Fuzz"] {
      let paths = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path()))
      for case let path as String in paths { suites.insert(URL(filePath: path).lastPathComponent) }
    }
    var count = 0
    for row in try lines(from: "## Proof of the tests\n", to: "## PostgreSQL\n") {
      for name in row.flatMap(names) {
        let isThere = slips.contains(name) || experiments.contains(name) || suites.contains("\(name).swift")
        #expect(isThere, "\(name)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test("tells which experiments are tried with which slips")
  func triedExperiments() throws {
    let tried = try Set(
      listedSlips().flatMap { slip, lines in names(after: "experiments:", in: lines).map { [$0, slip] } })
    let rows = try lines(from: "| Slips with which it fails |\n", to: "| Experiment without a slip | Why |\n")
    let told = rows.flatMap { row in names(in: row[1]).map { [names(in: row[0]).first ?? "", $0] } }
    #expect(Set(told) == tried)
    #expect(told.count == tried.count)
  }

  @Test("tells a slip for each experiment, or why there is none")
  func provenExperiments() throws {
    let proven = try lines(from: "| Slips with which it fails |\n", to: "| Experiment without a slip | Why |\n")
    let others = try lines(from: "| Experiment without a slip | Why |\n", to: "## PostgreSQL\n")
    let told = (proven + others).compactMap { row in row.first.flatMap { names(in: $0).first } }
    #expect(Set(told) == Set(Experiment.all.map(\.name)))
    #expect(told.count == Set(told).count)
    #expect(others.allSatisfy { $0.count == 2 && $0[1].count > 20 })
  }

  /// A line a promise: its first words, what tries it, and its slips.
  private func promises() throws -> [[String]] {
    try lines(from: "| Promise | Tried by | Slips |\n", to: "| Experiment | Slips with which it fails |")
  }

  @Test("tells for each promise what would notice, and for nothing else")
  func toldPromises() throws {
    let page = try String(contentsOf: root.appending(path: "docs/reliability.md"), encoding: .utf8)
    let from = try #require(page.range(of: "## Promises\n")).upperBound
    let to = try #require(page.range(of: "## The last run\n")).lowerBound
    let promised = page[from..<to].matches(of: #/\n- \*\*([^*]+?)\.?\*\*/#).map { String($0.1) }
    #expect(promised.count > 5)
    #expect(try promises().map { $0[0] }.sorted() == promised.sorted())
  }

  @Test("tells of each experiment which promise it tries")
  func purposes() throws {
    let told = try Set(promises().flatMap { names(in: $0[1]) })
    #expect(Set(Experiment.all.map(\.name)).subtracting(told) == [])
  }

  @Test("tells of a suite that it tries a promise where it notices one of the promise's slips")
  func suites() throws {
    let (experiments, listed) = (Set(Experiment.all.map(\.name)), try listedSlips())
    var count = 0
    for row in try promises() {
      let slips = names(in: row[2])
      #expect(!slips.isEmpty, "\(row[0])")
      let suites = try Set(slips.flatMap { tests(in: try #require(listed[$0], "\($0)")) })
      for name in names(in: row[1]) where !experiments.contains(name) {
        #expect(suites.contains(name), "\(row[0]): \(name)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  /// The suites that the lines of a slip name, without their modules.
  private func tests(in lines: [Substring]) -> [String] {
    names(after: "tests:", in: lines).compactMap { $0.split(separator: ".").last.map(String.init) }
  }

  /// The lines of each slip, by its name.
  private func listedSlips() throws -> [String: [Substring]] {
    let folder = root.appending(path: "Tests/Mutants")
    var slips: [String: [Substring]] = [:]
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      for entry in try String(contentsOf: file, encoding: .utf8).split(separator: "\n## ").dropFirst() {
        let lines = entry.split(separator: "\n")
        slips[String(lines[0])] = Array(lines.dropFirst())
      }
    }
    return slips
  }

  /// What the option of a slip names.
  private func names(after option: String, in lines: [Substring]) -> [String] {
    lines.first { $0.hasPrefix(option) }?.dropFirst(option.count).split(separator: " ").map(String.init) ?? []
  }
}
