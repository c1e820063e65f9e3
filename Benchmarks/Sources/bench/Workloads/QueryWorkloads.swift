import Model
import Peers
import Raw
import SQLiteStore

/// Queries that are built anew each time, with new values.
enum QueryWorkloads {
  static let all = [typed, erased, awaited, scan, count]

  private static let budgets: [Comparison] = [
    .init(to: "raw", most: 1.25), .init(to: "grdb", most: 0.25), .init(to: "grdb-usual", most: 0.25),
  ]

  private static let typed = Workload("filter-sort-limit", unit: "query", budgets) { bed in
    contenders(bed) { question in
      try bed.subject.findAll(
        FetchRequest(
          AnyQuery(Pokemon.self) {
            $0.id.in(question.ids) && $0.weight > question.weight && $0.type != question.type
          },
          sortedBy: AnySort(Pokemon.self) { $0.weight.descending + $0.name.ascending }, limit: 20))
    }
  }

  private static let erased = Workload("filter-sort-limit-erased", unit: "query", budgets) { bed in
    contenders(bed) { question in
      try bed.subject.findAll(
        FetchRequest(
          .greaterThanOrEqual(key: "id", value: question.ids.lowerBound)
            && .lessThan(key: "id", value: question.ids.upperBound)
            && .greaterThan(key: "weight", value: question.weight)
            && .notEqual(key: "type", value: question.type),
          sortedBy: .descending(key: "weight") + .ascending(key: "name"), limit: 20))
    }
  }

  /// As a program would write it that awaits: the call leaves the caller's executor and comes back.
  private static let awaited = Workload(
    "filter-sort-limit-async", unit: "query", [.init(to: "raw"), .init(to: "grdb"), .init(to: "grdb-usual")],
    stopwatch: .wall
  ) { bed in
    let questions = FilterQuestion.some(1_000, among: bed.rows.count)
    let repository = try bed.store.repository(Pokemon.schema)
    let subject = Contender.suspending("subject", operations: questions.count) {
      var lists: [[Pokemon]] = []
      for question in questions {
        lists.append(
          try await repository.findAll(
            where: { $0.id.in(question.ids) && $0.weight > question.weight && $0.type != question.type },
            sortedBy: { $0.weight.descending + $0.name.ascending }, limit: 20))
      }
      return Answer(lists)
    }
    return [subject] + contenders(bed) { _ in [] }.dropFirst()
  }

  /// The same without an index that leads to the rows.
  private static let scan = Workload(
    "filter-sort-limit-scan", unit: "query",
    [.init(to: "raw", most: 1.25), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)]
  ) { bed in
    let questions = FilterQuestion.some(5, among: bed.rows.count)
    return [
      lists("subject", questions) { question in
        try bed.subject.findAll(
          FetchRequest(
            AnyQuery(Pokemon.self) { $0.weight > question.weight && $0.type != question.type },
            sortedBy: AnySort(Pokemon.self) { $0.weight.descending + $0.name.ascending }, limit: 20))
      },
      lists("raw", questions) { try bed.raw.scan($0) },
      lists("grdb", questions) { try bed.peer.scan($0) },
      lists("grdb-usual", questions) { try bed.peer.usualScan($0) },
    ]
  }

  private static let count = Workload(
    "count", unit: "query",
    [.init(to: "raw", most: 1.15), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)]
  ) { bed in
    let questions = FilterQuestion.some(5, among: bed.rows.count)
    func counts(_ name: String, _ count: @escaping (FilterQuestion) throws -> Int) -> Contender {
      .blocking(name, operations: questions.count) { Answer(try questions.map(count)) }
    }
    return [
      counts("subject") { question in
        try bed.subject.count(AnyQuery(Pokemon.self) { $0.weight > question.weight && $0.type != question.type })
      },
      counts("raw") { try bed.raw.count($0) },
      counts("grdb") { try bed.peer.count($0) },
      counts("grdb-usual") { try bed.peer.usualCount($0) },
    ]
  }

  private static func contenders(
    _ bed: Bed, subject: @escaping (FilterQuestion) throws -> [Pokemon]
  ) -> [Contender] {
    let questions = FilterQuestion.some(1_000, among: bed.rows.count)
    return [
      lists("subject", questions, subject),
      lists("raw", questions) { try bed.raw.filter($0) },
      lists("grdb", questions) { try bed.peer.filter($0) },
      lists("grdb-usual", questions) { try bed.peer.usualFilter($0) },
    ]
  }

  private static func lists(
    _ name: String, _ questions: [FilterQuestion], _ find: @escaping (FilterQuestion) throws -> [Pokemon]
  ) -> Contender {
    .blocking(name, operations: questions.count) { Answer(try questions.map(find)) }
  }
}
