import Model
import Raw
import SQLiteStore

/// A table of some size, and what is done with it.
final class GrowingTable {
  struct Step {
    let name: String
    /// How it may grow at most; `nil` where it is only there to be compared with.
    let most: Curve?
    /// How often it does what a time is given for.
    let operations: Int
    /// Does it, and results in how much was found or written.
    let body: (_ round: Int) throws -> Int
  }

  let size: Int
  let steps: [Step]
  private static let inserted = 500
  private static let sort = AnySort.ascending(key: "name")

  init(of size: Int, _ bed: Bed) throws {
    self.size = size
    let path = bed.newPath()
    let raw = try RawPokedex(path: path, pragmas: bed.settings, creating: bed.definitions)
    for start in stride(from: 1, through: size, by: 10_000) {
      try raw.insert((start..<min(start + 10_000, size + 1)).map { Pokedex.pokemon($0) })
    }
    try raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let repository = try SQLiteStore(path: path).blocking.repository(of: Pokemon.self)
    let memory = try MemoryRepository(Pokedex.first(size)).blocking
    var random = SeededGenerator(seed: UInt64(size))
    let keys = (0..<2_000).map { _ in 1 + Int(random.next() % UInt64(size)) }
    let places = (0..<200).map { _ in Pokedex.pokemon(1 + Int(random.next() % UInt64(size))) }
    let sort = Self.sort
    let cursors = try places.map { try Pokemon.schema.cursor(at: $0, sortedBy: sort) }
    let heavy = FetchRequest(
      AnyQuery(Pokemon.self) { $0.weight > 900 && $0.type != .water }, sortedBy: .descending(key: "weight"), limit: 20)
    // Each time other rows than before, in one transaction: even batches are the subject's, odd ones raw's.
    func new(_ batch: Int) -> [Pokemon] {
      (1...Self.inserted).map { Pokedex.pokemon(size + batch * Self.inserted + $0) }
    }
    let batches = (0..<20).map(new)

    steps = [
      Step(name: "find", most: .logarithmic, operations: keys.count) { _ in
        try keys.reduce(0) { $0 + (try repository.find($1)?.id ?? 0) }
      },
      Step(name: "raw-find", most: nil, operations: keys.count) { _ in
        try keys.reduce(0) { $0 + (try raw.find($1)?.id ?? 0) }
      },
      Step(name: "page", most: .logarithmic, operations: cursors.count) { _ in
        try cursors.reduce(0) {
          $0 + (try repository.findAll(FetchRequest(sortedBy: sort, limit: 20, after: $1)).count)
        }
      },
      Step(name: "raw-page", most: nil, operations: places.count) { _ in
        try places.reduce(0) { $0 + (try raw.page(after: $1.name).count) }
      },
      Step(name: "insert", most: .logarithmic, operations: Self.inserted) { round in
        try repository.insert(batches[2 * round]).count
      },
      Step(name: "raw-insert", most: nil, operations: Self.inserted) { round in
        try raw.insert(batches[2 * round + 1])
        return Self.inserted
      },
      Step(name: "memory-filter", most: .linear, operations: 1) { _ in try memory.findAll(heavy).count },
      Step(name: "memory-find", most: .logarithmic, operations: keys.count) { _ in
        try keys.reduce(0) { $0 + (try memory.find($1)?.id ?? 0) }
      },
    ]
  }
}
