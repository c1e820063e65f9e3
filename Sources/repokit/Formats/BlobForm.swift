import Query

/// How bytes are written where a format has no form of its own for them.
enum BlobForm: String, CaseIterable {
  case hex
  case base64

  /// The text for bytes. Hexadecimal digits stand as in a query, `x'00ff'`, so that they are no number.
  func text(_ bytes: [UInt8]) -> String {
    switch self {
    case .hex: Value.blob(bytes).description
    case .base64: Base64.text(bytes)
    }
  }
}
