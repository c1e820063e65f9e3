import Query

extension Value {
  /// The value with its case and its bytes. `==` takes `1` and `1.0` for the same, and `String`'s takes the composed and
  /// the decomposed "é" for the same; a test of what exactly was made may not.
  var spelling: String {
    switch self {
    case .null: "null"
    case .integer(let integer): "integer \(integer)"
    case .real(let real): "real \(real)"
    case .text(let text): "text \(Array(text.utf8))"
    case .blob(let bytes): "blob \(bytes)"
    }
  }
}
