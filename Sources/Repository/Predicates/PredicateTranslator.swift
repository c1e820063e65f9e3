#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

/// Turns the expressions of one predicate, from the outer ones to the inner ones.
struct PredicateTranslator {
  /// How deep expressions may be nested; a side of `&&` is a level of its own. Turning them takes stack, of which a
  /// thread may have no more than 512 kB, and of which this depth takes half of that in a debug build.
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

  /// The same translator in a closure, whose variable it knows.
  func binding<Bound>(_ variable: PredicateExpressions.Variable<Bound>, to term: PredicateTerm) -> PredicateTranslator {
    var inner = self
    inner.terms[variable.key] = term
    return inner
  }

  /// The term of a variable.
  func term(of variable: PredicateExpressions.VariableID) -> PredicateTerm? { terms[variable] }

  /// What an expression is for a row.
  ///
  /// It is passed on behind a reference: an expression holds all that are within it, in place, and copies of deep ones
  /// would fill the stack.
  func term(of expression: any PredicateExpression) throws(QueryError) -> PredicateTerm {
    guard let translatable = expression as? any TranslatableExpression else { throw .unsupported(expression) }
    if depth == Self.maximumDepth {
      throw QueryError(
        .tooComplex, "the predicate is nested deeper than \(Self.maximumDepth) expressions",
        suggestion: "make a query of each part, and join them with && and ||")
    }
    var inner = self
    inner.depth += 1
    return try translatable.term(in: inner)
  }
}

extension PredicateTranslator {
  /// The key under which a property is found.
  func key(of property: RowProperty) throws(QueryError) -> String {
    if let key = knownKey(of: property) { return key }
    for owner in property.owners {
      if let key = knownKey(of: owner) { throw .noColumn(for: property, of: (owner, key), in: table) }
    }
    throw .noColumn(for: property, of: nil, in: table)
  }

  /// The key under which a property is found; `nil` if it has no column.
  func knownKey(of property: RowProperty) -> String? {
    guard let path = property.path else { return nil }
    let key = key(path)
    return (try? table.position(of: key)).map { _ in key }
  }

  /// Takes a term for one side of a comparison.
  ///
  /// - Parameters:
  ///   - type: the type of the expression whose term it is.
  ///   - expression: that expression, for the case that it can't be.
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

  /// Takes a term for a `Bool` or a `Bool?`.
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
      try operand.isRelated(.equal, to: PredicateOperand(.value(true))),
      isNil: type == Bool.self ? .false : try operand.isNull)
  }

  /// What an expression is in a place where Swift wants a `Bool`.
  func condition(_ expression: any PredicateExpression<Bool>) throws(QueryError) -> AnyQuery {
    try truth(try term(of: expression), as: Bool.self, of: expression).holds
  }
}

/// An expression of a predicate that a query may be able to say.
///
/// Foundation's expressions conform one by one, and are found to do so at run time: one that does not, because it is of
/// a later version or of no use here, is refused by name.
protocol TranslatableExpression {
  /// What the expression is for a row.
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm
}

/// What an expression of a predicate is for a row, as far as a query can say it.
enum PredicateTerm {
  /// The same for every row, of the expression's own type.
  case constant(Any)
  /// A property of the row.
  case property(RowProperty)
  /// The first of several columns and values that is not null.
  case operand(PredicateOperand)
  /// Conditions: a `Bool`, or a `Bool?`.
  case truth(PredicateTruth)
  /// A range, of which a bound is not the same for every row.
  case range([PredicateLimit])
}

extension PredicateTerm {
  /// Whether both terms are the same columns and values, as far as that can be told.
  func isSameOperand(as other: PredicateTerm) -> Bool {
    switch (self, other) {
    case (.property(let lhs), .property(let rhs)): lhs.path != nil && lhs.path == rhs.path
    case (.operand(let lhs), .operand(let rhs)): lhs.isSame(as: rhs)
    default: false
    }
  }
}

/// A `Bool` of a predicate, or a `Bool?`, which optional chains make: `$0.nick?.contains("a")`.
struct PredicateTruth {
  /// Where it is true.
  let holds: AnyQuery
  /// Where it is `nil`; it is never both.
  let isNil: AnyQuery

  init(_ holds: AnyQuery, isNil: AnyQuery = .false) {
    self.holds = holds
    self.isNil = isNil
  }

  /// Makes a truth that is the same for every row.
  init(_ constant: Bool?) {
    self.init(.constant(constant == true), isNil: .constant(constant == nil))
  }

  /// Where it is false.
  private var fails: AnyQuery { .both(.opposite(isNil), .opposite(holds)) }

  /// Where it is the same as another.
  func isEqual(to other: PredicateTruth) -> AnyQuery {
    .either(.either(.both(isNil, other.isNil), .both(holds, other.holds)), .both(fails, other.fails))
  }

  /// Makes the truth `lhs ?? rhs`.
  static func ?? (lhs: PredicateTruth, rhs: PredicateTruth) -> PredicateTruth {
    PredicateTruth(.either(lhs.holds, .both(lhs.isNil, rhs.holds)), isNil: .both(lhs.isNil, rhs.isNil))
  }
}
