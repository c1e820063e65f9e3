/// What a value of a column is read as, where the database knows nothing of that: a place in a JSON text, or a number that is a date.
package enum ValueConversion: Hashable, Sendable {
  /// The value in a place of a JSON text.
  case json(JSONPointer)
  /// The text of a date that is kept as a number.
  case date(NumericDateForm)

  /// Returns what a value is read as.
  package func value(of value: Value) -> Value {
    switch self {
    case .json(let pointer): pointer.value(in: value)
    case .date(let form): form.text(of: value)
    }
  }

  /// The place or the form, as a text.
  package var argument: String {
    switch self {
    case .json(let pointer): pointer.description
    case .date(let form): form.rawValue
    }
  }
}
