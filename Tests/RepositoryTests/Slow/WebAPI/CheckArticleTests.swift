import Foundation
import Repository
import RepositoryTesting
import TestSupport
import Testing

@Suite("The article Check a repository of your own tells the truth", .tags(.slow))
struct CheckArticleTests {
  @Test("the example runs")
  func example() async throws {
    let (bulbasaur, charizard) = (WebPokemon.samples[0], WebPokemon.samples[1])
    let (squirtle, pikachu) = (WebPokemon.samples[2], WebPokemon.samples[3])
    try await RepositoryConformance.verify(
      samples: [bulbasaur, charizard, squirtle, pikachu],
      without: [.cursors, .patterns, .ignoringCase, .keyComparisons, .batches, .largeRequests]
    ) { try WebRepository<WebPokemon>(WebServer()) }
  }

  @Test("every line of Swift in it is compiled, and its reports are those of the suite")
  func snippets() async throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let article = try String(
      contentsOf: folder.appending(
        path: "../../../../Sources/RepositoryTesting/RepositoryTesting.docc/CheckYourRepository.md"),
      encoding: .utf8)
    var known: Set<String> = []
    for file in ["CheckArticleTests.swift", "../../WebAPI/WebRepository.swift"] {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      known.formUnion(source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
    }
    // What the two reports say that stand in the article.
    let samples = Array(WebPokemon.samples.prefix(4))
    let faulty = await #expect(throws: ConformanceError.self) {
      try await RepositoryConformance.verify(
        samples: samples, recombinedTo: [], only: Set(Fault<WebPokemon>.all[0].rules)
      ) {
        try Fault<WebPokemon>.all[0].makeRepository()
      }
    }
    let report = try await RepositoryConformance.verify(
      samples: samples, recombinedTo: Effort.varieties, without: WebRepositoryTests.lacking
    ) {
      try WebRepository<WebPokemon>(WebServer())
    }
    let said = "\(faulty?.description ?? "")\n\(report)".split(separator: "\n")
    known.formUnion(said.map(uncounted))

    var isCode = false
    var count = 0
    for line in article.split(separator: "\n") {
      if line.hasPrefix("```") {
        isCode.toggle()
      } else if isCode {
        count += 1
        let isKnown = known.contains(uncounted(line))
        #expect(isKnown, "\(line) is none of \(said)")
      }
    }
    #expect(count > 15)
  }

  /// A line without how many rules there are, which every new rule changes.
  private func uncounted(_ line: Substring) -> String {
    line.trimmingCharacters(in: .whitespaces).replacing(#/of [0-9]+ rules/#, with: "of all rules")
  }
}
