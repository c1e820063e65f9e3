import Query
import Repository
import SQL
@testable import SQLStore
import Synchronization
import Testing

@Suite("Statements and names in the words of any database")
struct StatementTests {
  @Test("a statement is written before it is known who runs it")
  func dialect() {
    let ids = Array(1...20)
    let statement: SQLStatement =
      "SELECT \(identifier: "a\"b") FROM t WHERE x = \(1) AND id IN \([2, 3]) AND y IN \(ids)"
    #expect(statement.sql.hasPrefix(#"SELECT "a""b" FROM t WHERE x = ? AND id IN (?, ?) AND y IN (?, ?, "#))
    #expect(statement.bindings.count == 23)
    let compiled = statement.compiled(for: SQLiteDialect())
    #expect(
      compiled.sql
        == #"SELECT "a""b" FROM t WHERE x = ? AND id IN (?, ?) AND y IN (SELECT value FROM temp.json_each(?))"#)
    let list = ids.map { "\($0)" }.joined(separator: ",")
    #expect(compiled.bindings == [1, 2, 3, .text("[\(list)]")])
  }

  @Test("values can be written into what takes no bound ones, and nothing else with them")
  func inlined() throws {
    let name = "o'; DROP TABLE t; --"
    let statement: SQLStatement = "PRAGMA key = \(name)"
    #expect(try statement.inlined(for: SQLiteDialect()) == "PRAGMA key = 'o''; DROP TABLE t; --'")
    let broken: SQLStatement = "PRAGMA x = \(Double.nan)"
    #expect(throws: RepositoryError.self) { try broken.inlined(for: SQLiteDialect()) }
    let around: SQLStatement = "PRAGMA y = 1; \(part: broken)"
    #expect(throws: RepositoryError.self) { try around.inlined(for: SQLiteDialect()) }
    let odd: SQLStatement = "PRAGMA x = \(NotANumber())"
    #expect(throws: RepositoryError.self) { try odd.inlined(for: SQLiteDialect()) }
  }

  /// A value of a program's own type.
  private struct NotANumber: ValueConvertible {
    static let valueType = ValueType.real
    init() {}
    init(value: Value) throws(ValueError) {}
    func makeValue() throws(ValueError) -> Value { .real(.nan) }
  }

  @Test("names that a database would cut are refused")
  func longNames() throws {
    let table = try TableSchema(
      "pokémon", columns: [ColumnSchema("id", .integer), ColumnSchema("evolution_of", .integer)], primaryKey: ["id"])
    for limit in [nil, 12, 63] { try table.checkNameLengths(atMost: limit) }
    let column = #expect(throws: RepositoryError.self) { try table.checkNameLengths(atMost: 11) }
    #expect(column?.code == .invalidSchema)
    #expect(column?.suggestion == "give the column a shorter name")
    #expect(column?.reason == "the name has 12 bytes, but the database accepts 11")
    let name = #expect(throws: RepositoryError.self) { try table.checkNameLengths(atMost: 7) }
    #expect(name?.suggestion == "give the table a shorter name")
    let ruled = try table.adding(checks: [CheckRule("a long name of a check", .true)])
    let check = #expect(throws: RepositoryError.self) { try ruled.checkNameLengths(atMost: 12) }
    #expect(check?.suggestion == "give the check a shorter name")
  }
}

@Suite("An observer of statements")
struct ObservedStatementTests {
  @Test("is told of each run once, with the rows that were read and the error")
  func runs() throws {
    let fake = FakeDatabase(isObserved: true)
    fake.script.withLock { $0.rows["A"] = 3 }
    fake.fail("B", with: RepositoryError(.constraint, "a rule is broken"))
    let connection = Connection(FakeConnection(fake), of: fake)
    try connection.query(CompiledStatement(sql: "A", bindings: [1])) { _ in }
    try connection.read(CompiledStatement(sql: "A", bindings: [])) { row throws(RepositoryError) in _ = try row.step() }
    #expect(throws: RepositoryError.self) { try connection.execute("B") }
    #expect(fake.events.map(\.sql) == ["A", "A", "B"])
    #expect(fake.events.map(\.resultCount) == [3, 1, 0])
    #expect(fake.events.map { $0.error?.code } == [nil, nil, .constraint])
    #expect(fake.events.first?.values == [1])
    #expect(fake.events.map(\.store) == ["fake", "fake", "fake"])
  }
}
