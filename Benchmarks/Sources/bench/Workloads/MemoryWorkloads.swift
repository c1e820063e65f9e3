import Foundation
import Model
import SQLiteStore

/// Elements in memory, beside what Swift itself has for them.
enum MemoryWorkloads {
  static let all = [filter, find]

  private static let filter = Workload(
    "memory-filter", unit: "query", [.init(to: "closure", most: 3.0), .init(to: "predicate", most: 0.1)]
  ) { bed in
    let repository = try MemoryRepository(bed.rows).blocking
    let elements = bed.rows
    let (weight, type) = (900.0, PokemonType.water)
    func best(_ found: [Pokemon]) -> [Pokemon] {
      Array(found.sorted { $0.weight != $1.weight ? $0.weight > $1.weight : $0.name < $1.name }.prefix(20))
    }
    let predicate = #Predicate<Pokemon> { $0.weight > weight && $0.type != type }
    return [
      .blocking("subject", operations: 1) {
        Answer(
          try repository.findAll(
            FetchRequest(
              AnyQuery(Pokemon.self) { $0.weight > weight && $0.type != type },
              sortedBy: AnySort(Pokemon.self) { $0.weight.descending + $0.name.ascending }, limit: 20)))
      },
      .blocking("closure", operations: 1) {
        Answer(best(elements.filter { $0.weight > weight && $0.type != type }))
      },
      .blocking("predicate", operations: 1) { Answer(best(try elements.filter(predicate))) },
    ]
  }

  private static let find = Workload("memory-find", unit: "read", [.init(to: "dictionary", most: 2.0)]) { bed in
    let repository = try MemoryRepository(bed.rows).blocking
    let dictionary = Dictionary(uniqueKeysWithValues: bed.rows.map { ($0.id, $0) })
    let keys = bed.keys(100_000)
    func finds(_ name: String, _ find: @escaping (Int) throws -> Pokemon?) -> Contender {
      .blocking(name, operations: keys.count) {
        var found: [Pokemon] = []
        found.reserveCapacity(keys.count)
        for key in keys {
          if let pokemon = try find(key) { found.append(pokemon) }
        }
        return Answer(found)
      }
    }
    return [finds("subject") { try repository.find($0) }, finds("dictionary") { dictionary[$0] }]
  }
}
