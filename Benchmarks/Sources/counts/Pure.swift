import Model
@_spi(RequestCompilation) import SQL
import SQLiteStore

/// What needs no database.
enum Pure {
  static let all = [build, compile, compileOne, filter, find, save]

  private static let build = CountedWorkload.blocking("build-query", repetitions: 500) { _ in
    { try Counts.expect(query($0) != .true) }
  }

  private static let compile = CountedWorkload.blocking("compile-10-terms", repetitions: 500) { _ in
    let requests = (0..<10).map { FetchRequest(query($0), limit: 20) }
    return try compiling { requests[$0 % requests.count] }
  }

  private static let compileOne = CountedWorkload.blocking("compile-1-term", repetitions: 500) { _ in
    let requests = (0..<10).map { number in
      FetchRequest(AnyQuery(Pokemon.self) { $0.weight > Double(number) }, limit: 20)
    }
    return try compiling { requests[$0 % requests.count] }
  }

  private static func compiling(_ request: @escaping (Int) -> FetchRequest) throws -> (Int) throws -> Void {
    let table = try Pokemon.schema.table()
    let compiler = RequestCompiler(for: SQLiteDialect(), table: table)
    return { try Counts.expect(!compiler.select(request($0)).statement.bindings.isEmpty) }
  }

  private static func query(_ number: Int) -> AnyQuery {
    AnyQuery(Pokemon.self) { pokemon in
      let body = pokemon.weight > Double(number) && pokemon.height < 2 && pokemon.generation == number
      let type = pokemon.type != .fire && pokemon.secondType == .water && pokemon.habitat == "sea"
      let text = pokemon.name.hasPrefix("a") && pokemon.text.contains("b")
      return body && type && text && pokemon.isLegendary && pokemon.id >= number
    }
  }

  private static let rows = 2_000

  private static let filter = CountedWorkload.blocking("memory-filter", repetitions: 10, operations: rows) { _ in
    let repository = try MemoryRepository(Pokedex.first(rows)).blocking
    return { _ in
      let found = try repository.findAll(
        FetchRequest(
          AnyQuery(Pokemon.self) { $0.weight > 900 && $0.type != .water },
          sortedBy: AnySort(Pokemon.self) { $0.weight.descending + $0.name.ascending }, limit: 20))
      try Counts.expect(found.count == 20)
    }
  }

  private static let find = CountedWorkload.blocking("memory-find", repetitions: 1_000) { _ in
    let repository = try MemoryRepository(Pokedex.first(rows)).blocking
    return { try Counts.expect(repository.find(1 + $0 % rows) != nil) }
  }

  private static let save = CountedWorkload.blocking("memory-save", repetitions: 500) { _ in
    let repository = try MemoryRepository(Pokedex.first(rows)).blocking
    let changed = Pokedex.first(rows, edition: 1)
    return { try repository.save([changed[$0 % rows]]) }
  }
}
