import Query
import Repository
import SQLStore
import SQLiteStore
import TestSupport
import Testing

/// SQLite makes other values of some in a column that is not strict, by its declared type.
@Suite("A column that is not strict stores a value unchanged, or refuses it", .tags(.slow))
struct LooseColumnTests {
  private static let types = [
    "", "BLOB", "INT", "BIGINT", "NUMERIC", "DATE", "DECIMAL(10,2)", "REAL", "DOUBLE", "FLOAT", "TEXT", "VARCHAR(3)",
    "ANY",
    "BOOLEAN",
  ]

  /// Values without a negative zero, whose sign may be lost.
  private static let values: [Value] = [
    .null, 0, 5, -5, .integer(.max), .integer(.min), 9_007_199_254_740_992, 9_007_199_254_740_993, 0.0, 5.0, 5.5,
    9e18,
    -9e18, 9.3e18, -9.3e18, 9_223_372_036_854_775_807.0, -9_223_372_036_854_775_808.0, 1e300, .real(.infinity),
    .real(-.infinity), "", "5", "-5", "+5", " 5", "5 ", "\t5\n", "\u{B}5\u{C}\r", "5.0", "5.5", "5.", ".5", ".", "+",
    "-.5e-3",
    "5e3", "5E+3", "5e", "e5", "5e+", "0x10", "1 2", "1,5", "abc", "5a", "inf", "nan", "Infinity", "5\0", "\u{FF15}",
    "\u{A0}5", "9007199254740993", "99999999999999999999", "1e400", .blob([]), .blob([0x35]),
  ]

  @Test("so that an insert returns the stored values", arguments: types)
  func inserts(type: String) async throws {
    let store = try SQLiteStore.inMemory()
    for table in ["kept", "plain"] {
      try await store.sql.execute(
        SQLStatement(verbatim: "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, q \(type))"))
    }
    let schema = try store.schema(ofTable: "kept")
    let kept = try store.sqlRepository(Schema(schema))
    for (number, value) in Self.values.enumerated() {
      let id = Value.integer(Int64(number))
      try await store.sql.execute("INSERT INTO plain VALUES (\(id), \(value))")
      let plain = try await store.sql.query("SELECT q FROM plain WHERE id = \(id)")[0].values[0]
      let record = Record(values: [id, value], in: schema)
      do {
        let returned = try await kept.insert(record).values[1]
        #expect(plain == value, "\(type): \(value) is kept as \(plain)")
        #expect(returned.description == plain.description, "\(type): \(value)")
        #expect(try await kept.find([id])?.values[1].description == returned.description, "\(type): \(value)")
      } catch {
        #expect(error.code == .invalidValue)
        #expect(plain != value, "\(type): \(value) is refused: \(error)")
      }
    }
  }

  @Test("and tells why, in every write")
  func refusals() async throws {
    let store = try SQLiteStore.inMemory()
    try await store.sql.execute("CREATE TABLE part (id INTEGER PRIMARY KEY, size NUMERIC, name TEXT, weight REAL)")
    let schema = try store.schema(ofTable: "part")
    let parts = try store.sqlRepository(Schema(schema))
    try await parts.save(Record(values: [1, 2, "a", 0.5], in: schema))
    let cases: [(column: Int, value: Value, summary: String)] = [
      (1, "5", "size can't keep this text"), (2, 5, "name can't keep this number"),
      (3, 9_007_199_254_740_993, "weight can't keep this number"),
    ]
    for (column, value, summary) in cases {
      var values: [Value] = [1, 2, "a", 0.5]
      values[column] = value
      let record = Record(values: values, in: schema)
      let assignment = Assignment(schema.columns[column].name, value)
      let writes: [() async throws -> Void] = [
        { try await parts.save(record) }, { try await parts.insert([record]) },
        { _ = try await parts.insert([record], onConflict: .update(by: ["id"])) },
        { try await parts.update(where: .true, set: [assignment]) },
        { _ = try await parts.updateReturning(where: .true, set: [assignment]) },
      ]
      for write in writes {
        let error = await #expect(throws: RepositoryError.self) { try await write() }
        #expect(error?.code == .invalidValue)
        #expect("\(error.map { "\($0)" } ?? "")".contains(summary))
      }
    }
    #expect(try await parts.findAll().map(\.values) == [[1, 2, "a", 0.5]])
  }
}
