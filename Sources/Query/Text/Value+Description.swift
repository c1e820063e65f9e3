extension Value: CustomStringConvertible {
  /// The literal that stands for this value in the text form of a query: `12`, `-1500.0`, `'it''s'`, `x'00ff'`, `null`.
  ///
  /// ```swift
  /// Value.text("it's").description  // 'it''s'
  /// Value.real(.infinity).description  // 9e999
  /// ```
  ///
  /// A real always shows a point or an exponent, so that it is read back as a real, and as the same one. A NaN, which no
  /// store holds, is written as `<NaN>` and can't be read back.
  public var description: String {
    switch self {
    case .null: "null"
    case .integer(let integer): integer.description
    case .real(let real) where real.isNaN: "<NaN>"
    // The greatest finite number is about 1.8e308; SQLite reads and writes infinity like this, too.
    case .real(let real) where real.isInfinite: real > 0 ? "9e999" : "-9e999"
    case .real(let real): real.description
    case .text(let text): KeySpelling.quote(text, with: "'")
    case .blob(let bytes): Self.literal(bytes)
    }
  }

  private static func literal(_ bytes: [UInt8]) -> String {
    var literal = Array("x'".utf8)
    Hexadecimal.append(bytes, to: &literal)
    literal.append(UInt8(ascii: "'"))
    return String(decoding: literal, as: UTF8.self)
  }
}
