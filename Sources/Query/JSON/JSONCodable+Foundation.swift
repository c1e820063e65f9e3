#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension JSONCodable {
  /// Reads the JSON form from UTF-8 data, as it comes from a file or a network.
  ///
  /// - Throws: ``JSONCodingError``, which says where the text goes wrong.
  public init(json: Data) throws(JSONCodingError) {
    guard let text = String(validating: json, as: UTF8.self) else {
      throw JSONCodingError(.malformed, "the text is not valid UTF-8", suggestion: "write JSON in UTF-8")
    }
    try self.init(json: text)
  }
}
