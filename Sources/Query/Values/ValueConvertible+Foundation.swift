#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UUID: ValueConvertible {
  /// The column type: texts.
  public static var valueType: ValueType { .text }

  /// The format: UUIDs in lowercase.
  public static var valueFormat: ValueFormat? { .uuid }

  /// Makes the canonical text in lowercase, as RFC 9562 requires for output.
  public func makeValue() -> Value { .text(uuidString.lowercased()) }

  /// Reads the canonical text in lowercase.
  ///
  /// A text in uppercase denotes the same UUID but is another text: no query would find it by the UUID that is read from it.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard case .text(let text) = value, ValueFormat.uuid.isCanonical(text), let uuid = UUID(uuidString: text) else {
      throw .notCanonical(value, of: .uuid)
    }
    self = uuid
  }
}

extension URL: ValueConvertible {
  /// The column type: texts.
  public static var valueType: ValueType { .text }

  /// Makes the text of the absolute URL.
  public func makeValue() -> Value { .text(absoluteString) }

  /// Reads a URL.
  ///
  /// - Throws: ``ValueError`` for a text that is not a URL and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard let url = URL(string: try String(value: value)) else { throw ValueError("the stored text is not a URL") }
    self = url
  }
}

extension Data: ValueConvertible {
  /// The column type: bytes.
  public static var valueType: ValueType { .blob }

  /// Makes a blob.
  public func makeValue() -> Value { .blob([UInt8](self)) }

  /// Reads a blob.
  ///
  /// - Throws: ``ValueError`` for a value of another kind.
  public init(value: Value) throws(ValueError) {
    self = Data(try [UInt8](value: value))
  }
}

extension Date: ValueConvertible {
  /// The column type: texts.
  public static var valueType: ValueType { .text }

  /// The format: texts whose order is that of time.
  public static var valueFormat: ValueFormat? { .date }

  /// Makes an ISO 8601 text in UTC with nine fraction digits, so that the order of texts is the order of time. The fraction is
  /// the shortest that reads back as the same date, padded with zeros.
  ///
  /// The text reads back as the same date, except for the 100 days around 2001-01-01, when a `Date` is finer than a
  /// nanosecond and is rounded to one.
  ///
  /// - Throws: ``ValueError`` outside the years 0000 to 9999.
  public func makeValue() throws(ValueError) -> Value {
    guard let text = DateText.text(secondsSinceReferenceDate: timeIntervalSinceReferenceDate) else {
      throw ValueError("can't store a date outside the years 0000 to 9999", suggestion: "store the date as a number")
    }
    return .text(text)
  }

  /// Reads a text in this format.
  ///
  /// A text in another form, such as one with fewer digits, is refused, because it would not sort among the others by time.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard case .text(let text) = value, let seconds = DateText.secondsSinceReferenceDate(text) else {
      throw .notCanonical(value, of: .date)
    }
    self = Date(timeIntervalSinceReferenceDate: seconds)
  }
}

extension Decimal: ValueConvertible {
  /// The column type: texts.
  public static var valueType: ValueType { .text }

  /// The format: texts whose order is that of numbers.
  public static var valueFormat: ValueFormat? { .decimal }

  /// Makes the text of a decimal, exactly: equal decimals have the same text, and the text of a smaller decimal sorts before
  /// that of a larger one.
  ///
  /// - Throws: ``ValueError`` for a NaN, and for a decimal of more than 38 digits.
  public func makeValue() throws(ValueError) -> Value {
    if isNaN { throw .notANumber }
    guard let text = DecimalText.canonical(description) else {
      throw ValueError(
        "can't store a decimal of more than \(DecimalText.maximumDigitCount) digits",
        suggestion: "round the decimal first")
    }
    return .text(text)
  }

  /// Reads a text in this format.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard case .text(let text) = value, ValueFormat.decimal.isCanonical(text),
      let number = DecimalText.number(text), let decimal = Decimal(string: String(number))
    else { throw .notCanonical(value, of: .decimal) }
    self = decimal
  }

  /// Reads a decimal directly from a row: exactly, also from a column of PostgreSQL's `numeric`.
  ///
  /// - Throws: as ``init(value:)`` does, and for a `numeric` of more than 38 digits.
  public init(from row: any Row, at position: Int) throws(ValueError) {
    guard let number = row.decimal(at: position) else {
      try self.init(value: try row.value(at: position))
      return
    }
    guard let text = DecimalText.canonical(number) else {
      throw ValueError(
        "the stored number is not a decimal of up to \(DecimalText.maximumDigitCount) digits",
        suggestion: "read the column with SQL, as text: CAST(column AS text)")
    }
    try self.init(value: .text(text))
  }
}
