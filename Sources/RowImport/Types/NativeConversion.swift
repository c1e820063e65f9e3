import Query

// The values of columns with a type of the database's own, as people and other programs write them.
extension FieldConversion {
  /// The conversion for a column of such a type; `nil` for other columns, and for a type whose values are their texts.
  init?(native type: NativeColumnType?) {
    switch type {
    case .boolean: self = .boolean
    case .uuid: self = .uuid
    case .timestamp: self = .timestamp
    case .day: self = .day
    case .numeric: self = .decimal
    case .decimal: self = .shortDecimal
    case .padded, .text, .shown, nil: return nil
    }
  }

  /// Whether the column's type is one of the database's own.
  package var isNative: Bool {
    switch self {
    case .boolean, .decimal, .shortDecimal, .uuid, .timestamp, .day: true
    case .integer, .real, .text, .blob, .blobOrText, .number, .numberOrText, .booleanOrText: false
    }
  }

  /// Returns the value of an untyped text.
  func ownValue(of text: String) throws(FieldConversionError) -> Value {
    switch self {
    case .boolean:
      guard let value = BooleanWord.value(of: text) else {
        throw FieldConversionError(text, "is not a boolean", "write true or false")
      }
      return value
    case .booleanOrText:
      if let value = BooleanWord.value(of: text) { return value }
      return try FieldConversion.numberOrText.value(of: text)
    case .decimal: return .text(try Self.decimal(text))
    case .shortDecimal:
      let number = DecimalText.plain(try Self.decimal(text)) ?? text
      if let integer = Int64(number) { return .integer(integer) }
      guard let real = Double(number), DecimalText.canonical(real) == DecimalText.canonical(number) else {
        throw FieldConversionError(text, "has more digits than the column", "round the number")
      }
      return .real(real)
    case .uuid:
      guard let uuid = UUIDText.canonical(text) else {
        throw FieldConversionError(text, "is not a UUID", "write a value such as \(ValueFormat.uuid.example)")
      }
      return .text(uuid)
    case .timestamp:
      let isInfinite = [TimestampText.infinity, TimestampText.pastInfinity].contains(text)
      guard let date = isInfinite ? text : DateText.canonical(text) else {
        throw FieldConversionError(text, "is not a date with a time", "write a value such as 2026-11-20 23:11:00")
      }
      return .text(date)
    default:
      let isInfinite = [TimestampText.infinity, TimestampText.pastInfinity].contains(text)
      guard let date = isInfinite ? text : DateText.canonical(text) else {
        throw FieldConversionError(text, "is not a date", "write a date such as 2026-11-20")
      }
      if isInfinite { return .text(date) }
      // The day as written: an offset belongs to the time, which is midnight.
      let time = text.dropFirst(11).prefix { "0123456789:.".contains($0) }
      guard time.allSatisfy({ "0:.".contains($0) }) else {
        throw FieldConversionError(
          text, "has a time, and the column stores days", "write \(text.prefix(10)) for the day")
      }
      return .text(String(text.prefix(10)))
    }
  }

  /// Returns the canonical text of a decimal.
  private static func decimal(_ text: String) throws(FieldConversionError) -> String {
    // Plain notation has digits on both sides of the point, and no plus sign.
    let isNegative = text.hasPrefix("-")
    var number = text.drop { $0 == "-" || $0 == "+" }
    let hasDigit = number.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if text.utf8.count - number.utf8.count > 1 || !hasDigit { number = "" }
    if number.first == "." { number = "0" + number }
    if number.last == "." { number = number.dropLast() }
    let signed = (isNegative ? "-" : "") + number
    if let decimal = DecimalText.canonical(signed) { return decimal }
    guard DecimalText.unlimited(signed) != nil else { throw FieldConversionError(text, "is not a number") }
    throw FieldConversionError(text, "has more than 38 digits", "round the number")
  }
}
