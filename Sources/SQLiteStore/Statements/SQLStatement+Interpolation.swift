#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import Query
public import Repository
import SQL

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

    /// Adds what stands in the program.
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
      statement.write(SQLiteStore.compiler.dialect.quoted(name))
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
  fileprivate mutating func bind<Element: ValueConvertible>(list: some Sequence<Element>) {
    var values = SQLStatement()
    for element in list { values.bind(element) }
    fault = fault ?? values.fault
    let dialect = SQLiteStore.compiler.dialect
    write("(")
    if values.bindings.count <= dialect.inlineListCount {
      for (index, value) in values.bindings.enumerated() {
        if index > 0 { write(", ") }
        bind(value)
      }
    } else {
      // One value, so that there is no end to the list: SQLite binds 32,766 at most.
      var whole: [Value] = []
      let list = dialect.list(values.bindings) { value in
        whole.append(value)
        return "?"
      }
      append(SQLStatement(sql: list, bindings: whole))
    }
    write(")")
  }
}
