import Query
import Testing

@Suite("A column says which values it may hold")
struct ColumnSchemaTests {
  @Test("Unless something else is said, a column is not null, not unique, not indexed and typed by the store")
  func defaults() {
    let column = ColumnSchema("a", .integer)
    #expect(
      !column.isNullable && !column.isUnique && !column.isIndexed && column.loose == nil && column.collation == nil)
  }

  @Test(
    "A column that its store types holds its kind, a loosely typed one what SQLite would keep",
    arguments: [
      (.integer, [.number], [.number, .text, .blob]), (.real, [.number], [.number, .text, .blob]),
      (.text, [.text], [.text, .blob]), (.blob, [.blob], [.number, .text, .blob]),
      (.any, [.number, .text, .blob], [.number, .text, .blob]),
    ] as [(ValueType, Set<Value.Kind>, Set<Value.Kind>)])
  func kinds(type: ValueType, strict: Set<Value.Kind>, loose: Set<Value.Kind>) {
    #expect(ColumnSchema("a", type).kinds == strict)
    #expect(ColumnSchema("a", type, isNullable: true).kinds == strict)
    #expect(ColumnSchema("a", type, loose: "VARCHAR(20)").kinds == loose)
    #expect(ColumnSchema("a", type, loose: "", collation: "NOCASE").kinds == loose)
  }

  @Test(
    "A column that its store types keeps a value in its own form",
    arguments: [
      (.integer, 5, 5), (.integer, 5.0, 5), (.integer, -0.0, 0), (.integer, .real(-0x1p63), .integer(.min)),
      (.real, 5, 5.0), (.real, 5.5, 5.5), (.real, .real(.infinity), .real(.infinity)), (.real, -0.0, -0.0),
      (.real, 9_007_199_254_740_992, .real(0x1p53)), (.text, "5", "5"), (.text, "", ""),
      (.blob, .blob([5]), .blob([5])),
      (.any, 5, 5), (.any, 5.0, 5.0), (.any, "5", "5"), (.any, .blob([5]), .blob([5])),
    ] as [(ValueType, Value, Value)])
  func stored(type: ValueType, value: Value, stored: Value) throws {
    #expect(try ColumnSchema("a", type).stored(value).spelling == stored.spelling)
    #expect(try ColumnSchema("a", type, isNullable: true).stored(value).spelling == stored.spelling)
  }

  @Test(
    "What a column can't keep is refused, never rounded or converted",
    arguments: [
      (.integer, 5.5), (.integer, .real(0x1p63)), (.integer, .real(.infinity)), (.integer, "5"), (.integer, .blob([5])),
      (.real, 9_007_199_254_740_993), (.real, .integer(.max)), (.real, "5.0"), (.real, .blob([])),
      (.text, 5), (.text, 5.0), (.text, .blob([0x35])), (.blob, "5"), (.blob, 5),
    ] as [(ValueType, Value)])
  func refused(type: ValueType, value: Value) {
    let error = #expect(throws: QueryError.self) { try ColumnSchema("a", type).stored(value) }
    #expect(error?.code == .kindMismatch)
    #expect(error?.summary.hasPrefix("a holds \(type.rawValue)s and can't hold this ") == true)
  }

  @Test("A loosely typed column keeps every value as it is", arguments: ValueType.allCases)
  func loose(type: ValueType) throws {
    let column = ColumnSchema("a", type, loose: "")
    for value in [5, 5.0, "5", .blob([5]), .real(.infinity)] as [Value] {
      #expect(try column.stored(value).spelling == value.spelling)
    }
  }

  @Test("Null is kept where it is allowed, NaN nowhere", arguments: ValueType.allCases, [nil, "", "INT"])
  func nulls(type: ValueType, loose: String?) throws {
    #expect(try ColumnSchema("a", type, isNullable: true, loose: loose).stored(.null) == .null)
    let missing = #expect(throws: QueryError.self) { try ColumnSchema("a", type, loose: loose).stored(.null) }
    #expect(missing?.code == .invalidValue)
    #expect(missing?.summary == "a may not be null")
    for nan in [Double.nan, -Double.nan, .signalingNaN] {
      let error = #expect(throws: QueryError.self) {
        try ColumnSchema("a", type, isNullable: true, loose: loose).stored(.real(nan))
      }
      #expect(error?.code == .invalidValue)
    }
  }
}
