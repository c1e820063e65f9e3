#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FormWriter {
  /// Writes a value. A real that is whole is tagged, because JSON's readers don't tell 5.0 from 5, and so are infinities
  /// and blobs, which JSON lacks.
  mutating func write(_ value: Value) throws(InterchangeError) {
    switch value {
    case .null: try append(.null)
    case .integer(let integer): try append(.integer(integer))
    case .real(let real) where real.isNaN: throw error(.notANumber)
    case .real(let real) where real.isInfinite: try write(tag: .real, .text(real > 0 ? "infinity" : "-infinity"))
    case .real(let real) where real == real.rounded(): try write(tag: .real, .real(real))
    case .real(let real): try append(.real(real))
    case .text(let text): try append(.text(text))
    case .blob(let bytes): try write(tag: .blob, .text(Data(bytes).base64EncodedString()))
    }
  }

  /// Writes a value or a key, which is tagged: a text is never taken for one.
  mutating func write(_ operand: Operand<String>) throws(InterchangeError) {
    switch operand {
    case .value(let value): try write(value)
    case .key(let key): try write(tag: .key, .text(key))
    }
  }

  private mutating func write(tag: FormField, _ token: JSONToken) throws(InterchangeError) {
    try beginObject()
    try write(tag, token)
    end()
  }

  /// The error for a value that can't be stored.
  func error(_ error: ValueError) -> InterchangeError {
    self.error(.invalidValue, error.summary, suggestion: error.suggestion)
  }
}
