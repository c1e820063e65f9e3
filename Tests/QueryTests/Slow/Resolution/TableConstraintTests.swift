import Query
import TestSupport
import Testing

@Suite("Rules of a table are checked when it is described")
struct TableRuleTests {
  private static let columns = [
    ColumnSchema("id", .integer), ColumnSchema("a", .integer), ColumnSchema("b", .text, isNullable: true),
  ]

  private static func table(
    unique: [[String]] = [], checks: [CheckRule] = [], references: [ReferenceRule] = [],
    columns: [ColumnSchema] = columns
  ) throws(QueryError) -> TableSchema {
    try TableSchema(
      "t", columns: columns, primaryKey: ["id"], unique: unique, checks: checks, references: references)
  }

  @Test("a column that is unique alone says so itself; several are a set")
  func unique() throws {
    let table = try Self.table(unique: [["a"], ["b", "a"], ["a", "b"], ["b", "id"]])
    #expect(table.columns[1].isUnique && !table.columns[2].isUnique)
    #expect(table.uniqueSets == [[2, 1], [1, 2], [2, 0]])
  }

  @Test(
    "a set of columns that can't be unique is refused",
    arguments: [
      ([[]], "a unique constraint has no columns"), ([["c"]], "a unique constraint names c, which is not a column"),
      ([["a", "a"]], "a unique constraint names a twice"), ([["id"]], "id are already unique"),
      ([["a", "b"], ["a", "b"]], "a and b are already unique"),
    ] as [([[String]], String)])
  func badUnique(unique: [[String]], reason: String) {
    expectError(.invalidSchema, of: QueryError.self, reason: reason) { try Self.table(unique: unique) }
  }

  @Test(
    "a check that can't be asked, or that a database can't ask by itself, is refused",
    arguments: [
      (CheckRule("", .true), "a check has no name"),
      (CheckRule("r", .isNull(key: "c")), "the check r is invalid: no column c in t"),
      (
        CheckRule("r", .equal(key: "a", value: "x")),
        "the check r is invalid: can't compare a, which stores numbers, with text"
      ),
      (
        CheckRule("r", .true || !.like(key: "b", value: "a%")),
        nil
      ),
      (
        CheckRule("r", .isNull(key: "a") || !.like(key: "b", value: "a%")),
        "the check r uses `like` or ignores case, which other programs can't evaluate"
      ),
      (
        CheckRule("r", .contains(key: "b", value: "a", ignoringCase: true)),
        "the check r uses `like` or ignores case, which other programs can't evaluate"
      ),
    ] as [(CheckRule, String?)])
  func badCheck(check: CheckRule, reason: String?) throws {
    guard let reason else {
      // What decides nothing needs no function.
      #expect(try Self.table(checks: [check]).checks == [check])
      return
    }
    expectError(.invalidSchema, of: QueryError.self, reason: reason) { try Self.table(checks: [check]) }
  }

  @Test("two checks of one name are refused, also where it differs in case alone")
  func checkNames() {
    expectError(of: QueryError.self, reason: "two checks have the name BIG") {
      try Self.table(checks: [CheckRule("big", .true), CheckRule("BIG", .false)])
    }
  }

  @Test(
    "a reference that can't be kept is refused",
    arguments: [
      (ReferenceRule([], to: "o", key: []), "a reference has no columns"),
      (ReferenceRule(["c"], to: "o", key: ["id"]), "a reference names c, which is not a column"),
      (ReferenceRule(["a", "a"], to: "o", key: ["x", "y"]), "the reference of a and a names a column twice"),
      (ReferenceRule(["a"], to: "o", key: ["x", "y"]), "a can't refer to o, whose key has 2 columns"),
      (
        ReferenceRule(["a"], to: "o", key: ["x"], onDelete: .setNull),
        "a becomes null when a row of o is deleted, but a may not be null"
      ),
    ])
  func badReference(reference: ReferenceRule, reason: String) {
    expectError(.invalidSchema, of: QueryError.self, reason: reason) { try Self.table(references: [reference]) }
  }

  @Test("only a key of one column of integers is generated")
  func generated() throws {
    let text = [ColumnSchema("id", .text, isGenerated: true)]
    #expect(throws: QueryError.self) { try Self.table(columns: text) }
    let other = [ColumnSchema("id", .integer), ColumnSchema("a", .integer, isGenerated: true)]
    #expect(throws: QueryError.self) { try Self.table(columns: other) }
    let both = [ColumnSchema("id", .integer, isGenerated: true), ColumnSchema("a", .integer)]
    #expect(throws: QueryError.self) { try TableSchema("t", columns: both, primaryKey: ["id", "a"]) }
    #expect(try Self.table(columns: [ColumnSchema("id", .integer, isGenerated: true)]).hasGeneratedKey)
  }
}
