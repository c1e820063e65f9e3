package import Query

/// Requests that lead to other tables, and the indexes by which a database has to find their rows.
package enum RelatedPlans {
  package static func schemas() throws -> [TableSchema] {
    [
      try TableSchema(
        "maker", columns: [ColumnSchema("id", .integer), ColumnSchema("name", .text, isIndexed: true)],
        primaryKey: ["id"]),
      try TableSchema(
        "record",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("title", .text, isIndexed: true),
          ColumnSchema("maker", .integer, isIndexed: true),
        ], primaryKey: ["id"], references: [ReferenceRule(["maker"], to: "maker", key: ["id"])]),
      try TableSchema(
        "song",
        columns: [
          ColumnSchema("id", .integer), ColumnSchema("record", .integer, isNullable: true, isIndexed: true),
          ColumnSchema("length", .integer),
        ], primaryKey: ["id"], references: [ReferenceRule(["record"], to: "record", key: ["id"])]),
    ]
  }

  /// As many rows that a database had better use an index: ten records of each maker, ten songs of each record.
  package static func rows(makers: Int) -> [String] {
    [
      "INSERT INTO maker (id, name) \(numbers(makers)) SELECT i, 'Maker ' || i FROM n",
      "INSERT INTO record (id, title, maker) \(numbers(10 * makers)) SELECT i, 'Record ' || i, 1 + i % \(makers) FROM n",
      "INSERT INTO song (id, record, length) \(numbers(100 * makers)) SELECT i, 1 + i % \(10 * makers), i % 500 FROM n",
      "ANALYZE",
    ]
  }

  private static func numbers(_ count: Int) -> String {
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))"
  }

  /// A request, how many joins it takes, and the columns whose indexes lead to the rows.
  package static let cases: [(table: String, query: String, sort: String, joins: Int, indexes: [String])] = [
    ("song", "record.title = 'Record 7'", "", 1, ["record.title", "song.record"]),
    // One path is one join, however often it is used.
    (
      "song", "record.title = 'Record 7' and record.maker > 3 and length > record.id", "record.title, record.id", 1,
      ["record.title", "song.record"]
    ),
    (
      "song", "record.title = 'Record 7' and record.maker.name != 'x' and record.maker.id > 1", "", 2,
      ["record.title", "song.record"]
    ),
    // Rows without a partner can't meet these, which the database is told.
    ("song", "record.maker.name = 'Maker 7'", "", 2, ["maker.name", "record.maker", "song.record"]),
    ("song", "record.title in ('Record 7', 'Record 8')", "", 1, ["record.title", "song.record"]),
    (
      "song", "record.maker.name in ('Maker 7', 'x') and length > 3", "", 2,
      ["maker.name", "record.maker", "song.record"]
    ),
    ("song", "record.title starts with 'Record 777'", "", 1, ["record.title", "song.record"]),
    ("song", "record.title between 'Record 7' and 'Record 70'", "", 1, ["record.title", "song.record"]),
    ("record", "title = 'Record 7' and any song by record (length > 100)", "", 0, ["record.title", "song.record"]),
    ("record", "title = 'Record 7' and no song", "", 0, ["record.title", "song.record"]),
    ("record", "title = 'Record 7' and count(song by record) > 3", "", 0, ["record.title", "song.record"]),
    ("record", "title = 'Record 7' and max(length of song) > 3", "", 0, ["record.title", "song.record"]),
    (
      "maker", "name = 'Maker 7' and any record (any song (length = 5))", "", 0,
      ["maker.name", "record.maker", "song.record"]
    ),
    ("record", "title = 'Record 7'", "-sum(length of song)", 0, ["record.title", "song.record"]),
    ("song", "record.title = 'Record 7' and length + 1 > record.maker * 2", "", 1, ["record.title", "song.record"]),
  ]

  /// How often one text is in another.
  package static func count(_ text: String, in other: String) -> Int { other.ranges(of: text).count }
}
