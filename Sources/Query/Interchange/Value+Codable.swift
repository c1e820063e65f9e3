extension Value: Codable {
  /// Reads the form that a value has in a query's: `null`, a number, a text, `{"real": 5}` or `{"blob": "AQI="}`.
  ///
  /// - Throws: `DecodingError`, whose `underlyingError` is an ``InterchangeError`` where the form is wrong.
  public init(from decoder: any Decoder) throws {
    self = try decoder.read { form throws(InterchangeError) in
      try FormReader(form).value(at: form.tokens.startIndex)
    }
  }

  /// Writes the form that a value has in a query's. A real that is whole, such as 5.0, stays a real: it is tagged.
  ///
  /// - Throws: `EncodingError` for a NaN.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(self) { value throws(InterchangeError) in
      var writer = FormWriter()
      try writer.write(value)
      return JSONValue(tokens: writer.tokens[...])
    }
  }
}
