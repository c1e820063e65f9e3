/// An expression that has a value for each row: a key, a constant, an operation on others, or a function of related rows.
///
/// ```swift
/// let volume = AnyExpression.key("width") * .key("height")
/// let query = AnyQuery.compare(volume, .greaterThan, 100)
/// query.description  // width * height > 100
/// ```
///
/// An expression may appear wherever a key does: in conditions on either side, in sorts, groups, aggregates and assignments.
/// Like a query, it is a value that knows no model type and no store. The semantics of each form are part of the contract,
/// see <doc:Semantics>.
public struct AnyExpression: Sendable {
  /// The form of an expression.
  public enum Form: Sendable {
    /// The value of a column.
    case key(String)
    /// A column of the row that references lead to: the referring columns, and the column at the end.
    case path([String])
    /// A value that is the same for every row.
    case value(Value)
    /// A function applied to other expressions.
    case function(ExpressionFunction, [AnyExpression])
    /// One of two expressions, depending on whether the row matches a query.
    case conditional(AnyQuery, then: AnyExpression, else: AnyExpression)
    /// An aggregate of the rows that refer to this row: of an expression's values, or, without an expression, the number of
    /// rows.
    case aggregate(AnyAggregate.Function, AnyExpression?, RelatedRows)
    /// A test of whether there are rows that refer to this row: 1 or 0.
    case exists(RelatedRows)
    /// An aggregate of the rows of a group, for conditions on groups.
    case group(AnyAggregate)
    /// An expression that is not valid; resolving it throws the error.
    case invalid(QueryError)
  }

  /// The maximum nesting depth of an expression. Chained operations of one kind, as in `a + b + c`, count as one level.
  public static let maximumDepth = 16

  /// The maximum number of references in a path.
  public static let maximumPathLength = 8

  /// The maximum number of parts of an expression.
  public static let maximumPartCount = 500

  /// Almost all expressions are plain keys, which are stored without an allocation.
  private enum Storage: Sendable {
    case key(String)
    case node(Node)
  }

  private final class Node: Sendable {
    let form: Form
    let depth: Int
    let partCount: Int
    let needsOtherTables: Bool

    init(_ form: Form, depth: Int, partCount: Int) {
      (self.form, self.depth, self.partCount) = (form, depth, partCount)
      switch form {
      case .path, .aggregate, .exists: needsOtherTables = true
      case .key, .value, .invalid, .function, .conditional, .group:
        let (queries, expressions) = form.operands
        needsOtherTables =
          queries.contains(where: \.needsOtherTables) || expressions.contains(where: \.needsOtherTables)
      }
    }
  }

  private let storage: Storage

  /// Makes an expression of the given form.
  ///
  /// An expression that is nested too deep or has too many parts is ``Form/invalid(_:)``, so that no expression takes more
  /// stack than a thread has.
  public init(_ form: Form) {
    switch form {
    case .key(let key):
      self.init(storage: .key(key))
    case .path(let steps) where steps.count == 1:
      self.init(storage: .key(steps[0]))
    // A chain of one operator is one operation, however it was built.
    case .function(let function, let arguments) where function.isOperator:
      if case .function(function, let first)? = arguments.first?.form {
        self.init(checked: .function(function, first + arguments.dropFirst()))
      } else {
        self.init(checked: form)
      }
    default:
      self.init(checked: form)
    }
  }

  private init(checked form: Form) {
    let (depth, partCount) = form.size
    let fault: String? =
      switch form {
      case _ where depth > Self.maximumDepth: "the expression is nested deeper than \(Self.maximumDepth) levels"
      case _ where partCount > Self.maximumPartCount: "the expression has more than \(Self.maximumPartCount) parts"
      case .path(let steps) where steps.count > Self.maximumPathLength + 1:
        "the path follows more than \(Self.maximumPathLength) references"
      default: nil
      }
    if let fault {
      self.init(
        fault: QueryError(.tooComplex, fault, suggestion: "split the expression, or store a part in a column"))
      return
    }
    switch form {
    case .function(let function, let arguments) where !function.argumentCount.contains(arguments.count):
      self.init(
        fault: QueryError(
          .invalidValue,
          "\(function.rawValue) can't have \(arguments.count) argument\(arguments.count == 1 ? "" : "s")",
          suggestion: "write \(function.signature)"))
    case .path(let steps) where steps.isEmpty:
      self.init(fault: QueryError(.unknownKey, "a path has no steps"))
    default:
      self.init(storage: .node(Node(form, depth: depth, partCount: partCount)))
    }
  }

  private init(fault: QueryError) { self.init(storage: .node(Node(.invalid(fault), depth: 0, partCount: 1))) }

  private init(storage: Storage) {
    self.storage = storage
  }

  /// The form of this expression.
  public var form: Form {
    switch storage {
    case .key(let key): .key(key)
    case .node(let node): node.form
    }
  }

  /// Returns the expression for the value of a column.
  public static func key(_ key: String) -> AnyExpression { AnyExpression(.key(key)) }

  /// Returns the expression for an aggregate of the rows of a group, for ``AggregateRequest/having``.
  ///
  /// ```swift
  /// let many = AnyQuery.compare(.group(.count), .greaterThan, 3)
  /// many.description  // count() > 3
  /// ```
  public static func group(_ aggregate: AnyAggregate) -> AnyExpression { AnyExpression(.group(aggregate)) }

  /// The name of the key, if the expression is only a key.
  public var plainKey: String? {
    if case .key(let key) = storage { key } else { nil }
  }

  /// The reason why the expression, or a part of it, is not valid; `nil` for a valid expression.
  var fault: QueryError? {
    switch form {
    case .invalid(let error): return error
    case .value(let value): return value.isNaN ? .invalidValue(.notANumber) : nil
    case .key, .path, .function, .conditional, .aggregate, .exists, .group:
      let (queries, expressions) = form.operands
      return queries.lazy.compactMap(\.fault).first ?? expressions.lazy.compactMap(\.fault).first
    }
  }

  var depth: Int {
    if case .node(let node) = storage { node.depth } else { 0 }
  }

  /// Whether the value depends on rows of other tables.
  package var needsOtherTables: Bool {
    if case .node(let node) = storage { node.needsOtherTables } else { false }
  }

  var partCount: Int {
    if case .node(let node) = storage { node.partCount } else { 1 }
  }
}

extension AnyExpression.Form {
  /// The queries and the expressions that the form is made of, in the order in which they are evaluated. Those of related
  /// rows have keys of another table.
  package var operands: (queries: [AnyQuery], expressions: [AnyExpression]) {
    switch self {
    case .key, .path, .value, .invalid: ([], [])
    case .function(_, let arguments): ([], arguments)
    case .conditional(let query, let then, let otherwise): ([query], [then, otherwise])
    case .aggregate(_, let expression, let rows): ([rows.query], expression.map { [$0] } ?? [])
    case .exists(let rows): ([rows.query], [])
    case .group(let aggregate): ([aggregate.query], aggregate.key.map { [$0] } ?? [])
    }
  }

  fileprivate var size: (depth: Int, partCount: Int) {
    switch self {
    case .key, .value, .invalid: return (0, 1)
    case .path(let steps): return (1, max(1, steps.count))
    case .function, .conditional, .aggregate, .exists, .group: break
    }
    let (queries, expressions) = operands
    let depths = expressions.map(\.depth) + queries.map(\.expressionDepth)
    let counts = expressions.map(\.partCount) + queries.map(\.partCount)
    return (
      1 + (depths.max() ?? 0),
      counts.reduce(1) { sum, count in
        min(sum, AnyExpression.maximumPartCount) + min(count, AnyExpression.maximumPartCount)
      }
    )
  }
}

extension AnyExpression: Hashable {
  /// Returns whether two expressions have the same structure, with keys of the same UTF-8 bytes.
  public static func == (lhs: AnyExpression, rhs: AnyExpression) -> Bool {
    switch (lhs.storage, rhs.storage) {
    case (.key(let lhs), .key(let rhs)): return Name(lhs) == rhs
    case (.node(let lhs), .node(let rhs)) where lhs === rhs: return true
    case (.node(let lhs), .node(let rhs)): return lhs.form == rhs.form
    case (.key, .node), (.node, .key): return false
    }
  }

  /// Hashes the components that `==` compares.
  public func hash(into hasher: inout Hasher) {
    switch form {
    case .key(let key):
      hasher.combine(Name(key))
    case .path(let steps):
      hasher.combine(steps.map(Name.init))
    case .value(let value):
      hasher.combine(value)
    case .function(let function, let arguments):
      hasher.combine(function)
      hasher.combine(arguments)
    case .conditional(let query, let then, let otherwise):
      hasher.combine(query)
      hasher.combine([then, otherwise])
    case .aggregate(let function, let expression, let rows):
      hasher.combine(function)
      hasher.combine(expression)
      hasher.combine(rows)
    case .exists(let rows):
      hasher.combine(rows)
    case .group(let aggregate):
      hasher.combine(aggregate)
    case .invalid(let error):
      hasher.combine(error)
    }
  }
}

extension AnyExpression.Form {
  fileprivate static func == (lhs: AnyExpression.Form, rhs: AnyExpression.Form) -> Bool {
    switch (lhs, rhs) {
    case (.key(let lhs), .key(let rhs)): return Name(lhs) == rhs
    case (.path(let lhs), .path(let rhs)): return lhs.map(Name.init) == rhs.map(Name.init)
    // 1 and 1.0 are equal values, but different expressions: with 1, division is that of integers.
    case (.value(let lhs), .value(let rhs)): return lhs.isIdentical(to: rhs)
    case (.function(let lhs, let lhsArguments), .function(let rhs, let rhsArguments)):
      return lhs == rhs && lhsArguments == rhsArguments
    case (.conditional(let lhs, let lhsThen, let lhsElse), .conditional(let rhs, let rhsThen, let rhsElse)):
      return lhs == rhs && lhsThen == rhsThen && lhsElse == rhsElse
    case (.aggregate(let lhs, let lhsExpression, let lhsRows), .aggregate(let rhs, let rhsExpression, let rhsRows)):
      return lhs == rhs && lhsExpression == rhsExpression && lhsRows == rhsRows
    case (.exists(let lhs), .exists(let rhs)): return lhs == rhs
    case (.group(let lhs), .group(let rhs)): return lhs == rhs
    case (.invalid(let lhs), .invalid(let rhs)): return lhs == rhs
    default: return false
    }
  }
}

extension AnyQuery {
  /// The reason why a condition of the query is not valid.
  fileprivate var fault: QueryError? {
    for condition in conditions {
      if case .invalid(let error) = condition { return .invalidValue(error) }
      var fault: QueryError?
      condition.forEachKey { fault = fault ?? $0.fault }
      if let fault { return fault }
      if condition.operands.contains(where: { $0.value?.isNaN == true }) { return .invalidValue(.notANumber) }
    }
    return nil
  }
}

/// The rows of a table that refer to a row, or those of them that match a query.
public struct RelatedRows: Hashable, Sendable {
  /// The name of the referring table.
  public let table: String
  /// The names of the referring columns; empty if the table has only one reference that applies.
  public let columns: [String]
  /// The query for the rows; its keys are those of ``table``.
  public let query: AnyQuery

  /// Makes a description of the rows that refer to a row.
  public init(_ table: String, by columns: [String] = [], where query: AnyQuery = .true) {
    (self.table, self.columns, self.query) = (table, columns, query)
  }

  /// Returns whether both have the same table and columns, by the bytes of their names, and the same query.
  public static func == (lhs: RelatedRows, rhs: RelatedRows) -> Bool {
    Name(lhs.table) == rhs.table && lhs.columns.map(Name.init) == rhs.columns.map(Name.init) && lhs.query == rhs.query
  }

  /// Hashes the components that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Name(table))
    hasher.combine(columns.map(Name.init))
    hasher.combine(query)
  }
}
