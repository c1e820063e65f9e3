import ErrorDetails

/// The parameters of a text: their names and values.
package struct QueryParameters {
  /// A text without parameters.
  package static var none: QueryParameters { QueryParameters([]) { _ in .null } }

  private let names: Set<Name>
  /// Whether each parameter has to occur in this text, rather than in any of several texts that are parsed with the same
  /// parameters.
  private let areRequired: Bool
  private let value: (ParameterOccurrence) -> Value
  private var used: Set<Name> = []
  /// The number of occurrences that were read.
  private(set) var count = 0

  /// Parameters whose values depend on where they occur.
  package init(_ names: Set<Name>, areRequired: Bool = true, value: @escaping (ParameterOccurrence) -> Value) {
    (self.names, self.areRequired, self.value) = (names, areRequired, value)
  }

  /// Parameters by their names without the colon.
  init(_ values: [String: Value]) {
    let values = Dictionary(values.map { (Name($0), $1) }, uniquingKeysWith: { first, _ in first })
    self.init(Set(values.keys)) { values[Name($0.name)] ?? .null }
  }

  /// Returns the value for one occurrence of a parameter; `nil` for an unknown parameter.
  mutating func value(of occurrence: ParameterOccurrence) -> Value? {
    guard names.contains(Name(occurrence.name)) else { return nil }
    used.insert(Name(occurrence.name))
    count += 1
    return value(occurrence)
  }

  /// A parameter that has to occur in the text and does not; the first in order, so that the error is deterministic.
  var unused: String? { areRequired ? names.subtracting(used).min()?.text : nil }

  /// Returns the parameter that was probably intended by an unknown name.
  func suggestion(for name: String) -> String? {
    NearestName.nearest(to: name, in: names.sorted().map(\.text)).map { "did you mean :\($0)?" }
  }
}

/// An occurrence of a parameter in a text.
package struct ParameterOccurrence: Hashable, Sendable {
  /// The parameter's name, without its colon.
  package let name: String
  /// The use of its value.
  package let use: ParameterUse
  /// The tables whose rows the position refers to, the innermost last; empty for the text's own table.
  package let tables: [String]
  /// The offset in the text's UTF-8.
  package let offset: Int
}

/// The use of a parameter's value, which determines its type.
package enum ParameterUse: Hashable, Sendable {
  /// A comparison with an expression, or an alternative to one, as in `coalesce(name, :name)`.
  case compared(AnyExpression)
  /// An operand of an operation on texts only.
  case text
  /// An operand of an operation on numbers only.
  case number
  /// A use that determines no type.
  case any
}

extension ExpressionFunction {
  /// The use of one of the function's arguments.
  func argumentUse(at index: Int = 0) -> ParameterUse {
    if self == .coalesce { return .any }
    if isArithmetic { return .number }
    switch self {
    case .substring, .addDays, .addMonths: return index == 0 ? .text : .number
    case .part: return index < 2 ? .text : .number
    default: return .text
    }
  }
}

extension AnyQuery {
  /// The use of the value on the left of a condition, which may be negated.
  var useOfKey: ParameterUse {
    switch form {
    case .not(let query): query.useOfKey
    case .condition(.text): .text
    case .condition(let condition):
      switch condition.operands.first {
      case .key(let other): .compared(other)
      case .value(.text): .text
      case .value(.integer), .value(.real): .number
      default: .any
      }
    case .and, .or: .any
    }
  }
}

extension QueryParser {
  /// Consumes the current token if it is a text, either a literal or a parameter.
  ///
  /// - Throws: ``ParseError`` for a parameter that has no value or is not a text.
  mutating func acceptText() throws(ParseError) -> String? {
    switch reader.current.kind {
    case .literal(.text(let text)):
      reader.advance()
      return text
    case .parameter:
      let token = reader
      guard case .text(let text) = try parameter(.text) else {
        throw token.error(expected: "text", reason: "the value of the parameter is missing")
      }
      return text
    default:
      return nil
    }
  }

  /// - Returns: the error for a parameter that has a value and does not occur in the text, if there is one.
  func unusedParameterError() -> ParseError? {
    parameters.unused.map { name in
      reader.error(
        expected: "the parameter `:\(VisibleText.excerpt(of: Array(name.utf8)[...]))` in the query",
        reason: "the parameter has a value, but does not occur in the text")
    }
  }

  mutating func parameter(_ use: ParameterUse) throws(ParseError) -> Value {
    let name = String(reader.spelling(of: reader.current).dropFirst())
    let occurrence = ParameterOccurrence(
      name: name, use: use, tables: relatedTables, offset: reader.current.range.lowerBound)
    guard let value = parameters.value(of: occurrence) else {
      throw reader.error(
        expected: use == .text ? "text" : "a value", reason: "the parameter has no value",
        suggestion: parameters.suggestion(for: name))
    }
    reader.advance()
    return value
  }
}

extension TableSchema {
  /// Returns what a parameter is compared with, as a column; `nil` if its type is not determined.
  ///
  /// - Parameter tables: the lookup of the other tables that the text leads to.
  package func comparand(of occurrence: ParameterOccurrence, with tables: @escaping TableLookup) -> ColumnSchema? {
    guard case .compared(let expression) = occurrence.use else { return nil }
    var table = self
    for name in occurrence.tables {
      guard let related = try? tables(name) else { return nil }
      table = related
    }
    var resolver = ScopeResolver(table, tables)
    // An aggregate of a group has no position in the scope of a row: `min` and `max` have the type of their key, and all other
    // aggregates are numbers.
    guard case .group(let aggregate) = expression.form else {
      return (try? resolver.position(of: expression)).map { resolver.scope.column($0) }
    }
    guard aggregate.function == .min || aggregate.function == .max, let key = aggregate.key else {
      return ColumnSchema("", .real)
    }
    return (try? resolver.position(of: key)).map { resolver.scope.column($0) }
  }
}
