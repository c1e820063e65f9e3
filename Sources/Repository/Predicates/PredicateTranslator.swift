#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

/// A translator of the expressions of one predicate, from the outermost to the innermost.
struct PredicateTranslator {
  /// The maximum depth of nested expressions; a side of `&&` is a level of its own. Translating them takes stack, of which a
  /// thread may have no more than 512 kB; this depth takes half of that in a debug build.
  static let maximumDepth = 64

  private let table: TableSchema
  private let key: (AnyKeyPath) -> String
  private var terms: [PredicateExpressions.VariableID: PredicateTerm]
  private var depth = 0

  init<Element: Storable>(
    _ schema: Schema<Element>, variable: PredicateExpressions.Variable<Element>
  ) throws(QueryError) {
    do throws(RepositoryError) {
      table = try schema.table()
    } catch {
      throw QueryError(.invalidSchema, error.summary, reason: error.reason, suggestion: error.suggestion)
    }
    key = schema.key(of:)
    terms = [variable.key: .property(RowProperty(of: Element.self))]
  }

  /// Returns the same translator within a closure, with its variable.
  func binding<Bound>(_ variable: PredicateExpressions.Variable<Bound>, to term: PredicateTerm) -> PredicateTranslator {
    var inner = self
    inner.terms[variable.key] = term
    return inner
  }

  /// Returns the term of a variable.
  func term(of variable: PredicateExpressions.VariableID) -> PredicateTerm? { terms[variable] }

  /// Returns the term of an expression.
  ///
  /// The expression is passed by reference: it contains all of its parts in place, and copies of a deep one would fill the
  /// stack.
  func term(of expression: any PredicateExpression) throws(QueryError) -> PredicateTerm {
    guard let translatable = expression as? any TranslatableExpression else { throw .unsupported(expression) }
    if depth == Self.maximumDepth {
      throw QueryError(
        .tooComplex, "the predicate nests expressions deeper than \(Self.maximumDepth) levels",
        suggestion: "make a query of each part, and combine the queries with && and ||")
    }
    var inner = self
    inner.depth += 1
    return try translatable.term(in: inner)
  }
}

extension PredicateTranslator {
  /// Returns the key of a property.
  func key(of property: RowProperty) throws(QueryError) -> String {
    if let key = knownKey(of: property) { return key }
    for owner in property.owners {
      if let key = knownKey(of: owner) { throw .noColumn(for: property, of: (owner, key), in: table) }
    }
    throw .noColumn(for: property, of: nil, in: table)
  }

  /// Returns the key of a property; `nil` if it has no column.
  func knownKey(of property: RowProperty) -> String? {
    guard let path = property.path else { return nil }
    let key = key(path)
    return (try? table.position(of: key)).map { _ in key }
  }

  /// Returns a term as one side of a comparison.
  ///
  /// - Parameters:
  ///   - type: the type of the expression whose term it is.
  ///   - expression: that expression, for the error.
  func operand<Output>(
    _ term: PredicateTerm, as type: Output.Type, of expression: @autoclosure () -> Any
  ) throws(QueryError) -> PredicateOperand {
    switch term {
    case .constant(let constant as Output): return PredicateOperand(.value(try Value(storing: constant)))
    case .property(let property): return PredicateOperand(.key(.key(try key(of: property))))
    case .operand(let operand): return operand
    case .truth, .range, .constant: throw .unsupported(expression())
    }
  }

  /// Returns a term as a `Bool` or a `Bool?`.
  ///
  /// - Parameter type: the type of the expression whose term it is.
  func truth<Output>(
    _ term: PredicateTerm, as type: Output.Type, of expression: @autoclosure () -> Any
  ) throws(QueryError) -> PredicateTruth {
    switch term {
    case .truth(let truth): return truth
    case .constant(let constant): return PredicateTruth(constant as? Bool)
    case .property, .operand, .range: break
    }
    let operand = try operand(term, as: type, of: expression())
    return PredicateTruth(
      try operand.compared(by: .equal, with: PredicateOperand(.value(true))),
      isNil: type == Bool.self ? .false : try operand.isNull)
  }

  /// Returns the query of an expression where Swift expects a `Bool`.
  func condition(_ expression: any PredicateExpression<Bool>) throws(QueryError) -> AnyQuery {
    try truth(try term(of: expression), as: Bool.self, of: expression).holds
  }
}

/// An expression of a predicate that can be translated.
///
/// Foundation's expressions conform one by one, which is tested at run time: an expression that does not conform, because it is
/// of a later version or has no equivalent, is refused by name.
protocol TranslatableExpression {
  /// Returns the term of the expression.
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm
}

/// The translation of a predicate's expression.
enum PredicateTerm {
  /// A constant of the expression's own type.
  case constant(Any)
  /// A property of the row.
  case property(RowProperty)
  /// The first of several columns and values that is not null.
  case operand(PredicateOperand)
  /// Conditions: a `Bool`, or a `Bool?`.
  case truth(PredicateTruth)
  /// A range with a bound that is not constant.
  case range([PredicateLimit])
}

extension PredicateTerm {
  /// Returns whether both terms are the same columns and values, as far as that is known.
  func isSameOperand(as other: PredicateTerm) -> Bool {
    switch (self, other) {
    case (.property(let lhs), .property(let rhs)): lhs.path != nil && lhs.path == rhs.path
    case (.operand(let lhs), .operand(let rhs)): lhs.isSame(as: rhs)
    default: false
    }
  }
}

/// A `Bool` of a predicate, or a `Bool?` from an optional chain: `$0.nick?.contains("a")`.
struct PredicateTruth {
  /// The query for the rows in which the truth is true.
  let holds: AnyQuery
  /// The query for the rows in which the truth is `nil`; no row matches both queries.
  let isNil: AnyQuery

  init(_ holds: AnyQuery, isNil: AnyQuery = .false) {
    self.holds = holds
    self.isNil = isNil
  }

  /// Makes a constant truth.
  init(_ constant: Bool?) {
    self.init(.constant(constant == true), isNil: .constant(constant == nil))
  }

  /// The query for the rows in which the truth is false.
  private var fails: AnyQuery { .both(.opposite(isNil), .opposite(holds)) }

  /// Returns the query for the rows in which both truths are equal.
  func isEqual(to other: PredicateTruth) -> AnyQuery {
    .either(.either(.both(isNil, other.isNil), .both(holds, other.holds)), .both(fails, other.fails))
  }

  /// Makes the truth `lhs ?? rhs`.
  static func ?? (lhs: PredicateTruth, rhs: PredicateTruth) -> PredicateTruth {
    PredicateTruth(.either(lhs.holds, .both(lhs.isNil, rhs.holds)), isNil: .both(lhs.isNil, rhs.isNil))
  }
}
