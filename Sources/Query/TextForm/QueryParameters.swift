/// The parameters of a text: their names and values.
package struct QueryParameters {
  /// A text without parameters.
  package static var none: QueryParameters { QueryParameters([]) { _ in .null } }

  private let names: Set<Name>
  /// Whether each has to occur in the text, rather than in another one that is read with the same parameters.
  private let areRequired: Bool
  private let value: (ParameterOccurrence) -> Value
  private var used: Set<Name> = []
  /// How many occurrences were read.
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

  /// The value for one occurrence of a parameter; `nil` for an unknown one.
  mutating func value(of occurrence: ParameterOccurrence) -> Value? {
    guard names.contains(Name(occurrence.name)) else { return nil }
    used.insert(Name(occurrence.name))
    count += 1
    return value(occurrence)
  }

  /// A parameter that the text had to name and did not; the first by the alphabet, so that an error is the same each time.
  var unused: String? { areRequired ? names.subtracting(used).min()?.text : nil }

  /// What may have been meant by a name that no parameter has.
  func suggestion(for name: String) -> String? {
    NearestName.nearest(to: name, in: names.sorted().map(\.text)).map { "did you mean :\($0)?" }
  }
}

/// An occurrence of a parameter in a text.
package struct ParameterOccurrence: Hashable, Sendable {
  /// The parameter's name, without its colon.
  package let name: String
  /// What is done with its value.
  package let use: ParameterUse
  /// The tables about whose rows the text is there, the innermost last; none for the text's own table.
  package let tables: [String]
  /// Where it stands in the text's UTF-8.
  package let offset: Int
}

/// What is done with the value of a parameter, from which the type of the value follows.
package enum ParameterUse: Hashable, Sendable {
  /// It is compared with another value, or takes the place of one.
  case compared(AnyExpression)
  /// Something is made of it that is made of texts alone.
  case text
  /// Something is made of it that is made of numbers alone.
  case number
  /// Nothing tells.
  case any
}

extension ExpressionFunction {
  /// What is done with the arguments.
  var argumentUse: ParameterUse {
    switch self {
    case .add, .subtract, .multiply, .divide, .remainder, .negate, .abs, .floor, .ceiling: .number
    case .concatenate, .length, .folded: .text
    case .year, .month, .day, .hour, .minute, .second, .weekday, .date, .yearMonth: .text
    case .coalesce: .any
    }
  }
}

extension AnyQuery {
  /// What is done with the value on the left of a condition, perhaps a negated one.
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
  /// Takes the current token if it is a text, be it a literal or a parameter.
  ///
  /// - Throws: ``ParseError`` for a parameter that has no value or is no text.
  mutating func acceptText() throws(ParseError) -> String? {
    switch reader.current.kind {
    case .literal(.text(let text)):
      reader.advance()
      return text
    case .parameter:
      let token = reader
      guard case .text(let text) = try parameter(.text) else {
        throw token.error(expected: "a text", reason: "the parameter's value is none")
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
        reason: "it has a value, and stands nowhere in the text")
    }
  }

  mutating func parameter(_ use: ParameterUse) throws(ParseError) -> Value {
    let name = String(reader.spelling(of: reader.current).dropFirst())
    let occurrence = ParameterOccurrence(
      name: name, use: use, tables: relatedTables, offset: reader.current.range.lowerBound)
    guard let value = parameters.value(of: occurrence) else {
      throw reader.error(
        expected: use == .text ? "a text" : "a value", reason: "the parameter has no value",
        suggestion: parameters.suggestion(for: name))
    }
    reader.advance()
    return value
  }
}

extension TableSchema {
  /// What a parameter is compared with, as a column; `nil` where nothing tells its type.
  ///
  /// - Parameter tables: finds the other tables that the text leads to.
  package func comparand(of occurrence: ParameterOccurrence, with tables: @escaping TableLookup) -> ColumnSchema? {
    guard case .compared(let expression) = occurrence.use else { return nil }
    var table = self
    for name in occurrence.tables {
      guard let related = try? tables(name) else { return nil }
      table = related
    }
    var resolver = ScopeResolver(table, tables)
    // An aggregate of a group is of the type that it has of related rows.
    guard case .group(let aggregate) = expression.form else {
      return (try? resolver.position(of: expression)).map { resolver.scope.column($0) }
    }
    guard aggregate.function == .min || aggregate.function == .max, let key = aggregate.key else {
      return ColumnSchema("", .real)
    }
    return (try? resolver.position(of: key)).map { resolver.scope.column($0) }
  }
}
