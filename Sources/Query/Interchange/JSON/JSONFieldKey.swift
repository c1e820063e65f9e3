/// The name of a field, or the position of an element, as `Codable` knows it.
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

  /// The keys of a path as RFC 6901 writes it.
  static func path(_ pointer: String) -> [any CodingKey] {
    pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { step in
      Int(step).map(JSONFieldKey.init(intValue:)) ?? JSONFieldKey(String(step))
    }
  }
}
