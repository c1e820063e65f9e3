import Query
import Testing

@Suite struct QueryTextPrintingTests {
  static let queries = [
    QueryTextCase("true", .true),
    QueryTextCase("not false", !.false),
    QueryTextCase("weight = 90", .equal(key: "weight", value: 90)),
    QueryTextCase("weight != 90.0", .notEqual(key: "weight", value: 90.0)),
    QueryTextCase("weight < 90", .lessThan(key: "weight", value: 90)),
    QueryTextCase("weight <= 90", .lessThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("weight > 90", .greaterThan(key: "weight", value: 90)),
    QueryTextCase("weight >= 90", .greaterThanOrEqual(key: "weight", value: 90)),
    QueryTextCase("not weight = 90", !.equal(key: "weight", value: 90)),
    QueryTextCase("attack = defense", .equal(key: "attack", otherKey: "defense")),
    QueryTextCase("type is null", .isNull(key: "type")),
    QueryTextCase("type is not null", .isNotNull(key: "type")),
    QueryTextCase("not type is null", !.isNull(key: "type")),
    QueryTextCase("not type is not null", !.isNotNull(key: "type")),
    QueryTextCase("type >= null", .greaterThanOrEqual(key: "type", value: Value.null)),
    QueryTextCase("legendary = 1", .equal(key: "legendary", value: true)),
    QueryTextCase("id between 1 and 100", .between(key: "id", lhs: 1, rhs: 100)),
    QueryTextCase("id not between a and \"b c\"", !.between(key: "id", lower: .key("a"), upper: .key("b c"))),
    QueryTextCase("type in ('fire', 'water')", .in(key: "type", values: ["fire", "water"])),
    QueryTextCase("type not in ()", !.in(key: "type", values: [String]())),
    QueryTextCase("not type not in (null)", !(!.in(key: "type", values: [nil] as [Int?]))),
    QueryTextCase("name contains 'a'", .contains(key: "name", value: "a")),
    QueryTextCase("name starts with 'a' ignoring case", .hasPrefix(key: "name", value: "a", ignoringCase: true)),
    QueryTextCase("name not ends with ''''", !.hasSuffix(key: "name", value: "'")),
    QueryTextCase("name not like 'a%' ignoring case", !.like(key: "name", value: "a%", ignoringCase: true)),
    QueryTextCase(
      "a = 1 and b = 2 and c = 3",
      .all(of: [.equal(key: "a", value: 1), .equal(key: "b", value: 2), .equal(key: "c", value: 3)])),
    QueryTextCase(
      "weight > 90 or not \"base attack\" is null",
      .greaterThan(key: "weight", value: 90) || !.isNull(key: "base attack")),
  ]

  @Test("A query is printed as the text that is read back as the same query", arguments: queries)
  func printing(_ example: QueryTextCase) throws {
    #expect(example.query.description == example.text)
    let query = try AnyQuery(parsing: example.text)
    #expect(query == example.query)
    #expect(query.description == example.text)
  }

  @Test("A query that can't be asked says why, and is never read back")
  func invalid() {
    let query = AnyQuery.true && !.equal(key: "weight", value: Double.nan)
    #expect(query.description == "true and not <can't store or compare NaN>")
    #expect(throws: ParseError.self) { try AnyQuery(parsing: query.description) }
  }

  @Test("A query that is joined with itself again and again is not written out")
  func astronomical() {
    var query = AnyQuery.true
    for _ in 0..<200 { query = query && query }
    #expect(query.description == "<more than 1000000 conditions>")
    #expect(throws: ParseError.self) { try AnyQuery(parsing: query.description) }
  }
}

@Suite struct QueryTextLiteralTests {
  /// What tells two values apart that `==` takes for equal, 1 and 1.0 and the zeros among them.
  private static func identity(_ value: Value) -> String {
    switch value {
    case .null: "null"
    case .integer(let integer): "integer \(integer)"
    case .real(let real): "real \(real.bitPattern)"
    case .text(let text): "text \(Array(text.utf8))"
    case .blob(let bytes): "blob \(bytes)"
    }
  }

  private static func parse(_ literal: String) throws -> Value {
    let query = try AnyQuery(parsing: "key = \(literal)")
    guard case .condition(.comparison(let comparison)) = query.form, case .value(let value) = comparison.operand else {
      Issue.record("no comparison with a value: \(literal)")
      return .null
    }
    return value
  }

  @Test(
    "A value is printed as the literal that is read back as the very same value",
    arguments: [
      (.null, "null"), (.integer(0), "0"), (.integer(12), "12"), (.integer(-12), "-12"),
      (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
      (.real(0), "0.0"), (.real(-0.0), "-0.0"), (.real(5), "5.0"), (.real(-1.5e3), "-1500.0"), (.real(0.1), "0.1"),
      (.real(1e16), "1e+16"), (.real(1e-5), "1e-05"), (.real(1e308), "1e+308"),
      (.real(.leastNonzeroMagnitude), "5e-324"),
      (.real(.greatestFiniteMagnitude), "1.7976931348623157e+308"), (.real(0x1p63), "9.223372036854776e+18"),
      (.real(.infinity), "9e999"), (.real(-.infinity), "-9e999"),
      (.text(""), "''"), (.text("fire"), "'fire'"), (.text("it's"), "'it''s'"), (.text("''"), "''''''"),
      (.text("\"\\%_"), "'\"\\%_'"), (.text("a\0b\n\r\n\t"), "'a\0b\n\r\n\t'"), (.text("フシギダネ 🔥"), "'フシギダネ 🔥'"),
      (.text("caf\u{E9}"), "'caf\u{E9}'"), (.text("cafe\u{301}"), "'cafe\u{301}'"),
      (.text("\u{301}"), "'\u{301}'"), (.text("'\u{301}"), "'''\u{301}'"), (.text("\u{FEFF}"), "'\u{FEFF}'"),
      (.blob([]), "x''"), (.blob([0, 255, 0x1A]), "x'00ff1a'"),
    ] as [(Value, String)])
  func literals(value: Value, literal: String) throws {
    #expect(value.description.utf8.elementsEqual(literal.utf8))
    #expect(Self.identity(try Self.parse(literal)) == Self.identity(value))
  }

  @Test(
    "Literals have other spellings too",
    arguments: [
      ("true", .integer(1)), ("FALSE", .integer(0)), ("NULL", .null), ("007", .integer(7)), ("-0", .integer(0)),
      ("1E3", .real(1000)), ("1e3", .real(1000)), ("1.50", .real(1.5)), ("-1.5e3", .real(-1500)),
      ("1e+16", .real(1e16)), ("10000000000000000000.0", .real(1e19)), ("9E999", .real(.infinity)),
      ("1e-400", .real(0)), ("X'aF'", .blob([0xAF])),
    ] as [(String, Value)])
  func otherSpellings(literal: String, value: Value) throws {
    #expect(Self.identity(try Self.parse(literal)) == Self.identity(value))
  }

  @Test("A NaN is shown, and never read back")
  func notANumber() {
    let query = AnyQuery.between(key: "a", lower: .value(.real(.nan)), upper: .value(.real(-.nan)))
    #expect(Value.real(.nan).description == "<NaN>")
    #expect(query.description == "a between <NaN> and <NaN>")
    #expect(throws: ParseError.self) { try AnyQuery(parsing: query.description) }
  }

  @Test("Every byte is printed with two digits")
  func allBytes() throws {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Self.identity(try Self.parse(Value.blob(bytes).description)) == Self.identity(.blob(bytes)))
  }
}
