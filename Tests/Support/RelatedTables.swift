package import Query
package import Repository

/// Tables that refer to each other in every way that there is: to one row, to none, to themselves, by two columns, and two
/// times to the same table.
package enum RelatedTables {
  package static func schemas() throws -> [TableSchema] {
    [
      try TableSchema(
        "artist", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text, isUnique: true)],
        primaryKey: ["id"]),
      try TableSchema(
        "person",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("boss", .integer, isNullable: true),
        ], primaryKey: ["id"], references: [ReferenceRule(["boss"], to: "person", key: ["id"], onDelete: .setNull)]),
      try TableSchema(
        "shelf",
        columns: [
          ColumnSchema("room", .text), ColumnSchema("number", .integer),
          ColumnSchema("height", .real, isNullable: true),
        ], primaryKey: ["room", "number"]),
      try TableSchema(
        "album",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("title", .text), ColumnSchema("artist", .integer, isIndexed: true),
          ColumnSchema("owner", .integer, isNullable: true), ColumnSchema("lender", .integer, isNullable: true),
          ColumnSchema("room", .text, isNullable: true), ColumnSchema("number", .integer, isNullable: true),
          ColumnSchema("released", .text, isNullable: true).holdingJSON(),
          ColumnSchema("cost", .text, isNullable: true, format: .decimal),
          ColumnSchema("bought", .text, isNullable: true, format: .date),
          ColumnSchema("code", .text, isNullable: true, format: .uuid),
        ], primaryKey: ["id"],
        references: [
          ReferenceRule(["artist"], to: "artist", key: ["id"], onDelete: .cascade),
          ReferenceRule(["owner"], to: "person", key: ["id"]), ReferenceRule(["lender"], to: "person", key: ["id"]),
          ReferenceRule(["room", "number"], to: "shelf", key: ["room", "number"]),
        ]),
      try TableSchema(
        "track",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("name", .text), ColumnSchema("album", .integer, isNullable: true),
          ColumnSchema("length", .integer), ColumnSchema("price", .real, isNullable: true),
          ColumnSchema("cost", .text, isNullable: true, format: .decimal),
        ], primaryKey: ["id"], references: [ReferenceRule(["album"], to: "album", key: ["id"])]),
    ]
  }

  /// A few rows by which each case can be checked by eye.
  package static let rows: [(table: String, rows: [[Value]])] = [
    ("artist", [[1, "Ann"], [2, "Ben"], [3, "Cy"]]),
    ("person", [[1, "Pat", .null], [2, "Quin", 1], [3, "Rae", 2], [4, "Sam", 2]]),
    ("shelf", [["hall", 1, 1.5], ["hall", 2, .null]]),
    (
      "album",
      [
        [1, "Dawn", 1, 3, .null, "hall", 1, "1999-12-31"], [2, "Dusk", 1, .null, 3, "hall", 2, "2001-02-03"],
        [3, "Noon", 2, 1, 2, .null, 1, .null],
      ]
    ),
    (
      "track",
      [
        [1, "One", 1, 100, 0.5], [2, "Two", 1, 300, .null], [3, "Three", 2, 200, 1.5], [4, "Four", 3, 400, -0.5],
        [5, "Five", .null, 50, 2.0],
      ]
    ),
  ]

  /// Queries of one table, and the keys of the rows that they mean.
  package static let cases: [(table: String, query: String, keys: [Value])] = [
    ("track", "album.title = 'Dawn'", [1, 2]),
    ("track", "album.artist.name = 'Ann'", [1, 2, 3]),
    ("track", "album.owner.boss.name = 'Quin'", [1, 2]),
    ("track", "album.title is null", [5]),
    ("track", "album.title != 'Dawn'", [3, 4, 5]),
    ("track", "not album.title = 'Dawn'", [3, 4, 5]),
    ("track", "not album.title < 'Dusk'", [3, 4, 5]),
    ("track", "album.artist = 1 and album.artist.name = 'Ann' and length > album.id * 100", [2]),
    ("track", "album.title in ('Dusk', null)", [3, 5]),
    ("track", "album.title contains 'O' ignoring case", [4]),
    ("track", "year(album.released) = 1999", [1, 2]),
    ("track", "name || album.title = 'OneDawn'", [1]),
    // Of a row without an album, too.
    ("track", "album.title = 'Dawn' or length = 50", [1, 2, 5]), ("track", "coalesce(album.title, name) = 'Five'", [5]),
    ("track", "album.owner.name = album.lender.name", [5]),
    ("album", "any track by album (length >= 300)", [1, 3]),
    ("album", "no track by album (length >= 300)", [2]),
    ("album", "any track (price is null)", [1]),
    ("album", "count(track by album) = 2", [1]),
    ("album", "count(price of track) = 1", [1, 2, 3]),
    ("album", "sum(length of track where name != 'Two') <= 200", [1, 2]),
    ("album", "min(price of track) < 0", [3]),
    ("album", "max(length of track) > 100 * id", [1, 3]),
    ("album", "average(length of track) = 200", [1, 2]),
    ("artist", "no album", [3]),
    ("artist", "any album by artist (any track by album (length = 200))", [1]),
    ("artist", "count(album where artist.name = 'Ann') = 2", [1]),
    ("artist", "max(id of album where max(length of track) = 400) = 3", [2]),
    ("person", "boss.boss is not null", [3, 4]),
    ("person", "any person by boss (name = 'Sam')", [2]),
    ("person", "count(person by boss) = 1", [1]),
    ("person", "any album by owner", [1, 3]),
    ("person", "any album by lender or any album by owner", [1, 2, 3]),
    ("person", "not any album by lender (title = 'Dusk')", [1, 2, 4]),
    ("shelf", "any album by (room, number) (title = 'Dusk')", ["hall"]),
    ("shelf", "no album by (room, number)", []),
    ("album", "number.height = 1.5", [1]), ("album", "room.height is null", [2, 3]),
    ("album", "room.number + number.number = number * 2", [1, 2]), ("track", "album.number.room = 'hall'", [1, 2, 3]),
    ("track", "album.room.height is not null and length > 100", [2]),
    ("album", "sum(price of track) = 0.5", [1]), ("album", "sum(price of track) < 1", [1, 3]),
    ("album", "average(price of track) >= 0.5", [1, 2]),
    ("artist", "sum(sum(price of track) of album) = 2.0", [1]), ("artist", "average(id / 2.0 of album) = 0.75", [1]),
  ]

  /// Requests that are refused, and a part of what is said.
  package static let refused: [(table: String, query: String, message: String)] = [
    ("track", "albm.title = 'x'", "did you mean album.title?"), ("track", "album.titel = 'x'", "did you mean title?"),
    ("track", "ALBUM.Titel = 'x'", "did you mean album.title?"),
    ("track", "name.title = 'x'", "name of track does not refer to another table"),
    ("album", "roon.height = 1", "did you mean room.height?"),
    ("album", "shelf.height = 1", "did you mean room.height?"),
    ("album", "title.height = 1", "columns of album with a reference: artist, owner, lender, room"),
    ("track", "album.title = 5", "can't be compared with a number"),
    ("person", "any album (title = 'x')", "in 2 ways"), ("person", "any album by artist", "by artist"),
    ("person", "any track", "don't refer to person"), ("person", "any planet", "no table planet"),
    ("album", "sum(name of track) = 1", "has no sum"), ("album", "count(track by album where titel = 1) = 1", "titel"),
    ("track", "album.title + 1 = 2", "takes numbers"), ("track", "price % 2 = 1", "takes integers"),
    ("track", "if(price > 1, 'a', 2) = 2", "texts and integers"), ("track", "length(price) = 1", "takes texts"),
  ]

  /// Rows at random, whose references lead to rows.
  package static func randomRows(using random: inout SplitMix64) throws -> [(table: String, rows: [[Value]])] {
    var keys: [String: [[Value]]] = [:]
    return try schemas().map { table in
      var writer = RandomRequests(random: random, table: table, storesNUL: false)
      var rows: [[Value]] = []
      for number in 1...8 {
        var row = writer.row()
        // Few values, so that they meet.
        for (position, column) in table.columns.enumerated()
        where column.type == .text && column.format == nil || column.isUnique {
          row[position] = .text(
            "\(column.isUnique ? "\(number)" : "")\(writer.random.pick(["a", "B", "é", "", "2024-02-29"]))")
        }
        for (position, column) in table.columns.enumerated() where column.mayHoldJSON && writer.random.chance(0.5) {
          row[position] = .text(RandomJSON(using: &writer.random).text)
        }
        row[0] = table.primaryKey == [0] ? .integer(Int64(number)) : .text("room")
        if table.primaryKey == [0, 1] { row[1] = .integer(Int64(number)) }
        for reference in table.references {
          let columns = table.positions(of: reference)
          let key = keys[reference.table].map { writer.random.pick($0) } ?? rows.last.map { [$0[0]] }
          let isNull = key == nil || writer.random.chance(0.2) && columns.allSatisfy { table.columns[$0].isNullable }
          for (index, column) in columns.enumerated() { row[column] = isNull ? .null : key?[index] ?? .null }
        }
        rows.append(row)
      }
      keys[table.name] = rows.map { row in table.primaryKey.map { row[$0] } }
      random = writer.random
      return (table.name, rows)
    }
  }
}

extension Store {
  /// Opens the tables and saves rows in them, whose last columns may be left out.
  package func saving(
    _ rows: [(table: String, rows: [[Value]])]
  ) async throws -> [String: AnyRepository<Record>] {
    var repositories: [String: AnyRepository<Record>] = [:]
    for schema in try RelatedTables.schemas() {
      let repository = try repository(Schema(schema))
      repositories[schema.name] = repository
      let values = rows.first { $0.table == schema.name }?.rows ?? []
      try await repository.save(
        values.map { row in
          let nulls = [Value](repeating: .null, count: schema.columns.count - row.count)
          return Record(values: row + nulls, in: schema)
        })
    }
    return repositories
  }
}

extension Repository<Record> {
  /// What is found, or why nothing is.
  package func answer(to request: FetchRequest) async -> [[Value]] {
    do {
      return try await findAll(request).map(\.values)
    } catch {
      return [[.text("\(error)")]]
    }
  }

  /// The same of a projection, and of groups.
  package func answer(to request: ProjectionRequest) async -> [[Value]] {
    do {
      return try await findRows(request)
    } catch {
      return [[.text("\(error)")]]
    }
  }

  package func answer(to request: AggregateRequest) async -> [[Value]] {
    do {
      return try await aggregate(request).map { $0.keys + $0.aggregates }
    } catch {
      return [[.text("\(error)")]]
    }
  }
}

/// What random requests to related tables have found in two stores.
package struct RelatedComparison: Sendable {
  /// The number of requests for rows, and of those that found some or were refused.
  package private(set) var (asked, answered) = (0, 0)
  /// The first request with two answers, as Swift where it is one for rows; `nil` where all were alike.
  package private(set) var difference: String?

  package init() {}

  /// Asks each table of both stores for rows, projections and groups, up to the first difference.
  ///
  /// - Parameters:
  ///   - expected: the repositories of the tables in memory, by name.
  ///   - found: those in the other store.
  ///   - storesNUL: whether both store U+0000 in text.
  ///   - jsonRate: how many of the operands are paths into JSON where there may be some.
  package mutating func ask(
    _ expected: [String: AnyRepository<Record>], _ found: [String: AnyRepository<Record>],
    using random: inout SplitMix64,
    storesNUL: Bool = true, jsonRate: Double = 0.3
  ) async throws {
    let schemas = try RelatedTables.schemas()
    for table in schemas {
      guard let memory = expected[table.name], let other = found[table.name] else { continue }
      var draw = RandomRequests(random: random, table: table, storesNUL: storesNUL)
      (draw.relatedTables, draw.expressionRate, draw.jsonRate) = (schemas, 0.6, jsonRate)
      for _ in 0..<20 where difference == nil {
        var (request, projection, groups) = (draw.request(), draw.projection(), draw.aggregates())
        (request.after, request.before) = (nil, nil)
        (projection.rows.after, projection.rows.before) = (nil, nil)
        let answers = [
          (SwiftSource.of(request), await memory.answer(to: request), await other.answer(to: request)),
          ("\(projection)", await memory.answer(to: projection), await other.answer(to: projection)),
          ("\(groups)", await memory.answer(to: groups), await other.answer(to: groups)),
        ]
        asked += 1
        if answers[0].2.first?.count != 1 { answered += 1 }
        if let (request, memory, other) = answers.first(where: { $0.1 != $0.2 }) {
          difference = "\(table.name): \(request)\nmemory: \(memory)\nother: \(other)"
        }
      }
      random = draw.random
    }
  }
}
