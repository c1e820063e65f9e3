// The errors of Codable, with the path to the value.
extension AnyFriendlyError {
  init(decoding error: DecodingError) {
    switch error {
    case .typeMismatch(let type, let context):
      self.init(
        error, "\(Self.place(context.codingPath)) is not of the type \(type)", reason: context.debugDescription,
        suggestion: "write a value of the type \(type)", underlying: context.underlyingError)
    case .valueNotFound(let type, let context):
      self.init(
        error, "\(Self.place(context.codingPath)) is missing", reason: context.debugDescription,
        suggestion: "write a value of the type \(type)", underlying: context.underlyingError)
    case .keyNotFound(let key, let context):
      self.init(
        error, "\(Self.place(context.codingPath + [key])) is missing", reason: context.debugDescription,
        suggestion: "add the key \(key.stringValue)", underlying: context.underlyingError)
    case .dataCorrupted(let context):
      self.init(
        error, "\(Self.place(context.codingPath)) can't be read", reason: context.debugDescription,
        suggestion: "check that the data is whole and of the expected format", underlying: context.underlyingError)
    @unknown default:
      self.init(error, "the data can't be decoded", reason: String(describing: error))
    }
  }

  init(encoding error: EncodingError) {
    switch error {
    case .invalidValue(let value, let context):
      self.init(
        error, "\(Self.place(context.codingPath)) can't be encoded", reason: context.debugDescription,
        suggestion: "give it a value of the type \(type(of: value)) that the format can hold",
        underlying: context.underlyingError)
    @unknown default:
      self.init(error, "the value can't be encoded", reason: String(describing: error))
    }
  }

  /// "trainer.box[2].name", or the whole.
  private static func place(_ path: [any CodingKey]) -> String {
    var place = ""
    for key in path {
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += place.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return place.isEmpty ? "the data" : place
  }
}
