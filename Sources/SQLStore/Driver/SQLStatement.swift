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
/// Interpolated values are bound, whatever they contain. Names are interpolated as such: `\(identifier: "order")`. A list
/// includes its parentheses: `WHERE id IN \([1, 2, 3])`; bytes are one value: `\(blob: bytes)`. Another statement becomes a
/// part of this one by `\(part: statement)`.
///
/// The statement is independent of the database: the database that runs it determines the dialect of names and placeholders.
public struct SQLStatement: Hashable, Sendable {
  /// A part of a statement.
  private enum Part: Hashable, Sendable {
    case text(String)
    case identifier(String)
    case value(Value)
    case list([Value])
  }

  private var parts: [Part] = []
  /// The error of the first value that can't be bound, as interpolation can't throw.
  private(set) var fault: ValueError?

  /// Makes a statement from a text that was not written in the program, such as user input.
  ///
  /// The text is used unchanged: it must not be composed from values.
  public init(verbatim sql: String) { write(sql) }

  package init() {}

  /// The text in standard SQL, with `?` for each value. A database receives its own placeholders, such as `$1`.
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

  /// Whether the statement is empty.
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

  /// Returns the value to bind; null, with the error recorded, if it can't be bound.
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
  /// Returns the statement in the SQL of a database.
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
      case .list([]): dialect.writeEmptyList(behind: &sql)
      case .list(let values) where values.count <= dialect.inlineListCount:
        sql += "(\(values.map { bind(.value($0)) }.joined(separator: ", ")))"
      case .list(let values):
        // The list is bound as one value, so that it may have any length: SQLite binds 32,766 values at most, PostgreSQL
        // 65,535.
        let list = dialect.list(values) { make in make(values).map(bind) ?? "NULL" }
        sql += "(\(list))"
      }
    }
    return CompiledStatement(StatementText(sql), bound)
  }
}

extension SQLStatement {
  /// Returns the statement with its values as literals, for statements that take no bound values.
  ///
  /// - Throws: ``/Repository/RepositoryError`` if a value can't be bound.
  package func inlined(for dialect: any Dialect) throws(RepositoryError) -> String {
    try checkValues()
    var sql = ""
    for part in parts {
      switch part {
      case .text(let text): sql += text
      case .identifier(let name): sql.append(dialect.quoted(name))
      case .value(let value): sql += dialect.plainLiteral(value)
      case .list([]): dialect.writeEmptyList(behind: &sql)
      case .list(let values): sql += "(\(values.map(dialect.plainLiteral).joined(separator: ", ")))"
      }
    }
    return sql
  }
}

extension Dialect {
  /// Writes a list without values behind `IN` or `NOT IN`.
  ///
  /// SQLite accepts `()`. PostgreSQL's grammar does not: an array without elements has the type of the value before.
  /// https://www.postgresql.org/docs/current/functions-comparisons.html
  fileprivate func writeEmptyList(behind sql: inout String) {
    let words = sql.split(whereSeparator: \.isWhitespace).suffix(2).map { $0.uppercased() }
    guard !acceptsEmptyLists, words.last == "IN" else {
      sql += "()"
      return
    }
    func dropWord() {
      while sql.last?.isWhitespace == true { sql.removeLast() }
      while let last = sql.last, !last.isWhitespace { sql.removeLast() }
    }
    dropWord()
    if words.first == "NOT", words.count == 2 { dropWord() }
    sql += words.first == "NOT" ? "<> ALL ('{}')" : "= ANY ('{}')"
  }
}

// MARK: - Interpolation

extension SQLStatement: ExpressibleByStringInterpolation {
  /// Makes a statement from a text in the program.
  public init(stringLiteral value: String) { self.init(verbatim: value) }

  /// Makes a statement from a text and values in the program.
  public init(stringInterpolation: Interpolation) { self = stringInterpolation.statement }

  /// The interpolation of a statement.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var statement = SQLStatement()

    /// Makes an empty interpolation.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Appends literal SQL text.
    public mutating func appendLiteral(_ literal: String) { statement.write(literal) }

    /// Appends a value; `nil` is null.
    ///
    /// The parameter is an optional, so that the compiler does not warn of a description of `nil`.
    @_disfavoredOverload  // An array literal is a list, not the bytes of a blob.
    public mutating func appendInterpolation<Wrapped: ValueConvertible>(_ value: Wrapped?) {
      appendInterpolation(statement.bindable(value))
    }

    /// Appends a value of any kind.
    public mutating func appendInterpolation(_ value: Value) { statement.parts.append(.value(value)) }

    /// Appends a list of any length, in parentheses: `WHERE id IN \([1, 2, 3])`.
    public mutating func appendInterpolation<Element: ValueConvertible>(_ values: [Element]) {
      append(list: values)
    }

    /// Appends a set of any size, in parentheses.
    public mutating func appendInterpolation<Element: ValueConvertible>(_ values: Set<Element>) {
      append(list: values)
    }

    private mutating func append(list: some Collection<some ValueConvertible>) {
      var values: [Value] = []
      values.reserveCapacity(list.count)
      for element in list { values.append(statement.bindable(element)) }
      statement.parts.append(.list(values))
    }

    /// Appends bytes as one value.
    public mutating func appendInterpolation(blob bytes: some Sequence<UInt8>) {
      appendInterpolation(Value.blob(Array(bytes)))
    }

    /// Appends data as one value.
    public mutating func appendInterpolation(_ data: Data) { appendInterpolation(blob: data) }

    /// Appends a statement as a part of this one. The argument has a label, so that a text literal is always a value.
    public mutating func appendInterpolation(part statement: SQLStatement) { self.statement.append(statement) }

    /// Appends the name of a table or a column, quoted.
    public mutating func appendInterpolation(identifier name: String) { statement.parts.append(.identifier(name)) }

    /// Appends the name of a model type's table, quoted.
    public mutating func appendInterpolation<Element: Entity>(table type: Element.Type) {
      do throws(RepositoryError) {
        appendInterpolation(identifier: try type.schema.table().name)
      } catch {
        statement.fault = statement.fault ?? ValueError(error.summary, suggestion: error.suggestion)
      }
    }
  }
}
