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
      try lines(from: "## The last run\n", to: "## What would notice")
      + lines(from: "## PostgreSQL\n", to: "## The server")
    let named = rows.compactMap { row in row.first.flatMap { names(in: $0).first } }
    #expect(Set(named) == Set(Experiment.all.map(\.name)))
    #expect(named.count == Set(named).count)
  }

  @Test("names slips, suites and experiments that there are")
  func slips() throws {
    let slips = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Tests/Mutants").path())
    let experiments = Set(Experiment.all.map(\.name))
    var suites: Set<String> = []
    for folder in ["Tests", "Faults", "Fuzz"] {
      let paths = try #require(FileManager.default.enumerator(atPath: root.appending(path: folder).path()))
      for case let path as String in paths { suites.insert(URL(filePath: path).lastPathComponent) }
    }
    var count = 0
    for row in try lines(from: "## What would notice\n", to: "## PostgreSQL\n") {
      for name in row.flatMap(names) {
        let isThere =
          slips.contains("\(name).mutant") || experiments.contains(name) || suites.contains("\(name).swift")
        #expect(isThere, "\(name)")
        count += 1
      }
    }
    #expect(count > 50)
  }

  @Test("tells how many slips there are")
  func slipCount() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Tests/Mutants").path())
    let count = files.count { $0.hasSuffix(".mutant") }
    let page = try String(contentsOf: root.appending(path: "docs/reliability.md"), encoding: .utf8)
    let row = try #require(page.split(separator: "\n").first { $0.hasPrefix("| `make mutants` | ") })
    #expect(row.dropFirst(19).prefix { $0 != "(" } == "\(Self.words(of: count)) small slips ")
  }

  /// A number from 100 to 999 as a sentence begins with it: "Three hundred and eleven".
  private static func words(of number: Int) -> String {
    let small = [
      "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
      "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ]
    let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    let rest = number % 100
    let (ten, one) = (rest / 10, rest % 10)
    let end = rest < 20 ? small[rest] : tens[ten] + (one == 0 ? "" : "-" + small[one])
    return small[number / 100].capitalized + " hundred" + (end.isEmpty ? "" : " and \(end)")
  }

  @Test("tells which experiments are tried with which slips")
  func triedExperiments() throws {
    let folder = root.appending(path: "Tests/Mutants")
    var tried: Set<[String]> = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      guard let names = lines.first(where: { $0.hasPrefix("experiments: ") }) else { continue }
      let slip = file.deletingPathExtension().lastPathComponent
      for name in names.dropFirst(13).split(separator: " ") { tried.insert([String(name), slip]) }
    }
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
    let from = try #require(page.range(of: "## What holds\n")).upperBound
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
    let experiments = Set(Experiment.all.map(\.name))
    var count = 0
    for row in try promises() {
      let slips = names(in: row[2])
      #expect(!slips.isEmpty, "\(row[0])")
      let suites = try Set(slips.flatMap { try tests(of: $0) })
      for name in names(in: row[1]) where !experiments.contains(name) {
        #expect(suites.contains(name), "\(row[0]): \(name)")
        count += 1
      }
    }
    #expect(count > 10)
  }

  /// The suites that the file of a slip names, without their modules.
  private func tests(of slip: String) throws -> [String] {
    let file = root.appending(path: "Tests/Mutants/\(slip).mutant")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let tests = try #require(lines.first { $0.hasPrefix("tests:") }, "\(slip)").dropFirst(6).split(separator: " ")
    return tests.compactMap { $0.split(separator: ".").last.map(String.init) }
  }
}
