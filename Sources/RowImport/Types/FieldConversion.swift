import CSV
package import Query

/// The conversion of a column's fields to values.
package enum FieldConversion {
  case integer
  case real
  case text
  case blob
  /// Blobs for fields that are written as blobs, texts for others.
  case blobOrText
  /// Whole numbers and reals.
  case number
  /// Numbers for fields that are numbers, texts for others.
  case numberOrText
  /// 1 and 0 for the words of Booleans.
  case boolean
  /// 1 and 0 for the words of Booleans, numbers and texts for others.
  case booleanOrText
  /// Decimals of any number of digits.
  case decimal
  /// Decimals of so few digits that a real or an integer holds them.
  case shortDecimal
  case uuid
  case timestamp
  case day

  /// The lossless conversion for the column's type.
  package init(_ column: ColumnSchema) {
    if let conversion = FieldConversion(native: column.nativeType) {
      self = conversion
      return
    }
    switch column.type {
    case .integer: self = .integer
    case .real: self = BooleanWord.isDeclared(column) ? .booleanOrText : Self.numeric(declaredType: column.declaredType)
    case .text: self = .text
    case .blob: self = .blob
    case .any: self = column.declaredType?.uppercased().contains("BLOB") == true ? .blobOrText : .numberOrText
    }
  }

  /// SQLite has no types for dates, Booleans and decimals: columns declared so keep numbers and texts alike, and count
  /// as columns of reals. A decimal column means numbers, though. Source: SQLite, "Datatypes In SQLite", section 3.1.
  private static func numeric(declaredType declared: String?) -> FieldConversion {
    guard let declared = declared?.uppercased() else { return .real }
    if ["REAL", "FLOA", "DOUB"].contains(where: declared.contains) { return .real }
    return ["DEC", "NUMERIC", "NUMBER"].contains(where: declared.hasPrefix) ? .number : .numberOrText
  }

  /// Returns the value of an untyped text.
  ///
  /// - Throws: the reason why the text can't be converted.
  package func value(of text: String) throws(FieldConversionError) -> Value {
    switch self {
    case .integer:
      guard let integer = Int64(text) else {
        throw FieldConversionError(text, "is not a whole number", Self.integerSuggestion(for: text))
      }
      // A zero at the start belongs to a code, such as a postal code, and would be lost.
      guard integer.description.utf8.count == text.utf8.count - (text.hasPrefix("+") ? 1 : 0) else {
        throw FieldConversionError(text, "is not the usual form of a whole number", "write \(integer) for the number")
      }
      return .integer(integer)
    case .real:
      return .real(try Self.real(text))
    case .text:
      return .text(text)
    case .blob:
      guard let blob = Self.blob(text) else {
        throw FieldConversionError(text, "is not a blob", "write bytes in hexadecimal: x'00ff'")
      }
      return blob
    case .blobOrText:
      return Self.blob(text) ?? .text(text)
    case .number:
      let value = try FieldConversion.numberOrText.value(of: text)
      return value.kind == .number ? value : .real(try Self.real(text))
    case .boolean, .booleanOrText, .decimal, .shortDecimal, .uuid, .timestamp, .day: return try ownValue(of: text)
    case .numberOrText:
      if let infinity = SpelledInfinity.plain(text.utf8) { return .real(infinity) }
      // The rule is that for the type of a new column.
      var spelling = text
      switch spelling.withUTF8({ NumberSyntax($0) }) {
      case .integer(let integer): return .integer(integer)
      case .real: return Double(text).map(Value.real) ?? .text(text)
      case .none: return .text(text)
      }
    }
  }

  private static func real(_ text: String) throws(FieldConversionError) -> Double {
    if let infinity = SpelledInfinity.plain(text.utf8) { return infinity }
    // `Double` reads more than decimal numbers: nan, infinity, 0x1p3.
    let isDecimal = text.utf8.allSatisfy { byte in
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let real = Double(text) else { throw FieldConversionError(text, "is not a number") }
    guard real.isFinite else {
      throw FieldConversionError(text, "exceeds the largest number", "write 9e999 for infinity")
    }
    if !RealDigits.areKept(text.utf8) || real == 0 && !isZero(text) {
      throw FieldConversionError(text, "would become \(Value.real(real))")
    }
    return real
  }

  /// Whether a number is zero as written, before rounding.
  private static func isZero(_ text: String) -> Bool {
    text.utf8.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
      .allSatisfy { !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0) }
  }

  /// A suggestion of what to write in place of a text that is not a whole number.
  private static func integerSuggestion(for text: String) -> String? {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let isNumber = !digits.isEmpty && digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    if isNumber { return "whole numbers range from \(Int64.min) to \(Int64.max)" }
    // A number that `Double` rounds would become another number. Up to 2^53, `Double` represents every integer.
    guard let real = try? real(text), real.magnitude < 0x1p53, let integer = Int64(exactly: real) else { return nil }
    return "write \(integer) for the number"
  }

  /// Reads a blob as `--format csv` writes it, by the rules of query text.
  static func blob(_ text: String) -> Value? {
    // PostgreSQL writes `\x00ff`. https://www.postgresql.org/docs/15/datatype-binary.html
    let literal = text.hasPrefix("\\x") ? "x'\(text.dropFirst(2))'" : text
    guard literal.hasPrefix("x'"), let value = Value(literal: literal) else { return nil }
    return value
  }
}

// Fields of every format.
extension FieldConversion {
  /// Returns the value of a field that is not absent.
  ///
  /// - Throws: the reason why the field can't be converted.
  package func value(of field: ImportField) throws(FieldConversionError) -> Value {
    if let number = field.respelledNumber { return try value(of: field, as: number) }
    let text = field.text
    switch (self, field.kind) {
    case (.text, .boolean): return .text(text == "1" ? "true" : "false")
    case (.real, .string), (.number, .string):
      if let infinity = SpelledInfinity.json(field.bytes) { return .real(infinity) }
    case (.blob, .string):
      guard let bytes = Base64.bytes(forText: text) else {
        throw FieldConversionError(text, "is not a blob", "write bytes in Base64: AP8=")
      }
      return .blob(bytes)
    case (.blobOrText, .string): return Base64.bytes(forText: text).map(Value.blob) ?? .text(text)
    case (.booleanOrText, .string), (.booleanOrText, .nested): return BooleanWord.value(of: text) ?? .text(text)
    case (.blobOrText, .number), (.blobOrText, .boolean):
      return try FieldConversion.numberOrText.value(of: text)
    case (.numberOrText, .string), (.numberOrText, .nested), (.blobOrText, .nested): return .text(text)
    default: break
    }
    return try value(of: text)
  }

  /// Returns the value of a field whose number is not in the usual notation.
  private func value(of field: ImportField, as number: String) throws(FieldConversionError) -> Value {
    switch self {
    case .text, .blob, .blobOrText, .boolean, .uuid, .timestamp, .day: return try value(of: field.text)
    case .integer, .real, .number, .decimal, .shortDecimal:
      // An error has to show the text of the file, which is therefore converted again.
      do throws(FieldConversionError) { return try value(of: number) } catch { return try value(of: field.text) }
    case .numberOrText, .booleanOrText:
      if field.isAddress { return .text(field.text) }
      let found = try value(of: number)
      return found.kind == .number ? found : .text(field.text)
    }
  }
}

/// The error for a field that its column can't hold.
package struct FieldConversionError: Error {
  /// The reason, including the start of the field.
  package let summary: String
  package let suggestion: String?

  package init(_ text: String, _ problem: String, _ suggestion: String? = nil) {
    summary = "\(quoted(text)) \(problem)"
    self.suggestion = suggestion
  }
}

/// Infinities as texts.
enum SpelledInfinity {
  /// Reads an infinity as `--format csv` and `--format tsv` write it, which is also how SQLite reads and writes it.
  static func plain(_ bytes: some Sequence<UInt8>) -> Double? { infinity(bytes, "9e999", "-9e999") }

  /// Reads an infinity as `--format json` writes it: JSON has no number for it.
  static func json(_ bytes: some Sequence<UInt8>) -> Double? { infinity(bytes, "Infinity", "-Infinity") }

  private static func infinity(
    _ bytes: some Sequence<UInt8>, _ positive: StaticString, _ negative: StaticString
  ) -> Double? {
    func isSpelled(_ text: StaticString) -> Bool {
      text.withUTF8Buffer { bytes.elementsEqual($0) }
    }
    return isSpelled(positive) ? .infinity : isSpelled(negative) ? -.infinity : nil
  }
}
