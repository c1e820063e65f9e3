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

  /// As many rows that a database had better use an index.
  package static let rows = [
    "INSERT INTO maker (id, name) \(numbers(200)) SELECT i, 'Maker ' || i FROM n",
    "INSERT INTO record (id, title, maker) \(numbers(2_000)) SELECT i, 'Record ' || i, 1 + i % 200 FROM n",
    "INSERT INTO song (id, record, length) \(numbers(20_000)) SELECT i, 1 + i % 2000, i % 500 FROM n",
    "ANALYZE",
  ]

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
