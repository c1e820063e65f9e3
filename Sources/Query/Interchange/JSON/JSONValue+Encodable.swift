extension JSONValue: Encodable {
  /// How deep a value may be nested where an encoder writes it: Foundation's takes stack for each level, and its decoder
  /// reads 512. What remains is for the types that hold the value.
  static let maximumEncodedDepth = 400

  /// Writes the value to any encoder.
  ///
  /// - Throws: what the encoder throws, and `EncodingError` for a value that is nested deeper than 400 levels; its
  ///   ``description`` has no such limit.
  public func encode(to encoder: any Encoder) throws {
    if depth > Self.maximumEncodedDepth {
      let error = InterchangeError(
        .tooComplex, "the form is nested deeper than \(Self.maximumEncodedDepth) levels",
        suggestion: "send its `json`, which may be nested to any depth, or split the query")
      throw EncodingError.invalidValue(
        Self.self,
        EncodingError.Context(
          codingPath: encoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
    var writer = EncoderWriter(encoder: encoder)
    for (index, token) in zip(tokens.indices, tokens) { try writer.write(token, at: index) }
  }

  /// How many arrays and objects stand within each other.
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

/// Writes tokens to an encoder, without taking stack of its own.
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

/// What is no array and no object.
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
