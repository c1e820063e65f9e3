import Model
import RepositoryService
import SQLiteStore

/// What reads the database.
enum Reading {
  static let all = [fetchAll, records, find, findAsync, findMany, list, filter, erased, count, page, serve]

  private static func repository(_ path: String) throws -> SQLiteRepository<Pokemon> {
    try SQLiteStore(path: path).sqlRepository(of: Pokemon.self)
  }

  private static func key(_ repetition: Int) -> Int { 1 + repetition * 7919 % Counts.rows }

  private static func keys(_ count: Int) -> [Int] { (0..<count).map(key) }

  private static let fetchAll = CountedWorkload.blocking("fetch-all", repetitions: 4, operations: Counts.rows) { path in
    let repository = try repository(path).blocking
    return { _ in try Counts.expect(repository.findAll(FetchRequest()).count == Counts.rows) }
  }

  private static let records = CountedWorkload.blocking("fetch-all-records", repetitions: 4, operations: Counts.rows) {
    path in
    let store = try SQLiteStore(path: path)
    let repository = try store.blocking.repository(Schema(try store.schema(ofTable: "pokemon")))
    return { _ in try Counts.expect(repository.findAll(FetchRequest()).count == Counts.rows) }
  }

  private static let find = CountedWorkload.blocking("find", repetitions: 1_000) { path in
    let repository = try repository(path).blocking
    return { try Counts.expect(repository.find(key($0)) != nil) }
  }

  private static let findAsync = CountedWorkload.suspending("find-async", repetitions: 1_000) { path in
    let repository = AnyRepository(try repository(path))
    return { try Counts.expect(try await repository.find(key($0)) != nil) }
  }

  private static let findMany = CountedWorkload.blocking("find-100", repetitions: 40) { path in
    let repository = try repository(path).blocking
    let keys = keys(100)
    return { _ in
      try Counts.expect(repository.findAll(FetchRequest(.in(key: "id", values: keys))).count == keys.count)
    }
  }

  private static let list = CountedWorkload.blocking("in-list", repetitions: 10, operations: 1_000) { path in
    let repository = try repository(path).blocking
    let keys = keys(1_000)
    return { _ in
      try Counts.expect(repository.findAll(FetchRequest(.in(key: "id", values: keys))).count == keys.count)
    }
  }

  private static let filter = filtering("filter-sort-limit") { question in
    FetchRequest(
      AnyQuery(Pokemon.self) { $0.id.in(question.ids) && $0.weight > question.weight && $0.type != question.type },
      sortedBy: AnySort(Pokemon.self) { $0.weight.descending + $0.name.ascending }, limit: 20)
  }

  private static let erased = filtering("filter-sort-limit-erased") { question in
    FetchRequest(
      .greaterThanOrEqual(key: "id", value: question.ids.lowerBound)
        && .lessThan(key: "id", value: question.ids.upperBound)
        && .greaterThan(key: "weight", value: question.weight) && .notEqual(key: "type", value: question.type),
      sortedBy: .descending(key: "weight") + .ascending(key: "name"), limit: 20)
  }

  /// Asks questions that are made anew each time.
  private static func filtering(
    _ name: String, _ request: @escaping @Sendable (FilterQuestion) -> FetchRequest
  ) -> CountedWorkload {
    .blocking(name, repetitions: 200) { path in
      let repository = try repository(path).blocking
      let questions = FilterQuestion.some(200, among: Counts.rows)
      return { repetition in
        try Counts.expect(repository.findAll(request(questions[repetition % questions.count])).count <= 20)
      }
    }
  }

  private static let count = CountedWorkload.blocking("count", repetitions: 200) { path in
    let repository = try repository(path).blocking
    return { repetition in
      let first = key(repetition)
      try Counts.expect(repository.count(AnyQuery(Pokemon.self) { $0.id.in(first..<first + 20) }) > 0)
    }
  }

  private static let page = CountedWorkload.blocking("keyset-page", repetitions: 200) { path in
    let repository = try repository(path).blocking
    let sort = AnySort.ascending(key: "name")
    let places = try (0..<200).map {
      try Pokemon.schema.cursor(at: Pokedex.pokemon(key($0)), sortedBy: sort)
    }
    return { repetition in
      let page = try repository.findAll(
        FetchRequest(sortedBy: sort, limit: 20, after: places[repetition % places.count]))
      if let last = page.last { _ = try Pokemon.schema.cursor(at: last, sortedBy: sort) }
    }
  }

  /// All rows as lines of JSON, as a server sends them.
  private static let serve = CountedWorkload.suspending("serve-rows", repetitions: 4, operations: Counts.rows) { path in
    let repository = AnyRepository(try repository(path))
    let service = try RepositoryService {
      Route("pokemon", repository).readingAll().allowing(.wholeResults)
    }
    let request = WebRequest("GET", "/pokemon", headers: ["Accept": "application/x-ndjson"])
    return { _ in
      let response = await service.respond(to: request)
      var size = 0
      for try await chunk in response.body { size += chunk.count }
      try Counts.expect(response.headers["Repository-Row-Count"] == "\(Counts.rows)" && size > Counts.rows * 50)
    }
  }
}
