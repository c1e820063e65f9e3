#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension FormReader {
  /// Reads a value. `true` and `false` are 1 and 0, as in the text form.
  func value(at index: Int) throws(InterchangeError) -> Value {
    switch tokens[index] {
    case .null: return .null
    case .boolean(let boolean): return .integer(boolean ? 1 : 0)
    case .integer(let integer): return .integer(integer)
    case .real(let real): return .real(try untagged(real, at: index))
    case .text(let text): return .text(text)
    case .array: throw mismatch(at: index, expected: "a value", suggestion: "a list is for `in`, as its values")
    case .object: return try tagged(try tag(at: index, known: [.real, .blob]))
    }
  }

  /// Reads a value or a key.
  func operand(at index: Int) throws(InterchangeError) -> Operand<String> {
    guard case .object = tokens[index] else { return .value(try value(at: index)) }
    let tag = try tag(at: index, known: [.key, .real, .blob])
    if tag.name == .key { return .key(try text(at: tag.value)) }
    return .value(try tagged(tag))
  }

  /// Takes a number that stands by itself for a real.
  ///
  /// Beyond 2^53 it is whole, and may be an integer that `Double` has rounded. A decoder of `Codable` would even take
  /// 1.2345678901234567e17 for an integer, so what means one thing in a text and another to a decoder is refused.
  private func untagged(_ real: Double, at index: Int) throws(InterchangeError) -> Double {
    if real.isNaN { throw notANumber(at: index) }
    if abs(real) <= 0x1p53 { return real }
    throw error(
      .invalidValue, "a number this great may be an integer that was rounded", at: index,
      suggestion: "write an integer with all its digits, up to \(Int64.max), and a real with a tag: "
        + "{\"real\": \(real.isFinite ? "\(real)" : "\"infinity\"")}")
  }

  private func tagged(_ tag: Field) throws(InterchangeError) -> Value {
    if tag.name == .blob {
      guard let data = Data(base64Encoded: try text(at: tag.value, "a text in base64")) else {
        throw error(
          .invalidValue, "a blob is written in base64", at: tag.value,
          suggestion: "use the letters A-Z, a-z, 0-9, + and /, padded with = (RFC 4648, section 4)")
      }
      return .blob([UInt8](data))
    }
    switch tokens[tag.value] {
    case .integer(let integer): return .real(Double(integer))
    case .real(let real) where real.isNaN: throw notANumber(at: tag.value)
    case .real(let real): return .real(real)
    case .text("infinity"): return .real(.infinity)
    case .text("-infinity"): return .real(-.infinity)
    default: throw mismatch(at: tag.value, expected: #"a number, "infinity" or "-infinity""#)
    }
  }

  private func notANumber(at index: Int) -> InterchangeError {
    error(.invalidValue, ValueError.notANumber.summary, at: index, suggestion: ValueError.notANumber.suggestion)
  }
}
