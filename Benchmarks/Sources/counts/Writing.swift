import Foundation
import Model
import SQLiteStore

/// What writes the database, which is a copy for each run.
enum Writing {
  static let all = [insert, streamed, upsert, save, open]

  private static let batch = 500

  /// Rows that are not there yet.
  private static func rows(_ repetition: Int) -> [Pokemon] {
    (1...batch).map { Pokedex.pokemon(Counts.rows + repetition * batch + $0) }
  }

  private static let insert = CountedWorkload.blocking("bulk-insert", repetitions: 8, operations: batch) { path in
    let repository = try SQLiteStore(path: path).blocking.repository(of: Pokemon.self)
    let batches = (0..<Counts.mostRepetitions(of: 8)).map(rows)
    return { _ = try repository.insert(batches[$0]) }
  }

  private static let streamed = CountedWorkload.suspending("streamed-insert", repetitions: 8, operations: batch) {
    path in
    let repository = try SQLiteStore(path: path).sqlRepository(of: Pokemon.self)
    let batches = (0..<Counts.mostRepetitions(of: 8)).map(rows)
    return { repetition in
      let rows = batches[repetition]
      try Counts.expect(try await repository.insert(contentsOf: rows) == rows.count)
    }
  }

  /// Every row exists.
  private static let upsert = CountedWorkload.blocking("upsert", repetitions: 8, operations: batch) { path in
    let repository = try SQLiteStore(path: path).blocking.repository(of: Pokemon.self)
    let editions = (1...2).map { edition in (1...batch).map { Pokedex.pokemon($0, edition: UInt64(edition)) } }
    return { try repository.save(editions[$0 % 2]) }
  }

  private static let save = CountedWorkload.blocking("single-save", repetitions: 200) { path in
    let repository = try SQLiteStore(path: path).blocking.repository(of: Pokemon.self)
    let rows = (1...batch).map { Pokedex.pokemon($0, edition: 1) }
    return { try repository.save([rows[$0 % rows.count]]) }
  }

  private static let open = CountedWorkload.blocking("open", repetitions: 8) { path in
    { repetition in
      let repository = try SQLiteStore(path: "\(path)-\(repetition)").blocking.repository(of: Pokemon.self)
      try Counts.expect(repository.findAll(FetchRequest(limit: 1)).isEmpty)
    }
  }
}
