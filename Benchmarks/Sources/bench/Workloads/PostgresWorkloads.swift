#if canImport(RawPostgres)
  import Foundation
  import Model
  import PostgresStore
  import RawPostgres

  /// A table on a PostgreSQL server of this machine, read and written through a Unix socket.
  enum PostgresWorkloads {
    static let all = [fetch, find, findAsync, findInTasks, insert, save, transaction]

    // MARK: Reading

    private static let fetch = Workload(
      "postgres-fetch-all", unit: "row", [.init(to: "raw", most: 1.15), .init(to: "psql", most: 1.0)], stopwatch: .wall
    ) { bed in
      let (server, count) = (try bed.postgres, bed.rows.count)
      return [
        .blocking("subject", operations: count) { Answer(try server.subject.findAll(FetchRequest())) },
        .blocking("raw", operations: count) { Answer(try server.raw.all()) },
        .program(
          "psql", ["-X", "-A", "-t", "-c", "SELECT * FROM pokemon ORDER BY id", server.connection], operations: count),
      ]
    }

    private static let find = Workload(
      "postgres-find", unit: "read", [.init(to: "raw", most: 1.3), .init(to: "pgbench", most: 1.0)], stopwatch: .wall
    ) { bed in
      let (server, keys) = (try bed.postgres, bed.keys(5_000))
      // Its start counts, so that it does more.
      let count = 2 * keys.count
      let script = FileManager.default.temporaryDirectory.appending(path: "repository-kit-find.sql").path
      try "\\set id random(1, \(bed.rows.count))\n\(RawServer.selectByKey):id\n"
        .write(toFile: script, atomically: true, encoding: .utf8)
      return [
        .blocking("subject", operations: keys.count) { Answer(try keys.compactMap { try server.subject.find($0) }) },
        .blocking("raw", operations: keys.count) { Answer(try keys.compactMap { try server.raw.find($0) }) },
        .program(
          "pgbench", ["-n", "-M", "prepared", "-t", "\(count)", "-f", script, server.connection], operations: count),
      ]
    }

    private static let findAsync = Workload(
      "postgres-find-async", unit: "read", [.init(to: "raw")], stopwatch: .wall
    ) { bed in
      let (server, keys) = (try bed.postgres, bed.keys(5_000))
      let erased = try server.store.repository(Pokemon.schema)
      return [
        .suspending("subject", operations: keys.count) {
          var found: [Pokemon] = []
          for key in keys {
            if let pokemon = try await erased.find(key) { found.append(pokemon) }
          }
          return Answer(found)
        },
        .blocking("raw", operations: keys.count) { Answer(try keys.compactMap { try server.raw.find($0) }) },
      ]
    }

    /// A hundred tasks at once; the C calls send a hundred requests before they read the first answer.
    private static let findInTasks = Workload(
      "postgres-find-tasks", unit: "read", [.init(to: "raw", most: 1.5)], stopwatch: .wall
    ) { bed in
      let server = try bed.postgres
      let lists = (0..<50).map { bed.keys(100, seed: $0) }
      let erased = try server.store.repository(Pokemon.schema)
      return [
        .suspending("subject", operations: 100 * lists.count) {
          var found: [Pokemon] = []
          for keys in lists {
            let some = try await withThrowingTaskGroup(of: (Int, Pokemon?).self) { group in
              for (position, key) in keys.enumerated() {
                group.addTask { (position, try await erased.find(key)) }
              }
              var some = [Pokemon?](repeating: nil, count: keys.count)
              for try await (position, pokemon) in group { some[position] = pokemon }
              return some
            }
            found += some.compactMap(\.self)
          }
          return Answer(found)
        },
        .blocking("raw", operations: 100 * lists.count) {
          Answer(try lists.flatMap { try server.raw.find(pipelined: $0).compactMap(\.self) })
        },
      ]
    }

    // MARK: Writing

    private static let insert = Workload(
      "postgres-insert", unit: "row", [.init(to: "raw", most: 1.2)], warmsUp: false, stopwatch: .wall
    ) { bed in
      let rows = Pokedex.first(bed.options.writtenRows)
      return try writers(
        bed, operations: rows.count, subject: { try $0.writer.insert(rows) }, raw: { try $0.rawWriter.insert(rows) })
    }

    /// Every other row exists already.
    private static let save = Workload(
      "postgres-save", unit: "row", [.init(to: "raw")], warmsUp: false, stopwatch: .wall
    ) { bed in
      let rows = Pokedex.first(bed.options.writtenRows / 10, edition: 1)
      let existing = Pokedex.first(rows.count).filter { $0.id % 2 == 0 }
      return try writers(
        bed, operations: rows.count, after: existing, subject: { try $0.writer.save(rows) },
        raw: { try $0.rawWriter.save(rows) })
    }

    /// Transactions of a hundred saves each, one by one.
    private static let transaction = Workload(
      "postgres-transaction", unit: "save", [.init(to: "raw")], warmsUp: false, stopwatch: .wall
    ) { bed in
      let lists = (0..<10).map { list in (1...100).map { Pokedex.pokemon(100 * list + $0) } }
      return try writers(
        bed, operations: 100 * lists.count,
        subject: { server in
          for rows in lists {
            try server.writtenStore.blocking.transaction { _ in
              for row in rows { try server.writer.save([row]) }
            }
          }
        },
        raw: { server in
          for rows in lists { try server.rawWriter.save(oneByOne: rows) }
        })
    }

    private static func writers(
      _ bed: Bed, operations: Int, after existing: [Pokemon] = [], subject: @escaping (PostgresBed) throws -> Void,
      raw: @escaping (PostgresBed) throws -> Void
    ) throws -> [Contender] {
      let server = try bed.postgres
      func contender(_ name: String, _ write: @escaping (PostgresBed) throws -> Void) -> Contender {
        Contender(name, operations: operations) {
          try server.prepare(with: existing)
          return .blocking {
            try write(server)
            return server.content()
          }
        }
      }
      return [contender("subject", subject), contender("raw", raw)]
    }
  }
#else
  /// What libpq's headers are needed for, which are not here.
  enum PostgresWorkloads {
    static let all: [Workload] = []
  }
#endif
