import Foundation
package import Query
package import Repository

/// Updates of ``RelatedTables`` that work values out of the rows, and what they come to.
package enum ComputedUpdates {
  /// The table, what is set, where, a column, and its values in the order of the keys.
  package static let cases: [(table: String, set: String, query: String, column: String, values: [Value])] = [
    ("track", "length = length + 1", "true", "length", [101, 301, 201, 401, 51]),
    ("track", "length = length * 3 / 2", "length > 100", "length", [100, 450, 300, 600, 50]),
    ("track", "price = length", "id < 3", "price", [100.0, 300.0, 1.5, -0.5, 2.0]),
    ("track", "price = price * 2", "true", "price", [1.0, .null, 3.0, -1.0, 4.0]),
    ("track", "price = length / 0", "true", "price", [.null, .null, .null, .null, .null]),
    ("track", "price = coalesce(price, 0) + length", "id < 3", "price", [100.5, 300.0, 1.5, -0.5, 2.0]),
    // What has no result is a real among integers all the same.
    ("track", "price = coalesce(1.0 / 0, length) / 8", "id = 1", "price", [12.5, .null, 1.5, -0.5, 2.0]),
    ("track", "price = coalesce(price / 0, length + 4) / 8", "id < 3", "price", [13.0, 38.0, 1.5, -0.5, 2.0]),
    ("track", "price = if(id > 1, 1.0 / 0, length) / 8", "id < 3", "price", [12.5, .null, 1.5, -0.5, 2.0]),
    ("track", "length = coalesce(1 / 0, length) / 8", "id = 1", "length", [12, 300, 200, 400, 50]),
    ("album", "number = coalesce(min(1 / 0 of track by album), 7)", "room is null", "number", [1, 2, 7]),
    ("album", "number = coalesce(max(null of track by album), number) + 1", "room is null", "number", [1, 2, 2]),
    ("track", "length = 2 + 3 * 4", "id = 1", "length", [14, 300, 200, 400, 50]),
    ("track", "name = name || '!'", "id != 2", "name", ["One!", "Two", "Three!", "Four!", "Five!"]),
    ("track", "name = if(length > 200, 'long', name)", "true", "name", ["One", "long", "Three", "long", "Five"]),
    // Each sees the row as it was before.
    ("track", "price = length, length = length + 1", "true", "price", [100.0, 300.0, 200.0, 400.0, 50.0]),
    ("album", "owner = lender, lender = owner", "true", "owner", [.null, 3, 2]),
    ("album", "owner = lender, lender = owner", "true", "lender", [3, .null, 1]),
    // Rows of other tables are part of it.
    ("track", "name = album.title", "album is not null", "name", ["Dawn", "Dawn", "Dusk", "Noon", "Five"]),
    ("track", "length = length + album.id", "album.artist.name = 'Ann'", "length", [101, 301, 202, 400, 50]),
    ("album", "number = count(track by album)", "room is null", "number", [1, 2, 1]),
    ("shelf", "height = height + count(album by (room, number))", "true", "height", [2.5, .null]),
    // Rows of the same table are those from before the first change, in conditions and in values.
    ("person", "name = boss.name", "boss is not null", "name", ["Pat", "Pat", "Quin", "Quin"]),
    ("person", "boss = boss.boss", "true", "boss", [.null, .null, 1, 1]),
    ("person", "boss = count(person by boss) + 1", "id > 1", "boss", [.null, 3, 1, 1]),
    ("person", "boss = null", "boss.boss is null", "boss", [.null, .null, 2, 2]),
    ("person", "boss = 4", "no person by boss", "boss", [.null, 1, 4, 4]),
    ("person", "boss = 4", "count(person by boss) = 0", "boss", [.null, 1, 4, 4]),
    ("person", "name = 'Pat'", "boss is null or boss.name = 'Pat'", "name", ["Pat", "Pat", "Rae", "Sam"]),
    (
      "person", "name = 'Sam'", "any person by boss (any person by boss (name = 'Sam'))", "name",
      ["Sam", "Quin", "Rae", "Sam"]
    ),
  ]

  /// Updates that are refused: the code, and a part of what is said.
  package static let refused: [(table: String, set: String, code: String, message: String)] = [
    ("track", "length = length * 1.5", "invalidValue", "length stores integers and can't store reals"),
    ("track", "name = length + 1", "invalidValue", "name stores text and can't store integers"),
    ("track", "length = lenght + 1", "invalidQuery", "did you mean length?"),
    ("track", "id = id + 1", "invalidQuery", "part of the primary key"),
    ("artist", "name = name || '!'", "invalidQuery", "can't compute name for each row, because the column is unique"),
    ("person", "boss = boss.id + 5", "foreignKeyViolation", "boss"),
    ("artist", "name = 5 + 1", "invalidValue", "name stores text"),
    // No integer is the result of the one, and a track has no album.
    ("track", "length = length + 9223372036854775807", "constraint", "length"),
    ("track", "name = album.title", "constraint", "name"),
    ("track", "album = length", "foreignKeyViolation", "album"),
  ]
}

extension Store {
  /// What is wrong with the updates in this store.
  package func faultsOfComputedUpdates() async throws -> [String] {
    let tables = try await saving(RelatedTables.rows)
    var faults: [String] = []
    for (table, set, query, column, values) in ComputedUpdates.cases {
      guard let repository = tables[table], let schema = try RelatedTables.schemas().first(named: table) else {
        continue
      }
      let position = try schema.position(of: column)
      let before = try await repository.findAll(FetchRequest())
      do {
        let (query, assignments) = (try AnyQuery(parsing: query), try Assignment.list(parsing: set))
        let keys = try await repository.findAll(FetchRequest(query)).map(\.id)
        let count = try await repository.update(where: query, set: assignments)
        let after = try await repository.findAll(FetchRequest())
        let found = after.map { $0.values[position].description }
        if found != values.map(\.description) { faults.append("\(set) where \(query): \(found)") }
        if count != keys.count { faults.append("\(set) where \(query): \(count) rows of \(keys.count)") }
        try await repository.save(before)
        let returned = try await repository.updateReturning(where: query, set: assignments)
        if returned != after.filter({ keys.contains($0.id) }) {
          faults.append("\(set) where \(query) returns \(returned)")
        }
      } catch {
        faults.append("\(set): \(error)")
      }
      try await repository.save(before)
    }
    for (table, set, code, message) in ComputedUpdates.refused {
      guard let repository = tables[table] else { continue }
      let before = try await repository.findAll(FetchRequest())
      do {
        try await repository.update(where: .true, set: try Assignment.list(parsing: set))
        faults.append("\(set) is not refused")
      } catch let error as RepositoryError {
        if error.code.rawValue != code || !"\(error)".contains(message) {
          faults.append("\(set): \(error.code) \(error)")
        }
      }
      if try await repository.findAll(FetchRequest()) != before { faults.append("\(set) is refused, and changes rows") }
    }
    // Of a condition and a value that are both refused, the condition is named.
    for condition in ["name.title = 'x'", "album.titel = 'x'", "titel = 'x'"] {
      do {
        let assignments = try Assignment.list(parsing: "id = id + 1")
        try await tables["track"]?.update(where: try AnyQuery(parsing: condition), set: assignments)
        faults.append("\(condition) is not refused")
      } catch let error as RepositoryError {
        if !["name of track does not refer to another table", "titel"].contains(where: "\(error)".contains) {
          faults.append("\(condition): \(error)")
        }
      }
    }
    return faults
  }
}

/// A note that answers another one, and remains when it is deleted.
private struct Answer: Entity {
  let id: Int
  var parent: Int?
  var removed: Date?

  static let answer = ToOne(\Answer.parent, to: Answer.self, onDelete: .cascade)
  static let schema = Schema(
    "answer", Answer.init, Column("id", \.id), Column("parent", \.parent), Column("removed", \.removed, .deletedAt)
  ).references(answer)
}

extension Store {
  /// Deletes rows by conditions on rows of the same table, softly and with cascades.
  ///
  /// - Returns: the deletions after which other rows remain than those of the condition's answer before.
  package func faultsOfDeletionsByOwnRows() async throws -> [String] {
    let kept = try repository(of: Answer.self)
    let removed = try repository(Answer.schema.includingDeleted)
    var faults: [String] = []
    // Each answers the one before it. The last list is of those that a cascade deletes, too.
    for (text, keys, all) in [
      ("parent.removed is null and parent is not null", [2, 3, 4], [2, 3, 4]),
      ("parent.parent is null", [1, 2], [1, 2, 3, 4]),
      ("parent.id > 1 and parent.removed is null", [3, 4], [3, 4]), ("any answer by parent (id = 4)", [3], [3, 4]),
      ("no answer by parent (removed is null)", [4], [4]),
    ] {
      let query = try AnyQuery(parsing: text)
      for (isSoft, repository) in [(true, kept), (false, removed)] {
        for returns in [false, true] {
          try await removed.delete(where: AnyQuery.true)
          for id in 1...4 { try await removed.save(Answer(id: id, parent: id == 1 ? nil : id - 1, removed: nil)) }
          if returns {
            let found = try await repository.deleteReturning(where: query).map(\.id)
            if found != keys { faults.append("\(text) returns \(found)") }
          } else {
            let count = try await repository.delete(where: query)
            if count != keys.count { faults.append("\(text): \(count) rows") }
          }
          let rest = try await kept.findAll().map(\.id)
          if rest != (1...4).filter({ !(isSoft ? keys : all).contains($0) }) {
            faults.append("\(text): \(rest) remain")
          }
        }
      }
    }
    return faults
  }
}
