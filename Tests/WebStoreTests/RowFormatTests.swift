import Query
import TestSupport
import Testing
import WebRepositoryFormat

@Suite("Rows travel as lines of JSON")
struct RowFormatTests {
  private static func text(_ value: Value, of type: ValueType) -> String {
    var bytes: [UInt8] = []
    RowFormat.append(value, of: type, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("whose numbers have the digits that Swift gives them")
  func numbers() {
    let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SplitMix64(seed: seed)
    var reals: [Double] = [
      0, -0.0, 0.1, 0.01, 0.001, -0.05, 1, -1, 90.5, 0.07, 1.005, 1e-5, 1e15, 1e16, 1e22, 123_456_789.12, 7e11, 7.1e11,
      .greatestFiniteMagnitude, .leastNonzeroMagnitude, 9_007_199_254_740_992, 0x1p46 / 100, 4.35, 2.675, -8.5,
      1e14 + 0.25,
    ]
    var integers: [Int64] = [0, 1, -1, 9, 10, -10, 99, 100, .max, .min, .max - 1, .min + 1]
    for _ in 0..<20_000 {
      let digits = Int64(truncatingIfNeeded: random.next()) >> Int64(random.next() % 64)
      integers.append(digits)
      reals += [Double(digits) / 10, Double(digits) / 100, Double(digits) / 1_000, Double(bitPattern: random.next())]
    }
    let wrongReals = reals.filter { $0.isFinite && Self.text(.real($0), of: .real) != $0.description }
    let wrongIntegers = integers.filter { Self.text(.integer($0), of: .integer) != $0.description }
    #expect(wrongReals == [] && wrongIntegers == [], "REPOKIT_SEED=\(seed)")
  }

  @Test("that come back as the values that they were, whatever the type of their column", arguments: ValueType.allCases)
  func roundTrip(type: ValueType) throws {
    let values: [Value] = [
      .null, .integer(0), .integer(7), .integer(.min), .real(-0.0), .real(7), .real(0.1), .real(.infinity),
      .real(-.infinity), .text(""), .text("AQI="), .text("7"), .blob([]), .blob([1, 2]),
    ]
    let format = RowFormat([ColumnSchema("a", type, isNullable: true)])
    for value in values {
      var bytes: [UInt8] = []
      format.append([value], to: &bytes)
      let row = try format.row(from: bytes)
      #expect(row.count == 1 && row[0]?.isIdentical(to: value) == true, "\(value): \(row)")
    }
  }

  @Test("with the names of their columns, escaped, before each value")
  func names() throws {
    let columns = [ColumnSchema("a", .integer), ColumnSchema("b\"\n", .text), ColumnSchema("c", .blob)]
    let format = RowFormat(columns)
    let row: [Value] = [.integer(-7), .text("x\\y"), .blob([1, 2])]
    var bytes: [UInt8] = []
    format.append(row, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":-7,"b\"\n":"x\\y","c":"AQI="}"#)
    #expect(try format.row(from: bytes) == row)
  }
}
