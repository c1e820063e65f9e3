extension Interchangeable {
  /// Reads the JSON form from any decoder.
  ///
  /// - Throws: `DecodingError`, whose `underlyingError` is an ``InterchangeError`` where the form is wrong.
  public init(from decoder: any Decoder) throws {
    self = try decoder.read(Self.init(jsonValue:))
  }

  /// Writes the JSON form to any encoder.
  ///
  /// Texts keep their bytes as far as the encoder keeps them: `JSONEncoder` does, and `PropertyListEncoder` as XML. In its
  /// binary format it takes texts that are canonically equal for one, so that of a composed and a decomposed "é" in one
  /// document both come back as the first.
  ///
  /// - Throws: `EncodingError`, whose `underlyingError` is an ``InterchangeError`` for what can't be written, which is
  ///   also what is nested deeper than 400 arrays and objects: encoders take stack for each. The error holds the type in
  ///   place of the value, so that it may be logged.
  public func encode(to encoder: any Encoder) throws {
    try encoder.write(self) { value throws(InterchangeError) in try value.jsonValue }
  }
}

extension Decoder {
  /// Reads a form, and says where `Codable`'s users look for it what is wrong.
  func read<Model>(_ make: (JSONValue) throws(InterchangeError) -> Model) throws -> Model {
    let value = try JSONValue(from: self)
    do throws(InterchangeError) {
      return try make(value)
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: codingPath + JSONFieldKey.path(error.path), debugDescription: error.description,
          underlyingError: error))
    }
  }
}

extension Encoder {
  /// Writes a form.
  func write<Model>(_ model: Model, _ form: (Model) throws(InterchangeError) -> JSONValue) throws {
    let value: JSONValue
    do throws(InterchangeError) {
      value = try form(model)
    } catch {
      // Not the model itself: whoever prints the error would print it, which is what would not end.
      throw EncodingError.invalidValue(
        Model.self,
        EncodingError.Context(codingPath: codingPath, debugDescription: error.description, underlyingError: error))
    }
    try value.encode(to: self)
  }
}
