/// Makes rows. The row of a number is the same in each run, whichever rows were made before it.
package enum Pokedex {
  private static let syllables = ["bul", "ba", "sau", "char", "man", "der", "squir", "tle", "pi", "ka", "chu", "mew"]
  private static let words = [
    "a", "seed", "was", "planted", "on", "its", "back", "at", "birth", "the", "flame", "shows", "strength", "of",
    "life", "force", "shoots", "water", "prey", "from", "in", "cave", "night", "when", "it", "sleeps",
  ]
  private static let habitats = ["cave", "forest", "grassland", "mountain", "rare", "rough-terrain", "sea", "urban"]
  /// What one text in a hundred starts with, one has in its middle, and one ends with.
  package static let (firstWord, middleWord, lastWord) = ("zephyr", "obsidian", "quartz")
  /// What one name in 144 starts with.
  package static let firstSyllables = "mewbul"

  /// The row of a number.
  ///
  /// - Parameters:
  ///   - id: its key, from 1 on.
  ///   - edition: rows of another edition have the same keys and names, and other values.
  package static func pokemon(_ id: Int, edition: UInt64 = 0) -> Pokemon {
    var random = SeededGenerator(seed: UInt64(id) &* 0xD6E8_FEB8_6659_FD93 ^ edition)
    func pick<Value>(_ values: [Value]) -> Value { values[Int(random.next() % UInt64(values.count))] }
    let type = pick(PokemonType.allCases)
    return Pokemon(
      id: id, name: name(of: id), type: type, secondType: random.next() % 2 == 0 ? pick(PokemonType.allCases) : nil,
      weight: Double(random.next() % 10_000) / 10, height: Double(random.next() % 200) / 10,
      generation: 1 + Int(random.next() % 9), isLegendary: random.next() % 20 == 0,
      habitat: random.next() % 3 == 0 ? nil : pick(habitats), text: text(&random))
  }

  /// The rows of the numbers from 1 to a count.
  package static func first(_ count: Int, edition: UInt64 = 0) -> [Pokemon] {
    guard count > 0 else { return [] }
    return (1...count).map { pokemon($0, edition: edition) }
  }

  /// A name of its own for each number, in an order that has nothing to do with that of the numbers.
  private static func name(of id: Int) -> String {
    var random = SeededGenerator(seed: UInt64(id))
    var name = ""
    for _ in 0..<3 { name += syllables[Int(random.next() % UInt64(syllables.count))] }
    return "\(name)-\(id)"
  }

  /// About 40 bytes.
  private static func text(_ random: inout SeededGenerator) -> String {
    var chosen: [String] = []
    for _ in 0..<8 { chosen.append(words[Int(random.next() % UInt64(words.count))]) }
    switch random.next() % 100 {
    case 0: chosen.insert(firstWord, at: 0)
    case 1: chosen.append(lastWord)
    case 2: chosen.insert(middleWord, at: 4)
    default: break
    }
    return chosen.joined(separator: " ")
  }
}
