import Query
import SQLiteStore
import Testing
@testable import repokit

@Suite("An assignment on the command line")
struct AssignmentArgumentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let column: ColumnSchema
    let text: String
    let value: Value
    var testDescription: String { "\(column.type) \(column.declaredType ?? "strict"): \(text)" }

    init(_ type: ValueType, _ text: String, _ value: Value) {
      column = ColumnSchema("c", type, isNullable: true)
      (self.text, self.value) = (text, value)
    }

    init(_ type: ValueType, _ declared: String, _ text: String, _ value: Value) {
      column = ColumnSchema("c", type, isNullable: true, declaredType: declared)
      (self.text, self.value) = (text, value)
    }
  }

  private static func assignment(_ argument: String, _ column: ColumnSchema) throws -> Assignment {
    let table = try TableSchema("t", columns: [column], primaryKey: [])
    return try AssignmentArgument(argument, for: SetCommand.description).assignment(in: table, try reader(of: table))
  }

  private static func reader(of table: TableSchema) throws -> QueryReader {
    let store = try SQLiteStore.inMemory()
    return QueryReader(
      try Parameters(Arguments(for: SetCommand.description)), in: table, beside: OtherTables(of: store))
  }

  @Test(
    "has a value of its column's type",
    arguments: [
      Case(.integer, "c=12", .integer(12)), Case(.integer, "c=-12", .integer(-12)), Case(.real, "c=12", .real(12)),
      Case(.real, "c=1.5", .real(1.5)), Case(.real, "c=9e999", .real(.infinity)), Case(.text, "c=12", .text("12")),
      Case(.text, "c=007", .text("007")), Case(.text, "c=", .text("")), Case(.text, "c= a ", .text(" a ")),
      Case(.text, "c=a=b", .text("a=b")), Case(.text, "c==", .text("=")), Case(.blob, "c=x'00ff'", .blob([0, 255])),
      Case(.any, "c=12", .integer(12)), Case(.any, "c=007", .text("007")), Case(.any, "c=a", .text("a")),
      // Null is a word; what stands in quotes is a text.
      Case(.integer, "c=null", .null), Case(.text, "c=null", .null), Case(.text, "c=NULL", .null),
      Case(.blob, "c=null", .null), Case(.text, "c='null'", .text("null")), Case(.text, "c='it''s'", .text("it's")),
      Case(.text, "c=''", .text("")), Case(.text, "c=it's", .text("it's")), Case(.text, "c=\"a\"", .text("\"a\"")),
      Case(.any, "c='12'", .text("12")), Case(.text, "TEXT", "c='x'", .text("x")),
      Case(.integer, "INTEGER", "c='5'", .integer(5)),
      Case(.any, "BLOB", "c=x'00'", .blob([0])), Case(.any, "BLOB", "c=photo", .text("photo")),
      // True and false are numbers where numbers are kept, as in a query.
      Case(.integer, "c=true", .integer(1)), Case(.integer, "c=FALSE", .integer(0)), Case(.real, "c=true", .real(1)),
      Case(.real, "BOOLEAN", "c=true", .integer(1)), Case(.text, "c=true", .text("true")),
      Case(.real, "DATE", "c=2024-01-01", .text("2024-01-01")), Case(.real, "DECIMAL", "c=1.50", .real(1.5)),
    ])
  func value(sample: Case) throws {
    let assignment = try Self.assignment(sample.text, sample.column)
    #expect(assignment.key == "c")
    #expect(assignment.value?.description == sample.value.description, "an integer and a real are told apart")
  }

  @Test(
    "notes a text that is the name of another column",
    arguments: [
      ("a=b", "repokit sets a to the text b; to copy the column b, write 'a = b'"),
      ("a=\"c d\"", nil), ("a=c d", "repokit sets a to the text c d; to copy the column c d, write 'a = \"c d\"'"),
      ("a='b'", nil), ("a=a", nil), ("a=e", nil), ("a = b", nil), ("n=b", nil),
    ] as [(String, String?)])
  func columnName(argument: String, note: String?) throws {
    let columns = ["a", "b", "c d"].map { ColumnSchema($0, .text) } + [ColumnSchema("n", .integer)]
    let table = try TableSchema("t", columns: columns, primaryKey: [])
    #expect(try AssignmentArgument(argument, for: SetCommand.description).columnNote(in: table) == note)
  }

  @Test("tells how an expression is written where it was probably meant")
  func expressionWithoutSpaces() throws {
    func details(_ text: String) throws -> [String] {
      let failure = #expect(throws: Failure.self) {
        try Self.assignment(text, ColumnSchema("c", .integer, isNullable: true))
      }
      return try #require(failure).details
    }
    let advice = "to compute a value for each row, write spaces around =: "
    #expect(try details("c=c + 1") == [advice + "'c = c + 1'"])
    #expect(try details("c=abs(c)*2") == [advice + "'c = abs(c)*2'"])
    #expect(try details("c=1.5") == [])
    #expect(try details("c=heavy") == [])
    #expect(try details("c=d + 1") == [])
  }

  @Test(
    "is refused where its column can't hold it exactly",
    arguments: [
      (.integer, "c=1.5", "c: \"1.5\" is not a whole number"), (.integer, "c=", "c: \"\" is not a value"),
      (.integer, "c=007", "c: \"007\" is not the usual form of a whole number"),
      (.integer, "c=weight*2", "c: \"weight*2\" is not a whole number"),
      (.real, "c=heavy", "c: \"heavy\" is not a number"), (.real, "c=", "c: \"\" is not a value"),
      (.real, "c=9007199254740993", "c: \"9007199254740993\" would become 9007199254740992.0"),
      (.blob, "c=abc", "c: \"abc\" is not a blob"), (.blob, "c=true", "c: \"true\" can be a number or text"),
      (.any, "c=true", "c: \"true\" can be a number or text"), (.any, "c=", "c: \"\" is not a value"),
      (.text, "c='", "c: \"'\" starts with a quote that has no end"),
      (.text, "c='a", "c: \"'a\" starts with a quote that has no end"),
      (.text, "c='a'b'", "c: \"'a'b'\" starts with a quote that has no end"),
      (.text, "c='a' or c = 'b'", "c: \"'a' or c = 'b'\" starts with a quote that has no end"),
      (.text, "d=1", "no column d in t"),
    ] as [(ValueType, String, String)])
  func misfit(type: ValueType, text: String, summary: String) {
    let failure = #expect(throws: Failure.self) {
      try Self.assignment(text, ColumnSchema("c", type, isNullable: true))
    }
    #expect(failure?.summary == summary)
    #expect(failure?.status == .usageError)
  }

  @Test("names its column in double quotes where the name holds a =", arguments: ["a=b", "a\"b", "=", "é ü"])
  func name(name: String) throws {
    let written = "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    let assignment = try AssignmentArgument("\(written)=x", for: SetCommand.description)
    #expect(assignment.key == name)
  }

  @Test(
    "is an expression where a space stands before the =",
    arguments: [
      ("c = c + 1", Assignment("c", .key("c") + 1)), ("c =c", Assignment("c", .key("c"))),
      ("\"a=b\" = length(d)", Assignment("a=b", .function(.length, of: .key("d")))), ("d = 'x'", Assignment("d", "x")),
      ("c = null", Assignment("c", Value.null)),
    ])
  func expression(text: String, expected: Assignment) throws {
    let table = try TableSchema(
      "t", columns: [ColumnSchema("c", .integer), ColumnSchema("a=b", .integer), ColumnSchema("d", .text)],
      primaryKey: [])
    let assignment = try AssignmentArgument(text, for: SetCommand.description)
      .assignment(in: table, try Self.reader(of: table))
    #expect(assignment == expected)
  }

  /// Columns of every type, those of tables that guarantee none among them.
  static let columns =
    [ValueType.integer, .real, .text, .blob, .any].map { ColumnSchema("c", $0, isNullable: true) }
    + [
      (ValueType.integer, "INTEGER"), (.real, "REAL"), (.real, "NUMERIC(10,2)"), (.real, "DATETIME"),
      (.text, "NVARCHAR(10)"), (.blob, "BLOB"), (.any, ""),
    ].map { ColumnSchema("c", $0, isNullable: true, declaredType: $1) }

  @Test("means the same with spaces around the = and without", arguments: columns)
  func spaces(column: ColumnSchema) throws {
    func outcome(_ text: String) -> String {
      do {
        return "\(try Self.assignment(text, column))"
      } catch {
        return "\((error as? Failure)?.summary ?? "\(error)")"
      }
    }
    for (word, literal) in [("abc", "'abc'"), ("'abc'", "'abc'"), ("'12'", "'12'"), ("null", "null"), ("NULL", "NULL")]
    {
      #expect(outcome("c=\(word)") == outcome("c = \(literal)"), "\(word)")
    }
    guard column.type != .text, column.type != .any else { return }
    for number in ["12", "-12", "1.5", "9e999"] {
      #expect(outcome("c=\(number)") == outcome("c = \(number)"), "\(number)")
    }
  }

  @Test(
    "is refused where its values are not those that the column is declared to hold",
    arguments: [
      ("INTEGER", "c = t || ''", "c is declared INTEGER and can't store text, the result of t || ''"),
      ("INTEGER", "c = t", "c is declared INTEGER and can't store text, the result of t"),
      ("INTEGER", "c = c * 1.5", "c is declared INTEGER and can't store reals, the result of c * 1.5"),
      ("NUMERIC(10,2)", "c = t", "c is declared NUMERIC(10,2) and can't store text, the result of t"),
      ("INTEGER", "c = t * 2", "`*` needs numbers, but t is text"),
      ("INTEGER", "c = 1 / 0", nil), ("INTEGER", "c = c + 1", nil), ("INTEGER", "c = length(t)", nil),
      ("NUMERIC(10,2)", "c = c * 1.5", nil), ("DATETIME", "c = t", nil), ("DATETIME", "c = date(c)", nil),
    ] as [(String, String, String?)])
  func misfit(declared: String, text: String, summary: String?) throws {
    let table = try TableSchema(
      "t",
      columns: [
        ColumnSchema("c", declared == "INTEGER" ? .integer : .real, isNullable: true, declaredType: declared),
        ColumnSchema("t", .text, isNullable: true, declaredType: "NVARCHAR(10)"),
      ], primaryKey: [])
    let argument = try AssignmentArgument(text, for: SetCommand.description)
    let reader = try Self.reader(of: table)
    guard let summary else {
      _ = try argument.assignment(in: table, reader)
      return
    }
    let failure = #expect(throws: Failure.self) { try argument.assignment(in: table, reader) }
    #expect(failure?.summary == summary)
    #expect(failure?.details.contains { $0.contains("^") } == true)
  }

  @Test("is an expression that says where it goes wrong")
  func wrongExpression() {
    let failure = #expect(throws: Failure.self) {
      try AssignmentArgument("c = c +", for: SetCommand.description)
        .check(QueryReader(try Parameters(Arguments(for: SetCommand.description))))
    }
    #expect(
      failure?.status == .usageError && failure?.details.contains { $0.contains("c = c +") } == true,
      "\(String(describing: failure))")
  }

  @Test("is nothing else", arguments: ["weight", "=1", "", "\"a=1", "\"a\"b=1", "\"\"=1"])
  func malformed(text: String) {
    let failure = #expect(throws: Failure.self) { try AssignmentArgument(text, for: SetCommand.description) }
    #expect(failure?.summary == "\(TerminalText.quoted(text)) is not COLUMN=VALUE")
    #expect(failure?.details.first == "write the column and the value without spaces around =: weight=90.5")
  }
}
