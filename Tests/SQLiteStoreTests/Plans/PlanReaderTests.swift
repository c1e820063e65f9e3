import Testing

@testable import SQLiteStore

@Suite("A step of a plan is read from SQLite's words")
struct PlanReaderTests {
  private let reader = PlanReader(
    tables: ["pokemon", "a", "a USING INDEX b", "odd name", "x VIRTUAL TABLE"],
    indexes: ["pokemon.type1", "i (x)", "i", "odd index"])

  static let cases: [(String, PlanAction)] = [
    ("SCAN pokemon", .scan(table: "pokemon", by: .rows)),
    ("SCAN TABLE pokemon", .scan(table: "pokemon", by: .rows)),
    (
      "SCAN pokemon USING COVERING INDEX pokemon.type1",
      .scan(table: "pokemon", by: .index(name: "pokemon.type1", isCovering: true))
    ),
    ("SCAN pokemon USING INDEX i", .scan(table: "pokemon", by: .index(name: "i", isCovering: false))),
    (
      "SEARCH pokemon USING INDEX pokemon.type1 (type1=? AND weight>?)",
      .search(
        table: "pokemon", by: .index(name: "pokemon.type1", isCovering: false), conditions: "type1=? AND weight>?")
    ),
    (
      "SEARCH odd name USING INDEX i (x) (a=?)",
      .search(table: "odd name", by: .index(name: "i (x)", isCovering: false), conditions: "a=?")
    ),
    (
      "SEARCH odd name USING INDEX i (x=?)",
      .search(table: "odd name", by: .index(name: "i", isCovering: false), conditions: "x=?")
    ),
    (
      "SEARCH pokemon USING INTEGER PRIMARY KEY (rowid=?)",
      .search(table: "pokemon", by: .primaryKey, conditions: "rowid=?")
    ),
    ("SEARCH a USING PRIMARY KEY (k=?)", .search(table: "a", by: .primaryKey, conditions: "k=?")),
    (
      "SEARCH a USING AUTOMATIC COVERING INDEX (k=?)", .search(table: "a", by: .automaticIndex, conditions: "k=?")
    ),
    (
      "SEARCH a USING AUTOMATIC PARTIAL COVERING INDEX (k=?)",
      .search(table: "a", by: .automaticIndex, conditions: "k=?")
    ),
    // Two tables could be meant; the one whose name is the longest that fits is.
    ("SCAN a USING INDEX b", .scan(table: "a USING INDEX b", by: .rows)),
    ("SCAN a USING INDEX i", .scan(table: "a", by: .index(name: "i", isCovering: false))),
    ("SCAN json_each VIRTUAL TABLE INDEX 1:", .scan(table: "json_each", by: .virtualTable)),
    ("SCAN x VIRTUAL TABLE VIRTUAL TABLE INDEX 0:", .scan(table: "x VIRTUAL TABLE", by: .virtualTable)),
    ("SCAN unknown USING INDEX new (q)", .scan(table: "unknown", by: .index(name: "new", isCovering: false))),
    ("USE TEMP B-TREE FOR ORDER BY", .sort(.order)),
    ("USE TEMP B-TREE FOR RIGHT PART OF ORDER BY", .sort(.restOfOrder)),
    ("USE TEMP B-TREE FOR LAST TERM OF ORDER BY", .sort(.restOfOrder)),
    ("USE TEMP B-TREE FOR GROUP BY", .sort(.group)),
    ("USE TEMP B-TREE FOR DISTINCT", .sort(.distinct)),
    ("MULTI-INDEX OR", .multipleIndexes),
    ("INDEX 1", .other),
    ("CO-ROUTINE v", .other),
    ("something that a later version says", .other),
    ("", .other),
  ]

  @Test(arguments: cases)
  func action(detail: String, action: PlanAction) {
    #expect(reader.action(detail) == action)
  }

  @Test("and stands below the one that it is a part of")
  func depths() {
    let plan = reader.plan([(1, 0, "MULTI-INDEX OR"), (2, 1, "INDEX 1"), (5, 2, "SCAN a"), (9, 0, "SCAN pokemon")])
    #expect(plan.steps.map(\.depth) == [0, 1, 2, 0])
  }
}
