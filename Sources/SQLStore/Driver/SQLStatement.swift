#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query
public import Repository
package import SQL

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
///
/// It is written before it is known which database runs it: names and placeholders are put into the words of that one then.
public struct SQLStatement: Hashable, Sendable {
  /// What a statement is made of.
  private enum Part: Hashable, Sendable {
    case text(String)
    case identifier(String)
    case value(Value)
    case list([Value])
  }

  private var parts: [Part] = []
  /// The first value that can't be bound, as interpolation can't throw.
  private(set) var fault: ValueError?

  /// Makes a statement of a text that was not written in the program, such as what a user typed.
  ///
  /// The text is taken as it is: it must not be put together from values.
  public init(verbatim sql: String) { write(sql) }

  package init() {}

  /// The text in standard SQL, with `?` for each value. A database is given its own placeholders, such as `$1`.
  public var sql: String {
    var sql = ""
    for part in parts {
      switch part {
      case .text(let text): sql += text
      case .identifier(let name): sql += Quoting.quote(name, with: "\"")
      case .value: sql += "?"
      case .list(let values): sql += "(\(values.map { _ in "?" }.joined(separator: ", ")))"
      }
    }
    return sql
  }

  /// The values, in the order of the placeholders.
  public var bindings: [Value] {
    parts.flatMap { part -> [Value] in
      switch part {
      case .text, .identifier: []
      case .value(let value): [value]
      case .list(let values): values
      }
    }
  }

  /// Whether nothing was written yet.
  package var isEmpty: Bool { parts.isEmpty }

  // MARK: Writing

  package mutating func write(_ sql: String) {
    if sql.isEmpty { return }
    if case .text(let text) = parts.last {
      parts[parts.count - 1] = .text(text + sql)
    } else {
      parts.append(.text(sql))
    }
  }

  package mutating func append(_ other: SQLStatement) {
    for part in other.parts {
      if case .text(let text) = part { write(text) } else { parts.append(part) }
    }
    fault = fault ?? other.fault
  }

  /// The value that is bound; null, with the fault noted, where there is none.
  private mutating func bindable(_ value: some ValueConvertible) -> Value {
    do throws(ValueError) {
      let value = try value.makeValue()
      if value.isNaN { throw .notANumber }
      return value
    } catch {
      fault = fault ?? error
      return .null
    }
  }
}

extension SQLStatement: CustomStringConvertible {
  /// The text without the values.
  public var description: String { sql }
}

// MARK: - Compiling

extension SQLStatement {
  /// The statement in the SQL of a database.
  package func compiled(for dialect: any Dialect) -> CompiledStatement {
    var sql = ""
    var bound = BoundValues()
    func bind(_ binding: Binding) -> String {
      bound.append(binding)
      return dialect.placeholder(bound.values.count)
    }
    for part in parts {
      switch part {
      case .text(let text): sql += text
      case .identifier(let name): sql += dialect.quoted(name)
      case .value(let value): sql += bind(.value(value))
      case .list(let values) where values.count <= dialect.inlineListCount:
        sql += "(\(values.map { bind(.value($0)) }.joined(separator: ", ")))"
      case .list(let values):
        // One value, so that there is no end to the list: SQLite binds 32,766 at most, PostgreSQL 65,535.
        let list = dialect.list(values) { make in make(values).map(bind) ?? "NULL" }
        sql += "(\(list))"
      }
    }
    return CompiledStatement(StatementText(sql), bound)
  }
}

extension SQLStatement {
  /// The statement with its values as literals, for what takes no bound ones.
  ///
  /// - Throws: ``/Repository/RepositoryError`` where a value can't be bound.
  package func inlined(for dialect: any Dialect) throws(RepositoryError) -> String {
    try checkValues()
    return parts.map { part in
      switch part {
      case .text(let text): text
      case .identifier(let name): dialect.quoted(name)
      case .value(let value): dialect.constant(value)
      case .list(let values): "(\(values.map(dialect.constant).joined(separator: ", ")))"
      }
    }.joined()
  }
}

// MARK: - Interpolation

extension SQLStatement: ExpressibleByStringInterpolation {
  /// Makes a statement of a text in the program.
  public init(stringLiteral value: String) { self.init(verbatim: value) }

  /// Makes a statement of a text and values in the program.
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.statement }

  /// Puts a statement together.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var statement = SQLStatement()

    /// Begins a statement.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds literal SQL text.
    public mutating func appendLiteral(_ literal: String) { statement.write(literal) }

    /// Adds a value.
    @_disfavoredOverload  // An array literal is a list, not the bytes of a blob.
    public mutating func appendInterpolation(_ value: some ValueConvertible) {
      appendInterpolation(statement.bindable(value))
    }

    /// Adds a value of any kind.
    public mutating func appendInterpolation(_ value: Value) { statement.parts.append(.value(value)) }

    /// Adds a list of any length, between parentheses: `WHERE id IN \([1, 2, 3])`.
    public mutating func appendInterpolation<Element: ValueConvertible>(_ values: [Element]) {
      append(list: values)
    }

    /// Adds a set of any size, between parentheses.
    public mutating func appendInterpolation<Element: ValueConvertible>(_ values: Set<Element>) {
      append(list: values)
    }

    private mutating func append(list: some Collection<some ValueConvertible>) {
      var values: [Value] = []
      values.reserveCapacity(list.count)
      for element in list { values.append(statement.bindable(element)) }
      statement.parts.append(.list(values))
    }

    /// Adds bytes as one value.
    public mutating func appendInterpolation(blob bytes: some Sequence<UInt8>) {
      appendInterpolation(Value.blob(Array(bytes)))
    }

    /// Adds bytes as one value.
    public mutating func appendInterpolation(_ data: Data) { appendInterpolation(blob: data) }

    /// Adds a statement as a part of this one. It has a label, so that a text literal is always a value.
    public mutating func appendInterpolation(part statement: SQLStatement) { self.statement.append(statement) }

    /// Adds the name of a table or a column, quoted.
    public mutating func appendInterpolation(identifier name: String) { statement.parts.append(.identifier(name)) }

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
