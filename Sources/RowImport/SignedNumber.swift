import CSV
import Query

/// A number with what people write around it: a currency or a percent sign, parentheses or a minus behind it for a negative one.
struct SignedNumber {
  /// The currency or the percent sign; empty where there is none.
  let unit: String
  /// The number without all of that, with a minus in front if it is negative.
  let number: String

  /// Longer texts are no numbers.
  private static let maximumByteCount = 60

  private static let currencies: Set<String> = [
    "AED", "AUD", "BGN", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "HUF", "ILS", "INR", "ISK",
    "JPY",
    "KRW", "MXN", "NOK", "NZD", "PLN", "RON", "RUB", "SAR", "SEK", "SGD", "THB", "TRY", "UAH", "USD", "ZAR", "Fr.",
    "kr",
    "kr.", "zł", "Kč", "Ft", "lei", "R$",
  ]

  /// Reads a text; `nil` if it is no such number.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count <= Self.maximumByteCount, bytes.contains(where: { 0x30...0x39 ~= $0 }) else { return nil }
    var reading = Reading(String(decoding: bytes, as: UTF8.self).unicodeScalars[...])
    guard let number = reading.number() else { return nil }
    (unit, self.number) = (reading.unit, number)
  }

  /// Whether the rest is a number in a style.
  func isNumber(_ style: NumberStyle) -> Bool {
    var number = number
    return number.withUTF8 { bytes in
      var field = ImportField(kind: .untyped, bytes: bytes)
      field.numberStyle = style
      if field.isAddress { return false }
      guard var respelled = field.respelledNumber else { return NumberSyntax(bytes) != .none }
      return respelled.withUTF8 { NumberSyntax($0) != .none }
    }
  }

  private struct Reading {
    var rest: Substring.UnicodeScalarView
    var unit = ""
    private var isNegative = false

    init(_ text: Substring.UnicodeScalarView) { rest = text }

    mutating func number() -> String? {
      trim()
      if rest.first == "(", rest.last == ")" {
        rest = rest.dropFirst().dropLast()
        isNegative = true
        trim()
      }
      guard acceptSign(atEnd: false) else { return nil }
      acceptUnit(atEnd: false)
      guard acceptSign(atEnd: false), acceptSign(atEnd: true) else { return nil }
      if unit.isEmpty {
        acceptUnit(atEnd: true)
        guard acceptSign(atEnd: true) else { return nil }
      }
      guard let first = rest.first, first == "." || first == "," || ("0"..."9").contains(first) else { return nil }
      // `1.` is 1.
      if rest.last == ".", rest.dropLast().allSatisfy({ ("0"..."9").contains($0) }) { rest.removeLast() }
      return (isNegative ? "-" : "") + String(rest)
    }

    private mutating func trim() {
      let blanks: [Unicode.Scalar] = [" ", "\u{A0}", "\u{202F}"]
      while let first = rest.first, blanks.contains(first) { rest.removeFirst() }
      while let last = rest.last, blanks.contains(last) { rest.removeLast() }
    }

    /// - Returns: `false` for a second sign.
    private mutating func acceptSign(atEnd: Bool) -> Bool {
      guard let sign = atEnd ? rest.last : rest.first, sign == "-" || sign == "\u{2212}" || sign == "+" && !atEnd else {
        return true
      }
      if sign != "+" {
        if isNegative { return false }
        isNegative = true
      }
      if atEnd { rest.removeLast() } else { rest.removeFirst() }
      trim()
      return true
    }

    private mutating func acceptUnit(atEnd: Bool) {
      let isPart = { (scalar: Unicode.Scalar) in
        !("0"..."9").contains(scalar) && !" \u{A0}\u{202F}-\u{2212}+,'".unicodeScalars.contains(scalar)
      }
      var part =
        atEnd
        ? String(String.UnicodeScalarView(rest.reversed().prefix(while: isPart).reversed()))
        : String(rest.prefix(while: isPart))
      // The point of a number, and not that of an abbreviation.
      if !SignedNumber.currencies.contains(part) {
        if atEnd, part.hasPrefix(".") { part.removeFirst() }
        if !atEnd, part.hasSuffix("."), part != "Fr.", part != "kr." { part.removeLast() }
      }
      let scalars = part.unicodeScalars
      let isSymbol = scalars.count == 1 && scalars.first?.properties.generalCategory == .currencySymbol
      guard isSymbol || SignedNumber.currencies.contains(part) || atEnd && part == "%" else { return }
      unit = part
      rest = atEnd ? rest.dropLast(scalars.count) : rest.dropFirst(scalars.count)
      trim()
    }
  }
}

/// Reads records in which some columns have numbers with a currency, a percent sign or parentheses.
final class SignedNumberReader: RecordReader {
  private let reader: any RecordReader
  private let file: String
  private let columns: [Int]
  /// For each of the columns, the unit of its first number, and where that stands.
  private var units: [Int: (unit: String, line: Int)] = [:]
  /// The numbers of the record, each by the position of its column.
  private var numbers: [Int: UnsafeMutableBufferPointer<UInt8>] = [:]

  /// - Parameter names: the names of the columns.
  /// - Throws: ``ImportError`` where one is not there.
  init(_ reader: any RecordReader, in names: [String], of file: String) throws(ImportError) {
    (self.reader, self.file) = (reader, file)
    columns = try names.map { name throws(ImportError) in
      if let position = reader.names.firstIndex(where: { Name($0) == name }) { return position }
      throw ImportError(
        "--numbers: no column \(name) in \(file)",
        details: [
          NearestName.nearest(to: name, in: reader.names).map { "did you mean \($0)?" }
            ?? "its columns are \(reader.names.joined(separator: ", "))"
        ], isUsageError: true)
    }
  }

  deinit { forget() }

  private func forget() {
    for number in numbers.values { number.deallocate() }
    numbers.removeAll(keepingCapacity: true)
  }

  var names: [String] { reader.names }
  var line: Int { reader.line }
  var offset: Int { reader.offset }

  func next() throws -> Bool {
    forget()
    guard try reader.next() else { return false }
    for position in columns {
      let field = reader.field(at: position)
      if field.kind != .untyped || field.bytes.isEmpty { continue }
      guard let signed = SignedNumber(field.bytes), signed.isNumber(field.numberStyle) else {
        throw noNumber(field, position)
      }
      let first = units[position] ?? (signed.unit, line)
      units[position] = first
      if first.unit != signed.unit {
        throw BadRow(
          error: ImportError(
            "\(file), line \(line): \(quoted(field.text)) in \(names[position]) has another unit than line \(first.line)",
            details: [
              "numbers of different units are no numbers of one column; --types \(names[position])=text keeps all"
            ]))
      }
      let place = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: signed.number.utf8.count)
      _ = place.initialize(from: signed.number.utf8)
      numbers[position] = place
    }
    return true
  }

  /// The error for a text in such a column: without what stands around its other numbers, it would keep less than the file has.
  private func noNumber(_ field: ImportField, _ position: Int) -> BadRow {
    let styles = [(NumberStyle.thousandsComma, "--thousands-comma"), (.decimalComma, "--decimal-comma")]
    let signed = SignedNumber(field.bytes)
    let fitting = styles.filter { style, _ in signed?.isNumber(style) == true }.map(\.1)
    return BadRow(
      error: ImportError(
        "\(file), line \(line): \(quoted(field.text)) in \(names[position]) is no number",
        details: [
          fitting.isEmpty
            ? "leave \(names[position]) out of --numbers to keep its texts"
            : "\(fitting.joined(separator: " or ")) reads it"
        ]))
  }

  func field(at position: Int) -> ImportField {
    let field = reader.field(at: position)
    guard let number = numbers[position] else { return field }
    var read = ImportField(kind: .untyped, bytes: UnsafeBufferPointer(number))
    read.numberStyle = field.numberStyle
    return read
  }

  func hasField(at position: Int) -> Bool { reader.hasField(at: position) }
}
