import Query
import TestSupport
import Testing

@Suite struct QueryTextRandomTests {
  @Test("Any query is read back from its text")
  func roundTrip() {
    for seed in UInt64(0)..<5_000 {
      var random = QueryTextRandom(seed: seed)
      checkRoundTrip(of: random.query(), seed: seed)
    }
  }

  @Test("Any text is a query that is read back from its text, or an error that can be shown")
  func garbage() {
    for seed in UInt64(0)..<20_000 {
      var random = QueryTextRandom(seed: seed)
      let text =
        switch random.below(4) {
        case 0: random.garbage()
        case 1: random.words()
        default: random.mutation(of: random.query(depth: 2).description)
        }
      do {
        checkRoundTrip(of: try AnyQuery(parsing: text), seed: seed)
      } catch {
        check(error, text: text, seed: seed)
      }
    }
  }

  @Test("Any text is a sort that is read back from its text, or an error that can be shown")
  func sortGarbage() {
    for seed in UInt64(0)..<10_000 {
      var random = QueryTextRandom(seed: seed)
      let text =
        switch random.below(3) {
        case 0: random.garbage()
        case 1: random.words()
        default: random.mutation(of: random.sort().description)
        }
      do {
        let sort = try AnySort(parsing: text)
        let again = try AnySort(parsing: sort.description)
        #expect(again == sort, "seed \(seed)")
        #expect(again.description.utf8.elementsEqual(sort.description.utf8), "seed \(seed)")
      } catch {
        check(error, text: text, seed: seed)
      }
    }
  }

  private func checkRoundTrip(of query: AnyQuery, seed: UInt64) {
    let text = query.description
    do {
      let parsed = try AnyQuery(parsing: text)
      #expect(parsed == query, "seed \(seed)")
      // `==` takes 1 and 1.0 for the same, and a composed and a decomposed key; their texts differ.
      #expect(parsed.description.utf8.elementsEqual(text.utf8), "seed \(seed)")
    } catch {
      Issue.record("seed \(seed): \(error)\n\(text)")
    }
  }

  private func check(_ error: ParseError, text: String, seed: UInt64) {
    #expect(error.text.utf8.elementsEqual(text.utf8), "seed \(seed)")
    #expect(0...text.unicodeScalars.count ~= error.position, "seed \(seed)")
    let lines = error.caret.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2, "seed \(seed)")
    #expect(lines.last?.allSatisfy { $0 == " " || $0 == "^" } == true, "seed \(seed)")
    #expect(error.caret.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x0A }, "seed \(seed)")
    #expect(error.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "seed \(seed): \(error)")
  }
}
