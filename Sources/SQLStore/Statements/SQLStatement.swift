#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query
public import Repository
import SQL

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

  package init(sql: String = "", bindings: [Value] = []) {
    self.sql = sql
    self.bindings = bindings
  }

  package mutating func write(_ sql: String) { self.sql += sql }

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

  package mutating func append(_ other: SQLStatement) {
    sql += other.sql
    bindings += other.bindings
    fault = fault ?? other.fault
  }
}

extension SQLStatement: CustomStringConvertible {
  /// The text without the values.
  public var description: String { sql }
}

extension SQLStatement: ExpressibleByStringInterpolation {
  /// Makes a statement of a text in the program.
  public init(stringLiteral value: String) { self.init(sql: value) }

  /// Makes a statement of a text and values in the program.
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.statement }

  /// Puts a statement together.
  public struct Interpolation: StringInterpolationProtocol {
    var statement = SQLStatement()

    /// Begins a statement.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds literal SQL text.
    public mutating func appendLiteral(_ literal: String) { statement.write(literal) }

    /// Adds a value.
    @_disfavoredOverload  // An array literal is a list, not the bytes of a blob.
    public mutating func appendInterpolation(_ value: some ValueConvertible) { statement.bind(value) }

    /// Adds a value of any kind.
    public mutating func appendInterpolation(_ value: Value) { statement.bind(value) }

    /// Adds a list of any length, between parentheses: `WHERE id IN \([1, 2, 3])`.
    public mutating func appendInterpolation<Element: ValueConvertible>(_ values: [Element]) {
      statement.bind(list: values)
    }

    /// Adds a set of any size, between parentheses.
    public mutating func appendInterpolation<Element: ValueConvertible>(_ values: Set<Element>) {
      statement.bind(list: values)
    }

    /// Adds bytes as one value.
    public mutating func appendInterpolation(blob bytes: some Sequence<UInt8>) { statement.bind(.blob(Array(bytes))) }

    /// Adds bytes as one value.
    public mutating func appendInterpolation(_ data: Data) { appendInterpolation(blob: data) }

    /// Adds a statement as a part of this one. It has a label, so that a text literal is always a value.
    public mutating func appendInterpolation(part statement: SQLStatement) { self.statement.append(statement) }

    /// Adds the name of a table or a column, quoted.
    public mutating func appendInterpolation(identifier name: String) {
      statement.write(SQLStatement.dialect.quoted(name))
    }

    /// Adds the name of a model type's table, quoted.
    public mutating func appendInterpolation<Element: Entity>(table type: Element.Type) {
      do throws(RepositoryError) {
        appendInterpolation(identifier: try type.schema.table().name)
      } catch {
        statement.fault = statement.fault ?? ValueError(error.summary, suggestion: error.suggestion)
      }
    }
  }
}

extension SQLStatement {
  /// Statements are written before it is known which store runs them, in the one dialect that there is.
  static let dialect: any Dialect = SQLiteDialect()

  fileprivate mutating func bind<Element: ValueConvertible>(list: some Sequence<Element>) {
    var values = SQLStatement()
    for element in list { values.bind(element) }
    fault = fault ?? values.fault
    let dialect = SQLStatement.dialect
    write("(")
    if values.bindings.count <= dialect.inlineListCount {
      for (index, value) in values.bindings.enumerated() {
        if index > 0 { write(", ") }
        bind(value)
      }
    } else {
      // One value, so that there is no end to the list: SQLite binds 32,766 at most.
      var whole: [Value] = []
      let list = dialect.list(values.bindings) { make in
        if case .value(let value) = make(values.bindings) { whole.append(value) }
        return "?"
      }
      append(SQLStatement(sql: list, bindings: whole))
    }
    write(")")
  }
}

/// The first word of a statement in capitals: what it does.
///
/// Blanks, comments and semicolons before it count as nothing. https://www.sqlite.org/lang_comment.html
package struct StatementKeyword {
  package let text: String

  package init(of sql: String) {
    var rest = sql.utf8[...]
    while let first = rest.first {
      if [0x20, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: ";")].contains(first) {
        rest = rest.dropFirst()
      } else if rest.starts(with: "\u{FEFF}".utf8) {
        rest = rest.dropFirst(3)
      } else if rest.starts(with: "--".utf8) {
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    let letters = (UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"))
    text = String(decoding: rest.prefix { letters.0.contains($0) || letters.1.contains($0) }, as: UTF8.self)
      .uppercased()
  }
}
