import Query
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
    return try AssignmentArgument(argument, for: SetCommand.description).assignment(in: table)
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
      Case(.any, "c='12'", .text("12")), Case(.integer, "INTEGER", "c='x'", .text("x")),
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
    "is refused where its column can't hold it exactly",
    arguments: [
      (.integer, "c=1.5", "c: \"1.5\" is no whole number"), (.integer, "c=", "c: \"\" is no value"),
      (.integer, "c=007", "c: \"007\" is not how a whole number is written"),
      (.integer, "c=weight*2", "c: \"weight*2\" is no whole number"),
      (.real, "c=heavy", "c: \"heavy\" is no number"), (.real, "c=", "c: \"\" is no value"),
      (.real, "c=9007199254740993", "c: \"9007199254740993\" would be rounded to 9007199254740992.0"),
      (.blob, "c=abc", "c: \"abc\" is no blob"), (.blob, "c=true", "c: \"true\" may be a number or a text"),
      (.any, "c=true", "c: \"true\" may be a number or a text"), (.any, "c=", "c: \"\" is no value"),
      (.text, "c='", "c: \"'\" starts with a quote and is no text in quotes"),
      (.text, "c='a", "c: \"'a\" starts with a quote and is no text in quotes"),
      (.text, "c='a'b'", "c: \"'a'b'\" starts with a quote and is no text in quotes"),
      (.text, "c='a' or c = 'b'", "c: \"'a' or c = 'b'\" starts with a quote and is no text in quotes"),
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
      ("\"a=b\" = length(d)", Assignment("a=b", .function(.length, of: .key("d")))), ("c = 'x'", Assignment("c", "x")),
      ("c = null", Assignment("c", Value.null)),
    ])
  func expression(text: String, expected: Assignment) throws {
    let table = try TableSchema(
      "t", columns: [ColumnSchema("c", .integer), ColumnSchema("a=b", .integer), ColumnSchema("d", .text)],
      primaryKey: [])
    let assignment = try AssignmentArgument(text, for: SetCommand.description).assignment(in: table)
    #expect(assignment == expected)
  }

  @Test("is an expression that says where it goes wrong")
  func wrongExpression() {
    let failure = #expect(throws: Failure.self) {
      try AssignmentArgument("c = c +", for: SetCommand.description)
    }
    #expect(
      failure?.status == .usageError && failure?.details.contains { $0.contains("c = c +") } == true,
      "\(String(describing: failure))")
  }

  @Test("is nothing else", arguments: ["weight", "=1", "", "\"a=1", "\"a\"b=1", "\"\"=1"])
  func malformed(text: String) {
    let failure = #expect(throws: Failure.self) { try AssignmentArgument(text, for: SetCommand.description) }
    #expect(failure?.summary == "\(TerminalText.quoted(text)) is no KEY=VALUE")
    #expect(failure?.details.first == "name a column and its value without spaces around the =: weight=90.5")
  }
}
