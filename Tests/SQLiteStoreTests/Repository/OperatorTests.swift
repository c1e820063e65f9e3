import Query
import Repository
import SQL
import SQLiteStore
import Testing

/// Each line shows a query, the SQL that it becomes, and the rows that both evaluators have to find.
@Suite("Each operator finds the same rows in memory and in SQLite")
struct OperatorTests {
  private let specimens: Specimens

  init() throws {
    specimens = try Specimens()
  }

  struct Case: CustomTestStringConvertible {
    let query: AnyQuery
    let sql: String
    let ids: [Int64]
    var testDescription: String { sql }

    init(_ query: AnyQuery, _ sql: String, _ ids: [Int64]) {
      self.query = query
      self.sql = sql
      self.ids = ids
    }
  }

  static let huge: Int64 = 9_007_199_254_740_993

  static let numbers: [Case] = [
    Case(.equal(key: "whole", value: huge), #""whole" = ?"#, [1]),
    Case(.equal(key: "whole", value: 9_007_199_254_740_992.0), #""whole" = ?"#, [2]),
    Case(.equal(key: "real", value: huge), "1 = 0", []),
    Case(.notEqual(key: "real", value: huge), "1 = 1", [1, 2, 3, 4, 5, 6, 7, 8]),
    Case(.lessThan(key: "real", value: huge), #""real" < ?"#, [1, 3, 4, 7, 8]),
    Case(.equal(key: "real", value: 9_007_199_254_740_992), #""real" = ?"#, [1]),
    Case(.equal(key: "real", value: Double.infinity), #""real" = ?"#, [2]),
    Case(.equal(key: "real", value: 0), #""real" = ?"#, [4]),
    Case(.greaterThan(key: "real", value: Int64.max), #""real" > ?"#, [2, 6]),
    Case(.greaterThan(key: "whole", value: 0.5), #""whole" > ?"#, [1, 2, 6, 8]),
    Case(!.greaterThan(key: "whole", value: 0.5), #""whole" <= ? OR "whole" IS NULL"#, [3, 4, 5, 7]),
    Case(.lessThanOrEqual(key: "whole", value: -1), #""whole" <= ?"#, [3, 7]),
    Case(.greaterThanOrEqual(key: "real", value: Double.infinity), #""real" >= ?"#, [2]),
    Case(
      .equal(key: "whole", otherKey: "real"), #""whole" = "real" OR ("whole" IS NULL AND "real" IS NULL)"#, [4, 5, 8]),
    Case(.lessThan(key: "whole", otherKey: "real"), #""whole" < "real""#, [2, 6, 7]),
    Case(
      !.lessThan(key: "whole", otherKey: "real"), #""whole" >= "real" OR "whole" IS NULL OR "real" IS NULL"#,
      [1, 3, 4, 5, 8]),
  ]

  static let nulls: [Case] = [
    Case(.isNull(key: "text"), #""text" IS NULL"#, [5]),
    Case(.isNotNull(key: "text"), #""text" IS NOT NULL"#, [1, 2, 3, 4, 6, 7, 8]),
    Case(.notEqual(key: "text", value: "a"), #""text" <> ? OR "text" IS NULL"#, [1, 2, 3, 4, 5, 6, 7]),
    Case(.greaterThan(key: "text", value: Value.null), "1 = 0", []),
    Case(.notEqual(key: "text", otherKey: "other"), #""text" <> "other" OR "text" IS NULL"#, [2, 3, 5, 6, 7, 8]),
    Case(
      .notEqual(key: "text", otherKey: "any"), #"+"text" <> +"any" OR ("text" IS NULL) <> ("any" IS NULL)"#,
      [1, 2, 3, 4, 6, 7, 8]),
    Case(.in(key: "whole", values: [0, nil]), #""whole" IN (?) OR "whole" IS NULL"#, [4, 5]),
    Case(!.in(key: "whole", values: [0, nil]), #""whole" IS NOT NULL AND "whole" NOT IN (?)"#, [1, 2, 3, 6, 7, 8]),
    Case(!.in(key: "whole", values: [0]), #""whole" NOT IN (?) OR "whole" IS NULL"#, [1, 2, 3, 5, 6, 7, 8]),
    Case(.in(key: "whole", values: [Int]()), "1 = 0", []),
  ]

  static let ranges: [Case] = [
    Case(.between(key: "whole", lhs: -1, rhs: 1), #""whole" BETWEEN ? AND ?"#, [3, 4, 8]),
    Case(
      !.between(key: "whole", lhs: -1, rhs: 1), #""whole" NOT BETWEEN ? AND ? OR "whole" IS NULL"#, [1, 2, 5, 6, 7]),
    Case(.between(key: "whole", lhs: 1, rhs: -1), #""whole" BETWEEN ? AND ?"#, []),
    Case(.between(key: "text", lhs: "", rhs: "a"), #""text" BETWEEN ? AND ?"#, [4, 6, 7, 8]),
    Case(
      !.between(key: "whole", lower: .value(.null), upper: .key("real")),
      #"1 = 1 OR ("whole" > "real" OR "whole" IS NULL OR "real" IS NULL)"#,
      [1, 2, 3, 4, 5, 6, 7, 8]),
  ]

  static let texts: [Case] = [
    Case(.equal(key: "text", value: Specimens.composed), #""text" = ?"#, [1]),
    Case(.equal(key: "text", value: Specimens.decomposed), #""text" = ?"#, [2]),
    Case(.equal(key: "text", value: "a\0b"), #""text" = ?"#, [3]),
    Case(.equal(key: "text", value: ""), #""text" = ?"#, [4]),
    Case(.lessThan(key: "text", value: "a\0c"), #""text" < ?"#, [3, 4, 6, 7, 8]),
    Case(.contains(key: "text", value: "\0"), #"instr("text", ?) > 0"#, [3]),
    Case(.contains(key: "text", value: ""), #"instr("text", ?) > 0"#, [1, 2, 3, 4, 6, 7, 8]),
    Case(!.contains(key: "text", value: "a"), #"NOT (instr("text", ?) > 0) OR "text" IS NULL"#, [4, 5, 6]),
    Case(.contains(key: "text", value: "e"), #"instr("text", ?) > 0"#, [2, 7]),
    Case(.contains(key: "text", value: "STRASSE", ignoringCase: true), #"instr(repokit_fold("text"), ?) > 0"#, [6, 7]),
    Case(.hasPrefix(key: "text", value: "a\0"), #""text" >= ? AND "text" < ?"#, [3]),
    Case(.hasPrefix(key: "text", value: "cafe"), #""text" >= ? AND "text" < ?"#, [2]),
    Case(.hasPrefix(key: "text", value: ""), #""text" IS NOT NULL"#, [1, 2, 3, 4, 6, 7, 8]),
    Case(
      .hasPrefix(key: "text", value: "CAF\u{C9}", ignoringCase: true),
      #"substr(CAST(repokit_fold("text") AS BLOB), 1, ?) IS ?"#, [1]),
    Case(.hasSuffix(key: "text", value: "\0b"), #"substr(CAST("text" AS BLOB), ?) IS ?"#, [3]),
    Case(.hasSuffix(key: "text", value: "\u{301}"), #"substr(CAST("text" AS BLOB), ?) IS ?"#, [2]),
    Case(.hasSuffix(key: "text", value: ""), #""text" IS NOT NULL"#, [1, 2, 3, 4, 6, 7, 8]),
    Case(
      .hasSuffix(key: "text", value: "STRASSE", ignoringCase: true),
      #"substr(CAST(repokit_fold("text") AS BLOB), ?) IS ?"#, [6, 7]),
    Case(.like(key: "text", value: "caf_"), #"repokit_like("text", ?)"#, [1]),
    Case(.like(key: "text", value: "caf__"), #"repokit_like("text", ?)"#, [2]),
    Case(.like(key: "text", value: "a_b"), #"repokit_like("text", ?)"#, [3]),
    Case(.like(key: "text", value: "A"), #"repokit_like("text", ?)"#, []),
    Case(.like(key: "text", value: #"%\%\_\\%"#), #"repokit_like("text", ?)"#, [6, 7]),
    Case(.like(key: "text", value: "%STRASS_", ignoringCase: true), #"repokit_like(repokit_fold("text"), ?)"#, [6, 7]),
    Case(.like(key: "text", value: ""), #"repokit_like("text", ?)"#, [4]),
    Case(!.like(key: "text", value: "%"), #"NOT (repokit_like("text", ?)) OR "text" IS NULL"#, [5]),
  ]

  static let kinds: [Case] = [
    Case(.equal(key: "any", value: 5), #""any" = ?"#, [1, 2]),
    Case(.equal(key: "any", value: "5"), #""any" = ?"#, [3]),
    Case(.equal(key: "any", value: [UInt8]("5".utf8)), #""any" = ?"#, [4]),
    Case(.lessThan(key: "any", value: ""), #""any" < ?"#, [1, 2, 6, 8]),
    Case(.greaterThanOrEqual(key: "any", value: ""), #""any" >= ?"#, [3, 4, 7]),
    Case(
      .in(key: "any", values: [Value.integer(5), "straße", .null]), #""any" IN (?, ?) OR "any" IS NULL"#, [1, 2, 5, 7]),
    Case(.contains(key: "any", value: "5"), #"typeof("any") = 'text' AND instr("any", ?) > 0"#, [3]),
    Case(
      !.contains(key: "any", value: "5"),
      #"NOT (typeof("any") = 'text' AND instr("any", ?) > 0) OR "any" IS NULL"#, [1, 2, 4, 5, 6, 7, 8]),
    Case(.hasSuffix(key: "any", value: ""), #"typeof("any") = 'text' AND "any" IS NOT NULL"#, [3, 7]),
    Case(.equal(key: "blob", value: [UInt8]()), #""blob" = ?"#, [1]),
    Case(.greaterThan(key: "blob", value: [1 as UInt8]), #""blob" > ?"#, [4, 7]),
    Case(.in(key: "blob", values: [[0], [255]] as [[UInt8]]), #""blob" IN (?, ?)"#, [2, 4]),
  ]

  @Test("with rows that show a difference", arguments: numbers + nulls + ranges + texts + kinds)
  func agree(_ expected: Case) throws {
    let compiled = Compiler(for: SQLiteDialect()).count(try expected.query.resolved(in: specimens.table))
    #expect(compiled.sql == #"SELECT count(*) FROM "specimen" WHERE "# + expected.sql)
    let request = FetchRequest(expected.query)
    let ids = expected.ids.map { RecordKey(values: [.integer($0)]) }
    #expect(try specimens.memory.blocking.findAll(request).map(\.id) == ids, "in memory")
    #expect(try specimens.sqlite.blocking.findAll(request).map(\.id) == ids, "in SQLite")
    #expect(try specimens.memory.blocking.count(expected.query) == ids.count)
    #expect(try specimens.sqlite.blocking.count(expected.query) == ids.count)
  }

  @Test("long lists of every kind, which are bound as one value", arguments: ["whole", "real", "text", "blob", "any"])
  func longLists(key: String) throws {
    let position = try specimens.table.position(of: key)
    let held = try specimens.memory.blocking.findAll(FetchRequest()).map { $0.values[position] }
    let filler = (0..<100).map { number -> Value in
      switch key {
      case "whole", "real": .integer(Int64(number) + 1000)
      case "text": .text("filler \(number)")
      default: .blob([UInt8(number), 77])
      }
    }
    let query = AnyQuery.in(key: key, values: filler + held)
    #expect(try specimens.sqlite.blocking.count(query) == held.count)
    #expect(try specimens.memory.blocking.count(query) == held.count)
    #expect(try specimens.sqlite.blocking.count(!query) == 0)
    #expect(try specimens.memory.blocking.count(!query) == 0)
    #expect(try specimens.sqlite.blocking.count(.in(key: key, values: filler)) == 0)
  }

  @Test("the whole value comes back", arguments: 1...8)
  func roundTrip(id: Int) throws {
    let key = RecordKey(values: [.integer(Int64(id))])
    let (memory, sqlite) = (try specimens.memory.blocking.find(key), try specimens.sqlite.blocking.find(key))
    #expect(memory != nil)
    #expect(memory == sqlite)
  }
}
