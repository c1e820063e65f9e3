/// The smallest piece of a JSON value that is laid out flat.
enum JSONToken: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  /// A text, or the name of an object's field, after which its value follows.
  case text(String)
  /// How many tokens follow that belong to the array.
  case array(count: Int)
  /// How many tokens follow that belong to the object.
  case object(count: Int)

  /// How many tokens follow that belong to this one.
  var count: Int {
    switch self {
    case .array(let count), .object(let count): count
    case .null, .boolean, .integer, .real, .text: 0
    }
  }
}
