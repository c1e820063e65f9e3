extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes `null`.
  public init(nilLiteral: ()) { self.init(.null) }

  /// Makes `true` or `false`.
  public init(booleanLiteral value: Bool) { self.init(.boolean(value)) }

  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self.init(.integer(value)) }

  /// Makes a number from a literal with a fraction or an exponent.
  public init(floatLiteral value: Double) { self.init(.real(value)) }

  /// Makes a string.
  public init(stringLiteral value: String) { self.init(.text(value)) }

  /// Makes a list.
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }

  /// Makes an object; of fields of one name, the last counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(.object(Dictionary(elements, uniquingKeysWith: { $1 })))
  }
}
