import Query
import Repository

/// The values of a row, `nil` for a text that is not UTF-8.
final class FetchedRow: Row, Sendable {
  let values: [Value?]

  /// The values of the row at which a statement stands.
  init(_ statement: RawStatement, columnCount: Int) {
    values = (0..<columnCount).map { try? statement.value(at: $0) }
  }

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = values[position] else { throw .invalidUTF8 }
    return value
  }
}
