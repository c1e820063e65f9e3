import Model
import Raw
import SQLiteStore

/// Rows that are told by the rows that they refer to, beside a join by hand and a loop over the models.
enum RelationWorkloads {
  static let all = [filter, scan, memory]

  /// The rows and who has them.
  private struct Caught {
    let trainers: [Trainer]
    let catches: [Catch]

    init(_ bed: Bed) {
      let count = max(1, bed.rows.count / Catches.each)
      (trainers, catches) = (Catches.trainers(count), Catches.catches(of: count))
    }

    func names(_ count: Int) -> [String] {
      var random = SeededGenerator(seed: 11)
      return (0..<count).map { _ in Catches.name(of: 1 + Int(random.next() % UInt64(trainers.count))) }
    }

    /// Both tables in a new file.
    func file(_ bed: Bed) throws -> (BlockingRepository<Catch>, RawPokedex) {
      let path = bed.newPath()
      let store = try SQLiteStore(path: path)
      let repository = try store.blocking.repository(of: Catch.self)
      try store.blocking.repository(of: Trainer.self).save(trainers)
      try repository.save(catches)
      return (repository, try RawPokedex(path: path, pragmas: bed.settings))
    }
  }

  /// The rows of one of those that have a hundred each, by an index of the other table.
  private static let filter = Workload("relation-filter", unit: "query", [.init(to: "raw", most: 1.3)]) { bed in
    let caught = Caught(bed)
    let (repository, raw) = try caught.file(bed)
    let names = caught.names(1_000)
    return [
      lists("subject", names) { name in
        try repository.findAll(FetchRequest(AnyQuery(Catch.self) { $0.owner.name == name }))
      },
      lists("raw", names) { try raw.catches(ofTrainer: $0) },
    ]
  }

  /// All rows looked at, by columns of both tables that no index has.
  private static let scan = Workload("relation-filter-scan", unit: "query", [.init(to: "raw", most: 1.3)]) { bed in
    let (repository, raw) = try Caught(bed).file(bed)
    return [
      counts("subject") { badges in
        try repository.count(AnyQuery(Catch.self) { $0.owner.badges > badges && $0.level > 50 })
      },
      counts("raw") { try raw.countCatches(badges: $0, level: 50) },
    ]
  }

  private static let memory = Workload(
    "memory-relation", unit: "query", [.init(to: "loop", most: 5.0)], stopwatch: .wall
  ) { bed in
    let caught = Caught(bed)
    let store = MemoryStore()
    let trainers = try store.repository(of: Trainer.self)
    let repository = try store.repository(of: Catch.self)
    let byID = Dictionary(uniqueKeysWithValues: caught.trainers.map { ($0.id, $0) })
    return [
      .suspending("subject", operations: 5) {
        if try await repository.count() == 0 {
          try await trainers.save(caught.trainers)
          try await repository.save(caught.catches)
        }
        var found: [Int] = []
        for badges in 2..<7 {
          found.append(try await repository.filter { $0.owner.badges > badges && $0.level > 50 }.count())
        }
        return Answer(found)
      },
      counts("loop") { badges in
        var count = 0
        for one in caught.catches where one.level > 50 {
          if let trainer = byID[one.trainer], trainer.badges > badges { count += 1 }
        }
        return count
      },
    ]
  }

  private static func lists(
    _ name: String, _ names: [String], _ find: @escaping (String) throws -> [Catch]
  ) -> Contender {
    .blocking(name, operations: names.count) {
      let lists = try names.map(find)
      return Answer { digest in
        for list in lists {
          digest.feed(list.count)
          for one in list { digest.feed(one) }
        }
      }
    }
  }

  private static func counts(_ name: String, _ count: @escaping (_ badges: Int) throws -> Int) -> Contender {
    .blocking(name, operations: 5) { Answer(try (2..<7).map(count)) }
  }
}
