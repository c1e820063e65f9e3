import Query
import Testing

@Suite("A key is not compared with what its column can't hold")
struct KindMismatchTests {
  /// Columns of numbers, texts and blobs, whose store keeps to them, and of each type where it does not.
  static func table() throws -> TableSchema {
    try TableSchema(
      "t",
      columns: [
        ColumnSchema("integer", .integer), ColumnSchema("real", .real), ColumnSchema("text", .text),
        ColumnSchema("blob", .blob), ColumnSchema("any", .any), ColumnSchema("looseInteger", .integer, loose: "INT"),
        ColumnSchema("looseReal", .real, loose: "REAL"), ColumnSchema("looseText", .text, loose: "VARCHAR(20)"),
        ColumnSchema("looseBlob", .blob, loose: ""),
      ], primaryKey: [])
  }

  static let keys: Set<String> = [
    "integer", "real", "text", "blob", "any", "looseInteger", "looseReal", "looseText", "looseBlob",
  ]

  /// Every operator that compares a key with a value.
  static func queries(key: String, value: Value) -> [AnyQuery] {
    Relation.allCases.map { .compare(key: key, $0, value: value) } + [
      .between(key: key, lhs: value, rhs: Value.null), .between(key: key, lhs: Value.null, rhs: value),
      .in(key: key, values: [value]), .in(key: key, values: [.null, value]), !.equal(key: key, value: value),
      .false && .equal(key: key, value: value),
    ]
  }

  @Test(
    "Values, and the columns that they may be compared with",
    arguments: [
      (1, ["integer", "real", "any", "looseInteger", "looseReal", "looseBlob"]),
      (1.5, ["integer", "real", "any", "looseInteger", "looseReal", "looseBlob"]),
      ("a", ["text", "any", "looseInteger", "looseReal", "looseText", "looseBlob"]),
      ("1", ["text", "any", "looseInteger", "looseReal", "looseText", "looseBlob"]),
      (.blob([1]), ["blob", "any", "looseInteger", "looseReal", "looseText", "looseBlob"]),
      // Null may stand everywhere, even where the column never holds it: the answer is known, and no mistake.
      (.null, keys),
    ] as [(Value, Set<String>)])
  func values(value: Value, allowed: Set<String>) throws {
    let table = try Self.table()
    for key in Self.keys {
      for query in Self.queries(key: key, value: value) {
        if allowed.contains(key) {
          #expect(throws: Never.self) { try query.resolved(in: table) }
        } else {
          let error = #expect(throws: QueryError.self) { try query.resolved(in: table) }
          #expect(error?.code == .kindMismatch)
          #expect(error?.summary.hasPrefix("\(key) holds ") == true)
        }
      }
    }
  }

  @Test(
    "Keys, and the columns that they may be compared with",
    arguments: [
      ("integer", ["integer", "real", "any", "looseInteger", "looseReal", "looseBlob"]),
      ("real", ["integer", "real", "any", "looseInteger", "looseReal", "looseBlob"]),
      ("text", ["text", "any", "looseInteger", "looseReal", "looseText", "looseBlob"]),
      ("blob", ["blob", "any", "looseInteger", "looseReal", "looseText", "looseBlob"]),
      ("any", keys), ("looseInteger", keys), ("looseReal", keys), ("looseBlob", keys),
      ("looseText", ["text", "blob", "any", "looseInteger", "looseReal", "looseText", "looseBlob"]),
    ] as [(String, Set<String>)])
  func otherKeys(key: String, allowed: Set<String>) throws {
    let table = try Self.table()
    for other in Self.keys {
      for query in [
        .equal(key: key, otherKey: other), .lessThan(key: key, otherKey: other),
        .between(key: key, lower: .key(other), upper: .value(.null)),
        .between(key: key, lower: .value(.null), upper: .key(other)),
      ] as [AnyQuery] {
        if allowed.contains(other) {
          #expect(throws: Never.self) { try query.resolved(in: table) }
        } else {
          let error = #expect(throws: QueryError.self) { try query.resolved(in: table) }
          #expect(error?.code == .kindMismatch)
          #expect(error?.summary.contains("can't be compared with \(other), which holds ") == true)
        }
      }
    }
  }

  @Test("Only what may hold a text is searched for one", arguments: TextOperation.allCases, [false, true])
  func textOperations(operation: TextOperation, ignoringCase: Bool) throws {
    let table = try Self.table()
    for key in Self.keys {
      let query = AnyQuery.match(key: key, operation, value: "1", ignoringCase: ignoringCase)
      if ["text", "any", "looseInteger", "looseReal", "looseText", "looseBlob"].contains(key) {
        #expect(throws: Never.self) { try query.resolved(in: table) }
      } else {
        let error = #expect(throws: QueryError.self) { try query.resolved(in: table) }
        #expect(error?.code == .kindMismatch)
        #expect(error?.suggestion == "`\(operation.rawValue)` is for columns that hold texts")
      }
    }
  }

  @Test("The error says what the column holds, what it was compared with, and what to do")
  func messages() throws {
    let cases: [(AnyQuery, summary: String, suggestion: String?)] = [
      (
        .equal(key: "text", value: 5), "text holds texts and can't be compared with a number",
        "put the number in quotes"
      ),
      (
        .greaterThan(key: "looseText", value: 5), "looseText holds texts and blobs and can't be compared with a number",
        "put the number in quotes"
      ),
      (.equal(key: "blob", value: 5), "blob holds blobs and can't be compared with a number", nil),
      (
        .lessThan(key: "integer", value: "5"), "integer holds numbers and can't be compared with a text",
        "write the number without quotes"
      ),
      (
        .in(key: "real", values: ["-1.5e3"]), "real holds numbers and can't be compared with a text",
        "write the number without quotes"
      ),
      (.equal(key: "integer", value: "five"), "integer holds numbers and can't be compared with a text", nil),
      (.equal(key: "integer", value: ""), "integer holds numbers and can't be compared with a text", nil),
      (.equal(key: "blob", value: "5"), "blob holds blobs and can't be compared with a text", nil),
      (.equal(key: "text", value: [UInt8]([5])), "text holds texts and can't be compared with a blob", nil),
      (
        .equal(key: "text", otherKey: "integer"),
        "text holds texts and can't be compared with integer, which holds numbers", nil
      ),
      (
        .equal(key: "integer", otherKey: "looseText"),
        "integer holds numbers and can't be compared with looseText, which holds texts and blobs", nil
      ),
    ]
    for (query, summary, suggestion) in cases {
      let error = #expect(throws: QueryError.self) { try query.resolved(in: Self.table()) }
      #expect(error?.summary == summary)
      if let suggestion {
        #expect(error?.suggestion?.hasPrefix(suggestion) == true, "\(String(describing: error?.suggestion))")
      } else {
        #expect(error?.suggestion == nil)
      }
    }
  }

  @Test(
    "What can't be meant as a number is not suggested as one", arguments: ["nan", "NaN", "inf", "-infinity", "0x1p3"])
  func notANumber(text: String) throws {
    let query = AnyQuery.equal(key: "integer", value: text)
    let error = #expect(throws: QueryError.self) { try query.resolved(in: Self.table()) }
    #expect(error?.code == .kindMismatch)
    #expect(error?.suggestion == nil)
  }
}
