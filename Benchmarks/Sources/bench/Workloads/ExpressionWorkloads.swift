import Model
import Raw
import SQLiteStore

/// Rows that are told by what is worked out of them.
enum ExpressionWorkloads {
  static let all = [filter, scan, integers, texts, memory]

  /// A window of a hundred rows, so that the query itself counts.
  private static let filter = Workload("expression-filter", unit: "query", [.init(to: "raw", most: 1.2)]) { bed in
    let questions = FilterQuestion.some(1_000, among: bed.rows.count)
    return [
      .blocking("subject", operations: questions.count) {
        Answer(
          try questions.map { question in
            try bed.subject.findAll(
              FetchRequest(
                AnyQuery(Pokemon.self) { $0.id.in(question.ids) && $0.weight / $0.height > question.weight / 10 }))
          })
      },
      .blocking("raw", operations: questions.count) {
        Answer(try questions.map { try bed.raw.pokemon(in: $0.ids, heavierForHeightThan: $0.weight / 10) })
      },
    ]
  }

  private static let scan = Workload("expression-filter-scan", unit: "query", [.init(to: "raw", most: 1.2)]) { bed in
    [
      counts("subject") { ratio in
        try bed.subject.count(AnyQuery(Pokemon.self) { $0.weight / $0.height > Double(ratio) })
      },
      counts("raw") { try bed.raw.count(heavierForHeightThan: Double($0)) },
    ]
  }

  private static let integers = Workload(
    "expression-filter-integers", unit: "query", [.init(to: "raw", most: 1.2)]
  ) { bed in
    [
      counts("subject") { share in
        let least = bed.rows.count * (60 + share / 2) / 100
        return try bed.subject.count(AnyQuery(Pokemon.self) { $0.generation * 100 + $0.id > least })
      },
      counts("raw") { try bed.raw.count(generationAndNumber: bed.rows.count * (60 + $0 / 2) / 100) },
    ]
  }

  /// A text is as long as SQLite says only where it holds no U+0000, which hand-written SQL does not ask.
  private static let texts = Workload("expression-filter-texts", unit: "query", [.init(to: "raw")]) { bed in
    [
      counts("subject") { sum in
        try bed.subject.count(AnyQuery(Pokemon.self) { $0.generation * 2 + $0.name.length > sum })
      },
      counts("raw") { try bed.raw.count(generationAndName: $0) },
    ]
  }

  private static let memory = Workload("memory-expression", unit: "query", [.init(to: "loop", most: 5.0)]) { bed in
    let repository = try MemoryRepository(bed.rows).blocking
    let elements = bed.rows
    return [
      counts("subject") { ratio in
        try repository.count(AnyQuery(Pokemon.self) { $0.weight / $0.height > Double(ratio) })
      },
      counts("loop") { ratio in
        var count = 0
        for pokemon in elements where pokemon.height != 0 && pokemon.weight / pokemon.height > Double(ratio) {
          count += 1
        }
        return count
      },
    ]
  }

  private static func counts(_ name: String, _ count: @escaping (Int) throws -> Int) -> Contender {
    .blocking(name, operations: 5) { Answer(try [20, 30, 40, 50, 60].map(count)) }
  }
}
