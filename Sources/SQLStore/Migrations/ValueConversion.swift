package import Query

extension Value {
  /// Returns the value in the form of another type; `nil` if the conversion loses information: a real that is no whole number
  /// as an integer, the text `007` as a number, an integer that a real would round.
  package func converted(to type: ValueType) -> Value? {
    switch (type, self) {
    case (.any, _), (_, .null), (.integer, .integer), (.real, .real), (.text, .text), (.blob, .blob): return self
    case (.text, .integer), (.text, .real): return .text(description)
    case (.real, .integer(let integer)): return Double(exactly: integer).map(Value.real)
    case (.integer, .real(let real)):
      return real == 0 && real.sign == .minus ? nil : Int64(exactly: real).map(Value.integer)
    case (.integer, .text(let text)):
      guard let integer = Int64(text), integer.description == text else { return nil }
      return .integer(integer)
    case (.real, .text(let text)):
      if let integer = Int64(text), integer.description == text {
        return Double(exactly: integer).map(Value.real)
      }
      guard let real = Double(text), real.description == text, real.isFinite else { return nil }
      return .real(real)
    case (.blob, _), (_, .blob): return nil
    }
  }
}
