extension JSONValue: Decodable {
  /// Reads any value from any decoder; integers that it holds are exact.
  ///
  /// - Throws: what the decoder throws, and `DecodingError` for a value that is none of JSON's, such as a number that no
  ///   real can hold.
  public init(from decoder: any Decoder) throws {
    var reader = DecoderReader()
    self.init(tokens: try reader.read(decoder))
  }
}

/// Reads all that a decoder holds.
///
/// Containers that are not read to their end stand on a stack of the reader's own: a type that decodes itself within
/// itself takes several frames of the thread's stack a level, and threads may have little.
private struct DecoderReader {
  private enum Container {
    case array(any UnkeyedDecodingContainer, start: Int, field: String)
    case object(KeyedDecodingContainer<JSONFieldKey>, names: ArraySlice<JSONFieldKey>, start: Int)
  }

  private enum Kind {
    case text, number, boolean, array, object
  }

  /// How much time wrong guesses may take: Foundation's decoder makes an error in time that grows with the square of the
  /// depth, so that a small text could keep it busy for hours. This much is about two seconds.
  private static let maximumCost = 100_000_000

  private var tokens: [JSONToken] = []
  private var open: [Container] = []
  /// What the values of a field may be, the latest first: a decoder has to be asked by trial and error.
  private var kinds: [String: [Kind]] = [:]
  private var cost = 0

  mutating func read(_ decoder: any Decoder) throws -> ArraySlice<JSONToken> {
    try begin(decoder, field: "")
    while let container = open.popLast() {
      switch container {
      case .array(var elements, let start, let field):
        if elements.isAtEnd {
          tokens[start] = .array(count: tokens.count - start - 1)
        } else {
          let element = try elements.superDecoder()
          open.append(.array(elements, start: start, field: field))
          try begin(element, field: field)
        }
      case .object(let fields, var names, let start):
        if let name = names.popFirst() {
          open.append(.object(fields, names: names, start: start))
          tokens.append(.text(name.stringValue))
          try begin(try fields.superDecoder(forKey: name), field: name.stringValue)
        } else {
          tokens[start] = .object(count: tokens.count - start - 1)
        }
      }
    }
    return tokens[...]
  }

  /// Reads a value, or the beginning of one.
  ///
  /// - Parameter field: the name of the field that the value, or the array that it is part of, belongs to.
  private mutating func begin(_ decoder: any Decoder, field: String) throws {
    if let container = try? decoder.singleValueContainer(), container.decodeNil() {
      tokens.append(.null)
      return
    }
    // An array's elements are seldom arrays, and have an order of their own.
    let place = open.last.map { if case .array = $0 { field + "[]" } else { field } } ?? ""
    let guesses = kinds[place] ?? [.text, .object, .array, .number, .boolean]
    for (index, kind) in guesses.enumerated() where cost <= Self.maximumCost {
      if read(kind, from: decoder, field: field) {
        if index > 0 || kinds[place] == nil { kinds[place] = [kind] + guesses.filter { $0 != kind } }
        return
      }
      addCost()
    }
    throw error(in: decoder)
  }

  /// Counts an error that a decoder has made.
  private mutating func addCost() { cost += open.count * open.count }

  private func error(in decoder: any Decoder) -> DecodingError {
    let error =
      cost > Self.maximumCost
      ? InterchangeError(
        .tooComplex, "values of several types stand too deep for a decoder",
        suggestion: "read the text with init(json:)")
      : InterchangeError(.malformed, "this is no value that can be read")
    return .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
  }

  private mutating func read(_ kind: Kind, from decoder: any Decoder, field: String) -> Bool {
    switch kind {
    case .text:
      guard let text = try? decoder.singleValueContainer().decode(String.self) else { return false }
      tokens.append(.text(text))
    case .boolean:
      guard let boolean = try? decoder.singleValueContainer().decode(Bool.self) else { return false }
      tokens.append(.boolean(boolean))
    case .number:
      guard let number = try? number(decoder.singleValueContainer()) else { return false }
      tokens.append(number)
    case .array:
      guard let elements = try? decoder.unkeyedContainer() else { return false }
      open.append(.array(elements, start: tokens.count, field: field))
      tokens.append(.array(count: .max))
    case .object:
      guard let fields = try? decoder.container(keyedBy: JSONFieldKey.self) else { return false }
      open.append(.object(fields, names: fields.allKeys[...], start: tokens.count))
      tokens.append(.object(count: .max))
    }
    return true
  }

  /// Reads a whole number as an integer, exactly, unless it is greater than any or a zero below zero.
  private mutating func number(_ container: any SingleValueDecodingContainer) throws -> JSONToken {
    // First as a real, because that is never an error in JSON.
    guard let real = try? container.decode(Double.self) else { return .integer(try container.decode(Int64.self)) }
    let isNegativeZero = real == 0 && real.sign == .minus
    guard real == real.rounded(), abs(real) <= 0x1p63, !isNegativeZero else { return .real(real) }
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    addCost()
    return .real(real)
  }
}
