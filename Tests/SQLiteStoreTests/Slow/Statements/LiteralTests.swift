import Query
import Repository
import SQL
@testable import SQLStore
@testable import SQLiteStore
import TestSupport
import Testing

@Suite("SQLite reads the literals of a definition as exactly the values that they stand for")
struct LiteralTests {
  private static let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))

  @Test("values at which numbers and texts are known to go wrong, and random ones")
  func literals() throws {
    var random = SplitMix64(seed: Self.seed)
    var values: [Value] = [
      .null, .integer(.min), .integer(.max), .real(.leastNonzeroMagnitude), .real(.leastNormalMagnitude),
      .real(.greatestFiniteMagnitude), .real(-.greatestFiniteMagnitude), .real(.infinity), .real(-.infinity), 0.1, 0.3,
      1e22, 1e23, 9_007_199_254_740_993.0, 0x1p62, 0x1p63, 0x1p-62, 0x1p-1073, 123.456, "", "'", "''", "a'b", "\0",
      "'\0'",
      "a\0'; DROP TABLE t; --", "\\", "%", "?", "é", "e\u{301}", "\u{10FFFF}", "\u{FEFF}a", "\n\r\u{1A}", .blob([]),
      .blob([0]), .blob(Array(0...255)),
    ]
    for _ in 0..<5_000 {
      let real = Double(bitPattern: random.next())
      if !real.isNaN { values.append(.real(real)) }
      values.append(.real(Double(Int64(truncatingIfNeeded: random.next()) >> 40) / 1000))
      values.append(.integer(Int64(bitPattern: random.next())))
      let scalars = (0..<5).compactMap { _ in Unicode.Scalar(UInt32.random(in: 0...0x2FF, using: &random)) }
      values.append(.text(String(String.UnicodeScalarView(scalars))))
    }
    let store = try SQLiteStore.inMemory()
    let dialect = SQLiteDialect()
    let wrong = try store.runBlocking(.read) { [values] connection throws(RepositoryError) in
      var wrong: [String] = []
      for chunk in stride(from: 0, to: values.count, by: 100) {
        let part = values[chunk..<min(chunk + 100, values.count)]
        let sql = "SELECT " + part.map(dialect.literal).joined(separator: ", ")
        try connection.query(CompiledStatement(sql: sql, bindings: [])) { row in
          for (index, value) in part.enumerated() {
            // By their descriptions too, which tell an integer from the same real.
            let read = try? row.value(at: index)
            if read != value || "\(value)" != read.map({ "\($0)" }) { wrong.append(dialect.literal(value)) }
          }
        }
      }
      return wrong
    }
    #expect(wrong == [], "seed \(Self.seed)")
  }
}
