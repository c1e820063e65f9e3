#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON texts of properties: equal properties have equal texts, as far as the types' encodings have an order.
enum PropertyJSON {
  /// Returns the JSON text of a value. The keys of objects are sorted, and so are the items of a `Set` and the entries of a
  /// dictionary that is not an object.
  static func text(of value: some Encodable) throws -> String {
    if let items = try (value as? any UnorderedItems)?.jsonItems() {
      return "[\(items.sorted().joined(separator: ","))]"
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// A collection whose items have another order in each run of the program.
private protocol UnorderedItems {
  /// Returns the JSON texts of the items; `nil` if the collection is encoded as an object, whose keys the encoder sorts.
  func jsonItems() throws -> [String]?
}

extension Set: UnorderedItems where Element: Encodable {
  func jsonItems() throws -> [String]? { try map { try PropertyJSON.text(of: $0) } }
}

extension Dictionary: UnorderedItems where Key: Encodable, Value: Encodable {
  func jsonItems() throws -> [String]? {
    // Other dictionaries are encoded as lists of keys and values in turn.
    if Key.self is any CodingKeyRepresentable.Type { return nil }
    return try map { try "\(PropertyJSON.text(of: $0)),\(PropertyJSON.text(of: $1))" }
  }
}
