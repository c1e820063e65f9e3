/// The values of a query that is asked again and again with new ones.
package struct FilterQuestion: Sendable {
  package let ids: Range<Int>
  package let weight: Double
  package let type: PokemonType

  /// As many questions as are wanted, about windows of 100 rows.
  package static func some(_ count: Int, among rows: Int) -> [FilterQuestion] {
    var random = SeededGenerator(seed: 20)
    return (0..<count).map { _ in
      let first = 1 + Int(random.next() % UInt64(max(1, rows - 100)))
      return FilterQuestion(
        ids: first..<first + 100, weight: Double(random.next() % 9_000) / 10,
        type: PokemonType.allCases[Int(random.next() % UInt64(PokemonType.allCases.count))])
    }
  }
}
