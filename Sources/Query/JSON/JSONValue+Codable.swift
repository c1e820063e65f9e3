extension JSONValue: Encodable {
  /// The maximum depth of a value that an encoder writes: Foundation's encoder takes stack for each level, and its decoder
  /// reads at most 512 levels. The remaining levels are for the types that contain the value.
  static let maximumEncodedDepth = 400

  /// Writes the value to any encoder.
  ///
  /// - Throws: what the encoder throws, and `EncodingError` for a value that is nested deeper than 400 levels; its
  ///   ``description`` has no such limit.
  public func encode(to encoder: any Encoder) throws {
    if depth > Self.maximumEncodedDepth {
      let error = JSONCodingError(
        .tooComplex, "the JSON form is nested deeper than \(Self.maximumEncodedDepth) levels",
        suggestion: "send the query's `json`, which has no depth limit, or split the query")
      throw EncodingError.invalidValue(
        Self.self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
    var writer = EncoderWriter(encoder: encoder)
    for (index, token) in zip(tokens.indices, tokens) { try writer.write(token, at: index) }
  }

  /// The maximum depth of nested arrays and objects.
  private var depth: Int {
    var ends: [Int] = []
    var depth = 0
    for (index, token) in zip(tokens.indices, tokens) {
      while let end = ends.last, end < index { ends.removeLast() }
      switch token {
      case .array(let count), .object(let count):
        ends.append(index + count)
        depth = max(depth, ends.count)
      case .null, .boolean, .integer, .real, .text: continue
      }
    }
    return depth
  }
}

/// A writer of tokens to an encoder, without recursion.
private struct EncoderWriter {
  private enum Container {
    case array(any UnkeyedEncodingContainer, end: Int)
    case object(KeyedEncodingContainer<JSONFieldKey>, end: Int, name: JSONFieldKey?)

    var end: Int {
      switch self {
      case .array(_, let end), .object(_, let end, _): end
      }
    }
  }

  private let encoder: any Encoder
  private var open: [Container] = []

  init(encoder: any Encoder) {
    self.encoder = encoder
  }

  mutating func write(_ token: JSONToken, at index: Int) throws {
    while let container = open.last, container.end < index { open.removeLast() }
    switch open.popLast() {
    case nil:
      switch token {
      case .array(let count): open.append(.array(encoder.unkeyedContainer(), end: index + count))
      case .object(let count):
        open.append(.object(encoder.container(keyedBy: JSONFieldKey.self), end: index + count, name: nil))
      case .null, .boolean, .integer, .real, .text: try Scalar(token: token).encode(to: encoder)
      }
    case .array(var elements, let end):
      switch token {
      case .array(let count):
        let nested = elements.nestedUnkeyedContainer()
        open += [.array(elements, end: end), .array(nested, end: index + count)]
      case .object(let count):
        let nested = elements.nestedContainer(keyedBy: JSONFieldKey.self)
        open += [.array(elements, end: end), .object(nested, end: index + count, name: nil)]
      case .null, .boolean, .integer, .real, .text:
        try elements.encode(Scalar(token: token))
        open.append(.array(elements, end: end))
      }
    case .object(var fields, let end, let name?):
      switch token {
      case .array(let count):
        let nested = fields.nestedUnkeyedContainer(forKey: name)
        open += [.object(fields, end: end, name: nil), .array(nested, end: index + count)]
      case .object(let count):
        let nested = fields.nestedContainer(keyedBy: JSONFieldKey.self, forKey: name)
        open += [.object(fields, end: end, name: nil), .object(nested, end: index + count, name: nil)]
      case .null, .boolean, .integer, .real, .text:
        try fields.encode(Scalar(token: token), forKey: name)
        open.append(.object(fields, end: end, name: nil))
      }
    case .object(let fields, let end, nil):
      if case .text(let name) = token { open.append(.object(fields, end: end, name: JSONFieldKey(name))) }
    }
  }
}

/// A value that is neither an array nor an object.
private struct Scalar: Encodable {
  let token: JSONToken

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch token {
    case .null, .array, .object: try container.encodeNil()
    case .boolean(let boolean): try container.encode(boolean)
    case .integer(let integer): try container.encode(integer)
    case .real(let real): try container.encode(real)
    case .text(let text): try container.encode(text)
    }
  }
}

extension JSONValue: Decodable {
  /// Reads any value from any decoder; integers are exact.
  ///
  /// - Throws: what the decoder throws, and `DecodingError` for a value that JSON lacks, such as a number that no real can
  ///   represent.
  public init(from decoder: any Decoder) throws {
    var reader = DecoderReader()
    self.init(tokens: try reader.read(decoder))
  }
}

/// A reader of everything that a decoder contains.
///
/// Unfinished containers are kept on an explicit stack: a type that decodes itself recursively takes several stack frames
/// per level, and threads may have small stacks.
private struct DecoderReader {
  private enum Container {
    case array(any UnkeyedDecodingContainer, start: Int, field: String)
    case object(KeyedDecodingContainer<JSONFieldKey>, names: ArraySlice<JSONFieldKey>, start: Int)
  }

  private enum Kind {
    case text, number, boolean, array, object
  }

  /// The maximum cost of wrong guesses: Foundation's decoder makes an error in time that grows with the square of the depth,
  /// so that a small text could keep it busy for hours. This limit is about two seconds.
  private static let maximumCost = 100_000_000

  private var tokens: [JSONToken] = []
  private var open: [Container] = []
  /// The kinds that the values of a field may have, the most recent first: a decoder can only be queried by trial and error.
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

  /// Reads a value, or the beginning of a container.
  ///
  /// - Parameter field: the name of the field that contains the value, or the array of which it is an element.
  private mutating func begin(_ decoder: any Decoder, field: String) throws {
    if let container = try? decoder.singleValueContainer(), container.decodeNil() {
      tokens.append(.null)
      return
    }
    // The elements of an array are seldom arrays, and have a list of kinds of their own.
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

  /// Adds the cost of an error that a decoder has made.
  private mutating func addCost() { cost += open.count * open.count }

  private func error(in decoder: any Decoder) -> DecodingError {
    let error =
      cost > Self.maximumCost
      ? JSONCodingError(
        .tooComplex, "values of several types are nested too deeply for a decoder",
        suggestion: "read the text with init(json:)")
      : JSONCodingError(.malformed, "the decoder contains no value of the JSON form")
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

  /// Reads a whole number as an integer, exactly, unless it is out of range or negative zero.
  private mutating func number(_ container: any SingleValueDecodingContainer) throws -> JSONToken {
    // A real is tried first, because a number in JSON is always readable as a real.
    guard let real = try? container.decode(Double.self) else { return .integer(try container.decode(Int64.self)) }
    let isNegativeZero = real == 0 && real.sign == .minus
    guard real == real.rounded(), abs(real) <= 0x1p63, !isNegativeZero else { return .real(real) }
    if let integer = try? container.decode(Int64.self) { return .integer(integer) }
    addCost()
    return .real(real)
  }
}

/// The name of a field, or the position of an element, as a `CodingKey`.
struct JSONFieldKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(stringValue: String) { self.init(stringValue) }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }

  /// Returns the keys of a path in RFC 6901's notation.
  static func path(_ pointer: String) -> [any CodingKey] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { step in
      Int(step).map(JSONFieldKey.init(intValue:)) ?? JSONFieldKey(String(step))
    }
  }
}
