import Query

extension Value {
  /// Makes the value that keeps a captured one, whose type is known at run time alone.
  ///
  /// - Throws: `QueryError` for a type that no column holds, and for a value that can't be stored, such as NaN.
  init<Captured>(storing captured: Captured) throws(QueryError) {
    guard let type = Captured.self as? any ValueConvertible.Type else { throw .unstorable(Captured.self) }
    self = try Self.value(of: captured, as: type)
  }

  private static func value<Convertible: ValueConvertible>(
    of captured: Any, as type: Convertible.Type
  ) throws(QueryError) -> Value {
    guard let captured = captured as? Convertible else { throw .unstorable(type) }
    do throws(ValueError) {
      return try captured.makeValue()
    } catch {
      throw .unstorable(error)
    }
  }
}
