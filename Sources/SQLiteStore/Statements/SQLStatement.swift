public import Query

/// A statement in SQL whose values are bound, never written into it.
///
/// ```swift
/// let type = "fire'; DROP TABLE pokemon; --"
/// let statement: SQLStatement = "SELECT * FROM pokemon WHERE type = \(type)"
/// statement.sql  // SELECT * FROM pokemon WHERE type = ?
/// ```
///
/// What is interpolated becomes a value, whatever it says. Names are interpolated as such: `\(identifier: "order")`. A list
/// goes with its parentheses: `WHERE id IN \([1, 2, 3])`; bytes are one value: `\(blob: bytes)`. Another
/// statement becomes a part of this one by `\(part: statement)`.
public struct SQLStatement: Hashable, Sendable {
  /// The text, with a placeholder for each value.
  public private(set) var sql: String
  /// The values, in the order of the placeholders.
  public private(set) var bindings: [Value]
  /// The first value that can't be bound, as interpolation can't throw.
  var fault: ValueError?

  /// Makes a statement of a text that was not written in the program, such as what a user typed.
  ///
  /// The text is taken as it is: it must not be put together from values.
  public init(verbatim sql: String) {
    self.init(sql: sql)
  }

  init(sql: String = "", bindings: [Value] = []) {
    self.sql = sql
    self.bindings = bindings
  }

  mutating func write(_ sql: String) { self.sql += sql }

  mutating func bind(_ value: Value) {
    sql += "?"
    bindings.append(value)
  }

  mutating func bind(_ value: some ValueConvertible) {
    do throws(ValueError) {
      let value = try value.makeValue()
      if value.isNaN { throw .notANumber }
      bind(value)
    } catch {
      fault = fault ?? error
      bind(Value.null)
    }
  }

  mutating func append(_ other: SQLStatement) {
    sql += other.sql
    bindings += other.bindings
    fault = fault ?? other.fault
  }
}

extension SQLStatement: CustomStringConvertible {
  /// The text without the values.
  public var description: String { sql }
}
