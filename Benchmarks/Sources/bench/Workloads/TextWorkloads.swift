import Model
import Peers
import Raw
import SQLiteStore

/// Rows by a part of a text; one in a hundred has it.
enum TextWorkloads {
  static let all = [contains, hasPrefix, hasSuffix, namePrefix]

  private static let budgets: [Comparison] = [
    .init(to: "raw", most: 1.15), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0),
  ]

  private static let contains = Workload("text-contains", unit: "query", budgets) { bed in
    let word = Pokedex.middleWord
    return contenders(
      [
        ("subject", { try bed.subject.findAll(FetchRequest(AnyQuery(Pokemon.self) { $0.text.contains(word) })) }),
        ("raw", { try bed.raw.contains(word) }), ("grdb", { try bed.peer.contains(word) }),
        ("grdb-usual", { try bed.peer.usualLike("%\(word)%") }),
      ])
  }

  /// Without an index.
  private static let hasPrefix = Workload("text-prefix", unit: "query", budgets) { bed in
    let word = Pokedex.firstWord
    return contenders(
      [
        ("subject", { try bed.subject.findAll(FetchRequest(AnyQuery(Pokemon.self) { $0.text.hasPrefix(word) })) }),
        ("raw", { try bed.raw.hasPrefix(word) }), ("grdb", { try bed.peer.hasPrefix(word) }),
        ("grdb-usual", { try bed.peer.usualLike("\(word)%") }),
      ])
  }

  private static let hasSuffix = Workload("text-suffix", unit: "query", budgets) { bed in
    let word = Pokedex.lastWord
    return contenders(
      [
        ("subject", { try bed.subject.findAll(FetchRequest(AnyQuery(Pokemon.self) { $0.text.hasSuffix(word) })) }),
        ("raw", { try bed.raw.hasSuffix(word) }), ("grdb", { try bed.peer.hasSuffix(word) }),
        ("grdb-usual", { try bed.peer.usualLike("%\(word)") }),
      ])
  }

  /// With an index.
  private static let namePrefix = Workload("text-prefix-indexed", unit: "query", budgets) { bed in
    let word = Pokedex.firstSyllables
    return contenders(
      [
        ("subject", { try bed.subject.findAll(FetchRequest(AnyQuery(Pokemon.self) { $0.name.hasPrefix(word) })) }),
        ("raw", { try bed.raw.nameHasPrefix(word) }), ("grdb", { try bed.peer.nameHasPrefix(word) }),
        ("grdb-usual", { try bed.peer.usualLike("\(word)%", isName: true) }),
      ])
  }

  private static let repetitions = 3

  private static func contenders(_ finders: [(name: String, find: () throws -> [Pokemon])]) -> [Contender] {
    finders.map { name, find in
      .blocking(name, operations: repetitions) { Answer(try (0..<repetitions).map { _ in try find() }) }
    }
  }
}
