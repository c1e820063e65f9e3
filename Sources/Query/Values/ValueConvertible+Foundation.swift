#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UUID: ValueConvertible {
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Texts in small letters.
  public static var valueFormat: ValueFormat? { .uuid }

  /// Makes the canonical text in lower case, as RFC 9562 asks of what is written.
  public func makeValue() -> Value { .text(uuidString.lowercased()) }

  /// Reads the canonical text in lower case.
  ///
  /// A text in capital letters names the same UUID and is another text: no query would find what is read from it.
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
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Makes the absolute URL's text.
  public func makeValue() -> Value { .text(absoluteString) }

  /// Reads a URL.
  ///
  /// - Throws: ``ValueError`` for a text that is no URL and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard let url = URL(string: try String(value: value)) else { throw ValueError("the stored text is no URL") }
    self = url
  }
}

extension Data: ValueConvertible {
  /// Bytes.
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
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Texts whose order is the order of time.
  public static var valueFormat: ValueFormat? { .date }

  /// Makes an ISO 8601 text in UTC with nine fraction digits, so that the order of texts is the order of time. Of the
  /// fractions that read back as the date it is the shortest, filled up with zeros.
  ///
  /// The text reads back as the same date but for the 100 days around 2001-01-01, where a `Date` is finer than a
  /// nanosecond and is rounded to one.
  ///
  /// - Throws: ``ValueError`` outside the years 0000 to 9999.
  public func makeValue() throws(ValueError) -> Value {
    guard let text = DateText.text(secondsSinceReferenceDate: timeIntervalSinceReferenceDate) else {
      throw ValueError("a date outside the years 0000 to 9999 can't be stored", suggestion: "store it as a number")
    }
    return .text(text)
  }

  /// Reads such a text.
  ///
  /// A text of another form, such as one with fewer digits, is refused: it would compare with others as no date does.
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
  /// Texts.
  public static var valueType: ValueType { .text }

  /// Texts whose order is the order of numbers.
  public static var valueFormat: ValueFormat? { .decimal }

  /// Makes the text of a decimal, exactly: equal decimals have the same one, and a less one stands before a greater one.
  ///
  /// - Throws: ``ValueError`` for a NaN, and for a decimal of more than 38 digits.
  public func makeValue() throws(ValueError) -> Value {
    if isNaN { throw .notANumber }
    guard let text = DecimalText.canonical(description) else {
      throw ValueError(
        "a decimal of more than \(DecimalText.maximumDigitCount) digits can't be stored", suggestion: "round it before")
    }
    return .text(text)
  }

  /// Reads such a text.
  ///
  /// - Throws: ``ValueError`` for another text and for a value of another kind.
  public init(value: Value) throws(ValueError) {
    guard case .text(let text) = value, ValueFormat.decimal.isCanonical(text),
      let number = DecimalText.number(text), let decimal = Decimal(string: String(number))
    else { throw .notCanonical(value, of: .decimal) }
    self = decimal
  }
}
