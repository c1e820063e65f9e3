import Query
import TestSupport
import Testing

@Suite("A key that the table does not have is refused before anything runs")
struct UnknownKeyTests {
  static func error(of query: AnyQuery, in table: TableSchema) -> QueryError? {
    #expect(throws: QueryError.self) { try query.resolved(in: table) }
  }

  private static let null = AnyExpression(.value(.null))

  @Test(
    "Wherever the key stands",
    arguments: [
      .equal(key: "wieght", value: 1), .isNull(key: "wieght"), .lessThan(key: "wieght", value: 1),
      .greaterThan(key: "wieght", otherKey: "attack"), .greaterThan(key: "attack", otherKey: "wieght"),
      .between(key: "wieght", lhs: 1, rhs: 2), .between(key: "attack", lower: .key("wieght"), upper: .value(1)),
      .between(key: "attack", lower: .value(1), upper: .key("wieght")), .in(key: "wieght", values: [1]),
      .in(key: "wieght", values: [Int]()), .contains(key: "wieght", value: ""), .hasPrefix(key: "wieght", value: ""),
      .hasSuffix(key: "wieght", value: ""), .like(key: "wieght", value: "%", ignoringCase: true),
      !.isNull(key: "wieght"), .isNull(key: "attack") && .isNull(key: "wieght"),
      .isNull(key: "wieght") || .isNull(key: "attack"),
      // Even where it could not matter: a typo in a query does not depend on what stands beside it.
      .false && .isNull(key: "wieght"), .true || .isNull(key: "wieght"), .isNull(key: "wieght") && .false,
      .compare(null, .equal, .key("wieght")), .compare(.key("wieght") + null, .equal, 1),
      .between(null, lower: .key("wieght"), upper: .value(1)), .between(null, lower: .value(1), upper: .key("wieght")),
    ] as [AnyQuery])
  func everyPlace(query: AnyQuery) throws {
    let error = try Self.error(of: query, in: .pokemon())
    #expect(error?.code == .unknownKey)
    #expect(error?.summary == "no column wieght in pokemon")
    #expect(error?.suggestion == "did you mean weight?")
    #expect(error?.description == "no column wieght in pokemon; did you mean weight?")
  }

  @Test(
    "A word behind an operator may be a text that lacks its quotes",
    arguments: [
      ("name = Pikachu", "did you mean 'Pikachu'?"), ("name != Pikachu", "did you mean 'Pikachu'?"),
      ("name between Abra and Mewtwo", "did you mean 'Abra'?"), ("note < Pikachu", "did you mean 'Pikachu'?"),
      ("name = \"Mr. Mime\"", "did you mean 'Mr. Mime'?"), ("name = \"Farfetch'd\"", "did you mean 'Farfetch''d'?"),
      ("name = nam", "did you mean name, or the text 'nam'?"), ("weight = wieght", "did you mean weight?"),
      ("weight = Pikachu", Self.columnList),
      ("nme = Pikachu", "did you mean name?"), ("name is not null and Pikachu = name", Self.columnList),
      ("name = \"\u{1B}[1m\"", Self.columnList), ("name = " + String(repeating: "x", count: 33), Self.columnList),
    ] as [(String, String)])
  func missingQuotes(text: String, suggestion: String) throws {
    let error = try Self.error(of: AnyQuery(parsing: text), in: .pokemon())
    #expect(error?.code == .unknownKey)
    #expect(error?.suggestion == suggestion)
  }

  private static let columnList = "the columns are id, name, weight, attack, defense, image, note"

  @Test("Where no name is near, the columns are listed")
  func noNearName() throws {
    let error = try Self.error(of: .isNull(key: "strength"), in: .pokemon())
    #expect(error?.suggestion == "the columns are id, name, weight, attack, defense, image, note")
  }

  @Test(
    "A name that differs in case alone is another name, and is suggested", arguments: ["Weight", "WEIGHT", "weighT"])
  func otherCase(key: String) throws {
    let error = try Self.error(of: .isNull(key: key), in: .pokemon())
    #expect(error?.code == .unknownKey)
    #expect(error?.suggestion == "did you mean weight?")
  }

  @Test("A composed and a decomposed name are different keys, in the query and in the sort")
  func composedNames() throws {
    let (composed, decomposed) = ("pok\u{E9}mon", "poke\u{301}mon")
    let table = try TableSchema.anything(composed, decomposed)
    #expect(try AnyQuery.isNull(key: composed).matches([.null, 1], in: table))
    #expect(try !AnyQuery.isNull(key: decomposed).matches([.null, 1], in: table))
    #expect(try AnyQuery.lessThan(key: composed, otherKey: decomposed).matches([1, 2], in: table))
    #expect(try !AnyQuery.lessThan(key: decomposed, otherKey: composed).matches([1, 2], in: table))
    let sort = try FetchRequest(sortedBy: .ascending(key: decomposed)).resolved(in: table).sort
    #expect(sort.terms.map(\.column) == [1, 0])
    #expect(try Self.error(of: .isNull(key: decomposed), in: .anything(composed))?.code == .unknownKey)
    #expect(try Self.error(of: .isNull(key: composed), in: .anything(decomposed))?.code == .unknownKey)
  }

  @Test("The first unknown key of a query, read from the left, is the one that is named")
  func severalKeys() throws {
    let query = AnyQuery.isNull(key: "x1") && (.isNull(key: "x2") || !.isNull(key: "x3"))
    #expect(try Self.error(of: query, in: .pokemon())?.summary == "no column x1 in pokemon")
  }
}

@Suite("A key is not compared with what its column can't hold")
struct KindMismatchTests {
  /// Columns of numbers, texts and blobs, whose store keeps to them, and of each type where it does not.
  static func table() throws -> TableSchema {
    try TableSchema(
      "t",
      columns: [
        ColumnSchema("integer", .integer), ColumnSchema("real", .real), ColumnSchema("text", .text),
        ColumnSchema("blob", .blob), ColumnSchema("any", .any),
        ColumnSchema("looseInteger", .integer, declaredType: "INT"),
        ColumnSchema("looseReal", .real, declaredType: "REAL"),
        ColumnSchema("looseText", .text, declaredType: "VARCHAR(20)"),
        ColumnSchema("looseBlob", .blob, declaredType: ""),
      ], primaryKey: [])
  }

  static let keys: Set<String> = [
    "integer", "real", "text", "blob", "any", "looseInteger", "looseReal", "looseText", "looseBlob",
  ]

  /// Every operator that compares a key with a value.
  static func queries(key: String, value: Value) -> [AnyQuery] {
    ComparisonOperator.allCases.map { .compare(key: key, $0, value: value) } + [
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
          #expect(error?.summary.hasPrefix("can't compare \(key), which stores ") == true)
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
          #expect(error?.summary.contains("with \(other), which stores ") == true)
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
        expectError(.kindMismatch, of: QueryError.self, suggestion: "`\(operation.rawValue)` needs a text column") {
          try query.resolved(in: table)
        }
      }
    }
  }

  @Test("The error names the type of the column, the compared value, and advice")
  func messages() throws {
    let cases: [(AnyQuery, summary: String, suggestion: String?)] = [
      (
        .equal(key: "text", value: 5), "can't compare text, which stores text, with a number",
        "put the number in quotes"
      ),
      (
        .greaterThan(key: "looseText", value: 5), "can't compare looseText, which stores text and blobs, with a number",
        "put the number in quotes, which compares text character by character"
      ),
      (.equal(key: "blob", value: 5), "can't compare blob, which stores blobs, with a number", nil),
      (
        .lessThan(key: "integer", value: "5"), "can't compare integer, which stores numbers, with text",
        "write the number without quotes"
      ),
      (
        .in(key: "real", values: ["-1.5e3"]), "can't compare real, which stores numbers, with text",
        "write the number without quotes"
      ),
      (.equal(key: "integer", value: "five"), "can't compare integer, which stores numbers, with text", nil),
      (.equal(key: "integer", value: ""), "can't compare integer, which stores numbers, with text", nil),
      (.equal(key: "blob", value: "5"), "can't compare blob, which stores blobs, with text", nil),
      (.equal(key: "text", value: [UInt8]([5])), "can't compare text, which stores text, with a blob", nil),
      (
        .equal(key: "text", otherKey: "integer"),
        "can't compare text, which stores text, with integer, which stores numbers", nil
      ),
      (
        .equal(key: "integer", otherKey: "looseText"),
        "can't compare integer, which stores numbers, with looseText, which stores text and blobs", nil
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
