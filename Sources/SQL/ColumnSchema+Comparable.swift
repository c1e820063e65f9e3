import Query

extension ColumnSchema {
  /// A value as the column would hold it, if it can: the same number as an integer or a real.
  ///
  /// The value is equal to the one given, so every comparison means the same, and a database has nothing to convert:
  /// SQLite looks up the smallest integer in vain if it is given as a real.
  func comparable(_ value: Value) -> Value {
    guard loose == nil else { return value }
    switch (type, value) {
    case (.integer, .real(let real)): return Int64(exactly: real).map(Value.integer) ?? value
    case (.real, .integer(let integer)): return Double(exactly: integer).map(Value.real) ?? value
    default: return value
    }
  }

  /// The values of a list that the column could equal, in the form in which it would hold them.
  ///
  /// A number that a strict column can't hold equals none of its values: leaving it out here keeps a database from
  /// rounding it into one that does. Nulls are left out too, since SQL's `IN` never finds them.
  func findable(in values: [Value]) -> [Value] {
    values.compactMap { value in
      if value.isNull { return nil }
      let comparable = comparable(value)
      switch (loose == nil ? type : .any, comparable) {
      case (.integer, .real), (.real, .integer): return nil
      default: return comparable
      }
    }
  }
}
