import CSV
@testable import CSV
import TestSupport
import Testing

@Suite("A detector of column types")
struct ColumnTypeDetectorTests {
  @Test(
    "takes for an integer",
    arguments: [
      "0", "7", "-7", "10", "100", "-1", "9223372036854775807", "-9223372036854775808", "1234567890123456789",
    ])
  func integer(text: String) {
    #expect(type(of: text) == .integer)
  }

  @Test(
    "takes for a real",
    arguments: [
      "0.0", "0.5", "-0.5", "1.0", "1.50", "12.345", "-0", "-0.0", "1e5", "1E5", "1e+5", "1e-05", "-1.5e-10", "0e0",
      "6.02214076e23", "0.1", "3.141592653589793", "0.10000000000000001", "1.7976931348623157e308",
      "2.2250738585072014e-308", "4.9406564584124654e-324", "0.00000000000000000000001", "0e999",
      // Seventeen digits that say something, and zeros that do not.
      "12345678901234568.0", "0.12345678901234568", ".5", "-.5", ".5e3", "1.5000000000000000000000",
      "1000000000000000000000.0",
    ])
  func real(text: String) {
    #expect(type(of: text) == .real)
  }

  @Test(
    "takes for a text",
    arguments: [
      "a", " ", "-", ".", "e", "e5", "-e5", "-.", ".e5", "5.", "1.e5", "1e", "1e+", "1e5.0", "1.2.3", "--1", "+1",
      "+0.5",
      "1-", "1 ", " 1", "1\n", "\t1", "1\u{A0}", "1\0",
      // Codes, whose zeros a number would drop.
      "007", "00", "-01", "00.5", "01.5", "01e5", "0049301234567",
      // More digits than a value can hold.
      "9223372036854775808", "-9223372036854775809", "123456789012345678901234567890", "1.23456789012345678",
      "0.100000000000000005551115123125782702118158340454101562", "123456789012345678.5",
      "99999999999999.99", "12345678901234567.0", "0.12345678901234567",
      // Out of the range of a double, at either end.
      "1e309", "-1e309", "1e-400", "1e99999999999999999999", "1e-99999999999999999999",
      // Values in other people's notation.
      "true", "false", "TRUE", "null", "NULL", "nan", "NaN", "inf", "-inf", "Infinity", "0x10", "0b1", "1_000", "1,000",
      "1.000,5", "1/2", "10%", "$5", "1f", "1d", "１", "١", "½", "−1", "2024-01-31", "12:30",
    ])
  func text(text: String) {
    #expect(type(of: text) == .text)
  }

  private func type(of text: String) -> ColumnTypeDetector.ColumnType? {
    detect([[CSVField(text)]]).first?.type
  }

  struct Column: CustomTestStringConvertible, Sendable {
    var name: String
    var values: [String?]
    var type: ColumnTypeDetector.ColumnType
    var isEverAbsent = false

    var testDescription: String { name }
  }

  @Test(
    "looks at every value of",
    arguments: [
      Column(name: "integers", values: ["1", "-2", "0"], type: .integer),
      Column(name: "integers and a gap", values: ["1", nil, "3"], type: .integer, isEverAbsent: true),
      Column(name: "integers and reals", values: ["1", "2.5", "3"], type: .real),
      Column(name: "reals and a gap at the end", values: ["1.5", nil], type: .real, isEverAbsent: true),
      Column(name: "integers and a last text", values: ["1", "2", "x"], type: .text),
      Column(name: "reals and a code", values: ["1.5", "007"], type: .text),
      Column(name: "a text and then a gap", values: ["x", nil], type: .text, isEverAbsent: true),
      Column(name: "integers and an empty text", values: ["1", ""], type: .text),
      Column(name: "empty texts", values: ["", ""], type: .text),
      Column(name: "nothing but gaps", values: [nil, nil], type: .text, isEverAbsent: true),
      Column(name: "no records", values: [], type: .text),
      Column(name: "an integer beyond Int64", values: ["1", "9223372036854775808"], type: .text),
      Column(name: "a real and an integer that a double holds", values: ["9007199254740992", "0.5"], type: .real),
      Column(name: "a real and an integer that a double rounds", values: ["9007199254740993", "0.5"], type: .text),
      Column(name: "the same the other way round", values: ["0.5", "-9007199254740993"], type: .text),
      Column(name: "a real and the largest integer", values: ["0.5", "9223372036854775807"], type: .text),
      Column(name: "integers of which one is negative zero", values: ["1", "-0"], type: .real),
      Column(name: "truth values", values: ["true", "false"], type: .text),
      Column(name: "ones and zeros", values: ["0", "1"], type: .integer),
    ])
  func column(_ column: Column) {
    let records = column.values.map { value in
      [value.map { CSVField($0, isQuoted: $0.isEmpty) } ?? CSVField("")]
    }
    let expected = ColumnTypeDetector.Column(type: column.type, isEverAbsent: column.isEverAbsent)
    #expect(detect(records) == [expected])
  }

  @Test("makes no difference between quotes and none")
  func quotes() {
    let records = [[CSVField("1", isQuoted: true)], [CSVField("2")]]
    #expect(detect(records) == [ColumnTypeDetector.Column(type: .integer, isEverAbsent: false)])
  }

  @Test("takes columns apart")
  func columns() throws {
    let reader = try CSVReader(bytes: Array("id,name,height,note\n1,Bulbasaur,0.7,\n2,Ivysaur,1,\n".utf8))
    var detector = ColumnTypeDetector(columnCount: reader.header.count)
    while let record = try reader.next() { detector.observe(record) }
    #expect(detector.columns.map(\.type) == [.integer, .text, .real, .text])
    #expect(detector.columns.map(\.isEverAbsent) == [false, false, false, true])
  }

  @Test("takes a missing field for an absent one, and ignores one too many")
  func otherLengths() {
    let records = [[CSVField("1"), CSVField("2")], [CSVField("1")], [CSVField("1"), CSVField("2"), CSVField("x")]]
    #expect(
      detect(records, columnCount: 2) == [
        ColumnTypeDetector.Column(type: .integer, isEverAbsent: false),
        ColumnTypeDetector.Column(type: .integer, isEverAbsent: true),
      ])
  }

  private func detect(_ records: [[CSVField]], columnCount: Int = 1) -> [ColumnTypeDetector.Column] {
    var detector = ColumnTypeDetector(columnCount: columnCount)
    for (index, fields) in records.enumerated() {
      detector.observe(CSVRecord(fields: fields, line: index + 2))
    }
    return detector.columns
  }
}

@Suite("Numbers and texts as bytes")
struct NumericFormTests {
  @Test(
    "An integer is what Swift reads and writes alike",
    arguments: [
      "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809",
      "18446744073709551616", "99999999999999999999", "", "-", "-0", "00", "01", "+1", "1 ", "1.0", "1e3", "١",
    ])
  func integer(text: String) {
    let expected = Int64(text).flatMap { $0.description == text ? $0 : nil }
    #expect(Array(text.utf8).withUnsafeBufferPointer(NumberSyntax.integer) == expected)
  }

  @Test("A short real is read as Swift reads it", arguments: SplitMix64.seeds)
  func real(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20_000 {
      let digits = (0..<1 + random.below(16)).map { _ in String(random.below(10)) }
      var text = random.chance(0.3) ? "-" : ""
      let point = random.below(digits.count + 1)
      text += digits[..<point].joined() + (random.chance(0.8) ? "." : "") + digits[point...].joined()
      guard let real = Array(text.utf8).withUnsafeBufferPointer(NumberSyntax.shortReal) else { continue }
      #expect(real.bitPattern == Double(text)?.bitPattern, "\(text)")
    }
  }

  @Test(
    "What is no short real is left to others",
    arguments: [
      "", "-", ".", "1.", ".5", "1e3", "1.2.3", "0x1", "nan", "1234567890123456", "1,5", "12345678901.234567",
    ])
  func noReal(text: String) {
    #expect(Array(text.utf8).withUnsafeBufferPointer(NumberSyntax.shortReal) == nil)
  }

  @Test("Bytes are UTF-8 if Swift takes them for it", arguments: SplitMix64.seeds)
  func encoding(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let edges: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
      0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<50_000 {
      let bytes = (0..<random.below(6)).map { _ in random.pick(edges) }
      let isValid = bytes.withUnsafeBufferPointer(UTF8Check.isValid)
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
    for character in ["é", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}", "👍🏽"] {
      #expect(Array(character.utf8).withUnsafeBufferPointer(UTF8Check.isValid))
    }
  }
}
