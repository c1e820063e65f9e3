import Query
import Testing
@testable import RowImport

@Suite("A field")
struct FieldConversionTests {
  @Test(
    "becomes a value of its column's type",
    arguments: [
      (.integer, nil, "12", .integer(12)), (.integer, nil, "-9223372036854775808", .integer(.min)),
      (.integer, "BIGINT", "0", .integer(0)),
      (.real, nil, "1.50", .real(1.5)), (.real, nil, "12", .real(12)), (.real, nil, "-1e3", .real(-1000)),
      (.real, nil, "9e999", .real(.infinity)), (.real, nil, "-9e999", .real(-.infinity)), (.real, nil, "0.0", .real(0)),
      (.real, "DOUBLE PRECISION", "1", .real(1)),
      (.real, "DATETIME", "2020-01-01", .text("2020-01-01")), (.real, "DECIMAL(10,2)", "1.50", .real(1.5)),
      (.real, "BOOLEAN", "1", .integer(1)), (.real, "BOOLEAN", "true", .integer(1)), (.real, "bool", "F", .integer(0)),
      (.real, "BIT(1)", "Off", .integer(0)), (.real, "BOOLEAN", "YES", .integer(1)),
      (.real, "BOOLEAN", "2", .integer(2)),
      (.real, "BOOLEAN", "maybe", .text("maybe")), (.real, "BOOLEANS", "true", .text("true")),
      (.real, nil, "0.10000000000000001", .real(0.1)), (.real, nil, "0.1000000000000000055511", .real(0.1)),
      (.blob, nil, #"\x00Ff"#, .blob([0, 255])),
      (.text, nil, "007", .text("007")), (.text, nil, "", .text("")), (.text, nil, "e\u{301}", .text("e\u{301}")),
      (.blob, nil, "x'00ff'", .blob([0, 255])), (.blob, nil, "x''", .blob([])),
      (.any, "BLOB", "x'00ff'", .blob([0, 255])), (.any, "BLOB", "photo", .text("photo")),
      (.any, nil, "9e999", .real(.infinity)), (.real, "NUMERIC", "-9e999", .real(-.infinity)),
      (.any, nil, "9e9999", .text("9e9999")),
      (.any, nil, "12", .integer(12)), (.any, nil, "1.5", .real(1.5)), (.any, nil, "007", .text("007")),
      (.any, nil, "", .text("")), (.any, "", "x'00'", .text("x'00'")),
    ] as [(ValueType, String?, String, Value)])
  func conversion(type: ValueType, declared: String?, text: String, value: Value) throws {
    let column = ColumnSchema("c", type, declaredType: declared)
    let converted = try FieldConversion(column).value(of: text)
    #expect(converted == value)
    #expect("\(converted)" == "\(value)", "an integer and a real that are equal are told apart")
  }

  @Test(
    "does not fit its column",
    arguments: [
      (.integer, "heavy", "\"heavy\" is not a whole number", nil),
      (.integer, "", "\"\" is not a whole number", nil),
      (.integer, "1.0", "\"1.0\" is not a whole number", "write 1 for the number"),
      (.integer, "5e2", "\"5e2\" is not a whole number", "write 500 for the number"),
      (.integer, "1e300", "\"1e300\" is not a whole number", nil),
      (.integer, "1.5", "\"1.5\" is not a whole number", nil),
      (.integer, " 1", "\" 1\" is not a whole number", nil),
      (.integer, "007", "\"007\" is not the usual form of a whole number", "write 7 for the number"),
      (.integer, "+07", "\"+07\" is not the usual form of a whole number", "write 7 for the number"),
      (
        .integer, "9223372036854775808", "\"9223372036854775808\" is not a whole number",
        "whole numbers range from -9223372036854775808 to 9223372036854775807"
      ),
      (.real, "heavy", "\"heavy\" is not a number", nil), (.real, "nan", "\"nan\" is not a number", nil),
      (.real, "inf", "\"inf\" is not a number", nil), (.real, "0x1p3", "\"0x1p3\" is not a number", nil),
      (.real, "", "\"\" is not a number", nil),
      (.real, "1e999", "\"1e999\" exceeds the largest number", "write 9e999 for infinity"),
      (.real, "1e-999", "\"1e-999\" would become 0.0", nil),
      (.real, "9007199254740993", "\"9007199254740993\" would become 9007199254740992.0", nil),
      (.real, "99999999999999.99", "\"99999999999999.99\" would become 99999999999999.98", nil),
      (
        .real, "12345678901234567890.123", "\"12345678901234567890.123\" would become 1.2345678901234567e+19",
        nil
      ),
      (.blob, "bytes", "\"bytes\" is not a blob", "write bytes in hexadecimal: x'00ff'"),
      (.blob, "x'0'", "\"x'0'\" is not a blob", "write bytes in hexadecimal: x'00ff'"),
      (.blob, "x'00' or true", "\"x'00' or true\" is not a blob", "write bytes in hexadecimal: x'00ff'"),
    ] as [(ValueType, String, String, String?)])
  func misfit(type: ValueType, text: String, summary: String, suggestion: String?) {
    let misfit = #expect(throws: FieldConversionError.self) {
      try FieldConversion(ColumnSchema("c", type)).value(of: text)
    }
    #expect(misfit?.summary == summary)
    #expect(misfit?.suggestion == suggestion)
  }

  @Test(
    "becomes a value of the database's own type",
    arguments: [
      (.boolean, "t", .integer(1)), (.boolean, "FALSE", .integer(0)), (.boolean, "yes", .integer(1)),
      (.boolean, "Off", .integer(0)), (.boolean, "1", .integer(1)), (.boolean, "2", nil), (.boolean, "", nil),
      (.numeric(precision: 20, scale: 2), "99999999999999.99", "014 99999999999999.99"),
      (.numeric(precision: nil, scale: 0), "-.50", "-998 9.4~ -0.5"),
      (.numeric(precision: nil, scale: 0), "+7.", "001 7"),
      (.numeric(precision: nil, scale: 0), "1e3", "004 1000"), (.numeric(precision: nil, scale: 0), "--1", nil),
      (.numeric(precision: nil, scale: 0), ".", nil), (.numeric(precision: nil, scale: 0), "-.", nil),
      (.numeric(precision: nil, scale: 0), "NaN", nil),
      (.numeric(precision: nil, scale: 0), "1.2.3", nil),
      (.decimal(precision: 9, scale: 2), "12.50", .real(12.5)), (.decimal(precision: 18, scale: 0), "-7", .integer(-7)),
      (.decimal(precision: 9, scale: 2), "1.0000000000000000001", nil), (.decimal(precision: 9, scale: 2), "x", nil),
      (.uuid, "{E621E1F8-C36C-495A-93FC-000C247A3E6E}", "e621e1f8-c36c-495a-93fc-000c247a3e6e"),
      (.uuid, "E621E1F8C36C495A93FC000C247A3E6E", "e621e1f8-c36c-495a-93fc-000c247a3e6e"), (.uuid, "e621", nil),
      (.uuid, String(repeating: "é", count: 16), nil), (.uuid, "{}", nil), (.uuid, "", nil),
      (.timestamp(hasZone: true, digits: 6), "2024-01-01 10:00:00.5+02:00", "2024-01-01T08:00:00.500000000Z"),
      (.timestamp(hasZone: false, digits: 6), "2005-05-24 22:53:30", "2005-05-24T22:53:30.000000000Z"),
      (.timestamp(hasZone: false, digits: 6), "2005-05-24", "2005-05-24T00:00:00.000000000Z"),
      (.timestamp(hasZone: false, digits: 6), "2005-05-24t22:53z", "2005-05-24T22:53:00.000000000Z"),
      (.timestamp(hasZone: false, digits: 6), "2005-02-30", nil), (.timestamp(hasZone: false, digits: 6), "noon", nil),
      (.timestamp(hasZone: false, digits: 6), "infinity", "infinity"),
      (.day, "2024-02-29", "2024-02-29"), (.day, "2024-02-29T00:00:00Z", "2024-02-29"), (.day, "2023-02-29", nil),
      (.day, "2024-02-29 10:00", nil), (.day, "2024-01-31T22:00:00-02:00", nil),
      (.day, "2024-01-31T00:00:00+02:00", "2024-01-31"), (.day, "-infinity", "-infinity"),
    ] as [(NativeColumnType, String, Value?)])
  func native(_ type: NativeColumnType, _ text: String, _ value: Value?) {
    let column = ColumnSchema("c", .text).stored(as: type)
    #expect((try? FieldConversion(column).value(of: text)) == value)
  }

  @Test(
    "fits the digits of a decimal column, also of one with more digits after the point than in all, or with zeros before it",
    arguments: [
      (3, 5, "0", true), (3, 5, "0.00123", true), (3, 5, "-0.00999", true), (3, 5, "0.0123", false),
      (3, 5, "0.001234", false), (20, -2, "300", true), (20, -2, "310", false), (20, 2, "123456789012345678.99", true),
      (20, 2, "1234567890123456789", false), (20, 2, "0.001", false),
    ])
  func digits(precision: Int, scale: Int, text: String, fits: Bool) throws {
    let column = ColumnSchema("c", .text).stored(as: .numeric(precision: precision, scale: scale))
    let value = try FieldConversion(column).value(of: text)
    #expect(((try? column.stored(value)) != nil) == fits)
  }

  @Test("is shortened and made visible in a message")
  func message() {
    let misfit = #expect(throws: FieldConversionError.self) {
      try FieldConversion.integer.value(of: "\u{1B}[31m" + String(repeating: "x", count: 100))
    }
    #expect(misfit?.summary == "\"␛[31mxxxxxxxxxxxxxxxxxxxxxxxxxx…\" is not a whole number")
  }
}
