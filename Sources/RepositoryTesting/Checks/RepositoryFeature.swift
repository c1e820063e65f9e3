package import Query

/// A feature that a repository may declare as unsupported.
///
/// A request that needs the feature is still made. The repository has to refuse the request with the code `unsupported` of
/// `RepositoryError`, or to answer it correctly; an incorrect answer violates the rule ``ConformanceReport/declarationRule``.
///
/// Saving one element can't be declared as unsupported, since the suite saves the elements of its questions: a read-only
/// repository can't be checked.
public struct RepositoryFeature: Hashable, Sendable {
  /// The feature in plain words, as in a report: "cursors".
  public let name: String

  /// Whether there are requests that can be refused for lack of the feature.
  let canBeRefused: Bool

  private init(_ name: String, canBeRefused: Bool = true) {
    self.name = name
    self.canBeRefused = canBeRefused
  }
}

// Features of requests.
extension RepositoryFeature {
  /// The support for any query except for all elements. Without this, all kinds of queries are unsupported.
  public static let queries = RepositoryFeature("queries")
  /// The support for null in a query: `habitat is null`, or null in a list or as a bound.
  public static let nullTests = RepositoryFeature("null in a query")
  /// The support for `<`, `<=`, `>` and `>=`.
  public static let orderComparisons = RepositoryFeature("<, <=, > and >=")
  /// The support for `between`.
  public static let between = RepositoryFeature("between")
  /// The support for `in`.
  public static let lists = RepositoryFeature("in")
  /// The support for `contains`, `starts with`, `ends with` and `like`. Without this, ``patterns`` and ``ignoringCase``
  /// are unsupported, too.
  public static let textOperators = RepositoryFeature("text operators")
  /// The support for `like`.
  public static let patterns = RepositoryFeature("like")
  /// The support for text operators that ignore case.
  public static let ignoringCase = RepositoryFeature("ignoring case")
  /// The support for comparisons of a key with another key of the same row.
  public static let keyComparisons = RepositoryFeature("key against key")
  /// The support for `and`.
  public static let conjunctions = RepositoryFeature("and")
  /// The support for `or`.
  public static let disjunctions = RepositoryFeature("or")
  /// The support for `not`.
  public static let negations = RepositoryFeature("not")
  /// The support for a connective within a connective of the other kind or within a negation: `not (a and b)`,
  /// `a and (b or c)`.
  public static let nesting = RepositoryFeature("nested queries")
  /// The support for expressions of several keys and values instead of a key.
  public static let expressions = RepositoryFeature("expressions")
  /// The support for expressions that lead to the rows of other tables.
  public static let relations = RepositoryFeature("relations")
  /// The support for requests that are too long for a URL: more than a hundred conditions, values or sort keys, or texts
  /// of more than two thousand bytes.
  public static let largeRequests = RepositoryFeature("large requests")
  /// The support for any order except for that of the primary key. Without this, ``nullPlacement`` is unsupported, too.
  public static let sorting = RepositoryFeature("sorting")
  /// The support for nulls at the opposite end from the smallest value.
  public static let nullPlacement = RepositoryFeature("null placement")
  /// The support for a limit.
  public static let limits = RepositoryFeature("limits")
  /// The support for an offset.
  public static let offsets = RepositoryFeature("offsets")
  /// The support for pages that begin after a cursor, or end before one.
  public static let cursors = RepositoryFeature("cursors")
  /// The support for aggregates: `aggregate(_:)`. Without this, ``groups`` are unsupported, too. By default a repository
  /// fetches the elements and aggregates them itself, so few repositories lack this feature.
  public static let aggregates = RepositoryFeature("aggregates")
  /// The support for aggregates of groups.
  public static let groups = RepositoryFeature("groups")
  /// The support for conditions on groups, and on the rows of an aggregate.
  public static let groupConditions = RepositoryFeature("conditions on groups")
  /// The support for projections: `findRows(_:)`. By default a repository fetches the elements and takes the columns from
  /// them, so few lack it.
  public static let projections = RepositoryFeature("projections")
}

// Features of writes.
extension RepositoryFeature {
  /// The support for several elements, or several keys, in one call of `save`, `insert` or `delete`; and so for the
  /// operations that write several by default: updates and deletions by query, and sequences.
  public static let batches = RepositoryFeature("batches")
  /// The support for `delete`. Without this, ``deletingByQuery`` is unsupported, too.
  public static let deleting = RepositoryFeature("deleting")
  /// The support for `insert`, which refuses an existing element.
  public static let inserting = RepositoryFeature("inserting")
  /// The support for `insert(_:onConflict:)`.
  public static let conflictRules = RepositoryFeature("rules for conflicts")
  /// The support for `update(where:set:)`.
  public static let updatingByQuery = RepositoryFeature("updating by query")
  /// The support for `delete(where:)`.
  public static let deletingByQuery = RepositoryFeature("deleting by query")
  /// The support for sequences, whose elements are written in the order in which they arrive.
  public static let sequences = RepositoryFeature("sequences")
  /// The refusal of conflicts of unique columns, and of columns that are unique together. A repository that does not look
  /// up elements with the same value can't refuse them either, so the rules that need this are skipped.
  public static let uniqueness = RepositoryFeature("uniqueness", canBeRefused: false)
  /// The enforcement of checks, which each row has to match. The rules that need this are skipped, as are those of stores
  /// whose models have checks.
  public static let checks = RepositoryFeature("checks", canBeRefused: false)
  /// The enforcement of references of a store's tables. The rules whose models have them are skipped.
  public static let references = RepositoryFeature("references", canBeRefused: false)
  /// The generation of keys by a store. The rules whose models have them are skipped.
  public static let generatedKeys = RepositoryFeature("generated keys", canBeRefused: false)
  /// The generation of keys without gaps: the largest existing key plus one, whatever was deleted or refused before. The
  /// rules that need this are skipped; a generated key is larger than all existing ones in any case.
  public static let gaplessKeys = RepositoryFeature("generated keys without gaps", canBeRefused: false)
  /// The support for U+0000 in texts that are saved. The rules that need this are skipped; a refusal has to have the code
  /// `RepositoryError.Code.unsupported`.
  public static let nulInTexts = RepositoryFeature("U+0000 in text", canBeRefused: false)
  /// The support for columns whose values are of any type, in a store's tables. The rules that need this are skipped.
  public static let mixedColumns = RepositoryFeature("columns of any type", canBeRefused: false)
  /// The support for transactions of a store. The rules that need this are skipped.
  public static let transactions = RepositoryFeature("transactions", canBeRefused: false)
  /// The support for live results. The rules that need this are skipped.
  public static let liveResults = RepositoryFeature("live results", canBeRefused: false)
  /// The delivery of only the latest live result to a slow consumer, rather than of earlier ones in transit, as on a
  /// network. The rule that needs this is skipped.
  public static let latestResults = RepositoryFeature("the latest live result alone", canBeRefused: false)
  /// The support for repositories of a schema's `includingDeleted` along with those that hide soft-deleted elements. The
  /// rules that need this are skipped.
  public static let deletedElements = RepositoryFeature("elements marked as deleted", canBeRefused: false)
  /// The support for many concurrent tasks. The rules that need this are skipped.
  public static let concurrency = RepositoryFeature("concurrency", canBeRefused: false)
}

extension RepositoryFeature: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}

extension RepositoryFeature {
  /// The maximum number of parts of a request, and of bytes of a value, beyond which the request is a large one.
  private static let (largestCount, largestText) = (100, 2_000)

  /// Returns the features that a repository needs to answer a request.
  package static func needed(by request: FetchRequest) -> Set<RepositoryFeature> {
    var features = needed(by: request.query)
    if !request.sort.terms.isEmpty { features.insert(.sorting) }
    if request.sort.terms.contains(where: { $0.nulls != $0.direction.defaultNulls }) { features.insert(.nullPlacement) }
    if request.sort.terms.count > largestCount { features.insert(.largeRequests) }
    if request.limit != nil { features.insert(.limits) }
    if request.offset != 0 { features.insert(.offsets) }
    if request.after != nil || request.before != nil { features.insert(.cursors) }
    return features
  }

  /// Returns the features that a repository needs to compute aggregates.
  package static func needed(by request: AggregateRequest) -> Set<RepositoryFeature> {
    var features = needed(by: request.query).union([.aggregates])
    if !request.groupKeys.isEmpty { features.insert(.groups) }
    for key in request.groupKeys { features.formUnion(needed(by: key)) }
    for aggregate in request.aggregates {
      features.formUnion(needed(by: aggregate.key).union(needed(by: aggregate.query)))
    }
    features.formUnion(needed(by: request.having))
    if request.having != .true || request.aggregates.contains(where: { $0.query != .true }) {
      features.insert(.groupConditions)
    }
    if request.order != .group { features.insert(.sorting) }
    if request.limit != nil { features.insert(.limits) }
    if request.aggregates.count + request.groupKeys.count > largestCount { features.insert(.largeRequests) }
    return features
  }

  /// Returns the features that a repository needs to answer a projection.
  package static func needed(by request: ProjectionRequest) -> Set<RepositoryFeature> {
    var features = needed(by: request.rows).union([.projections])
    for column in request.columns { features.formUnion(needed(by: column.expression)) }
    return features
  }

  /// Returns the features that a repository needs to update the elements that match a query, possibly several.
  package static func needed(toUpdate query: AnyQuery, _ assignments: [Assignment]) -> Set<RepositoryFeature> {
    var features = needed(by: query).union([.updatingByQuery, .batches])
    for assignment in assignments where assignment.value == nil { features.formUnion([.expressions]) }
    if assignments.needOtherTables { features.insert(.relations) }
    return features
  }

  /// Returns the features that a repository needs to delete the elements that match a query, possibly several.
  package static func needed(toDelete query: AnyQuery) -> Set<RepositoryFeature> {
    needed(by: query).union([.deletingByQuery, .deleting, .batches])
  }

  /// Returns the features that a repository needs to answer a query.
  static func needed(by query: AnyQuery) -> Set<RepositoryFeature> {
    if query == .true { return [] }
    var features: Set<RepositoryFeature> = [.queries]
    if query.partCount > largestCount { features.insert(.largeRequests) }
    var pending: [(query: AnyQuery, outside: Connective?)] = [(query, nil)]
    // A query that is repeatedly combined with itself has too many parts to visit; the first ones are enough.
    var visits = 0
    while let (query, outside) = pending.popLast(), visits < 100 * largestCount {
      visits += 1
      switch query.form {
      case .condition(let condition): features.formUnion(needed(by: condition))
      case .not(let negated):
        features.insert(.negations)
        pending.append((negated, .negation))
      case .and(let lhs, let rhs):
        features.insert(.conjunctions)
        if outside ?? .conjunction != .conjunction { features.insert(.nesting) }
        pending += [(lhs, .conjunction), (rhs, .conjunction)]
      case .or(let lhs, let rhs):
        features.insert(.disjunctions)
        if outside ?? .disjunction != .disjunction { features.insert(.nesting) }
        pending += [(lhs, .disjunction), (rhs, .disjunction)]
      }
    }
    return features
  }

  private enum Connective {
    case conjunction, disjunction, negation
  }

  private static func needed(by condition: Condition<AnyExpression>) -> Set<RepositoryFeature> {
    var features = needed(by: condition.key).union(needed(by: condition.operands))
    switch condition {
    case .constant, .holds, .invalid: break
    case .comparison(let comparison): if !comparison.operator.isEquality { features.insert(.orderComparisons) }
    case .between: features.insert(.between)
    case .membership: features.insert(.lists)
    case .text(let match):
      features.insert(.textOperators)
      if match.operation == .like { features.insert(.patterns) }
      if match.isIgnoringCase { features.insert(.ignoringCase) }
    }
    return features
  }

  private static func needed(by key: AnyExpression?) -> Set<RepositoryFeature> {
    guard let key, key.plainKey == nil else { return [] }
    return key.needsOtherTables ? [.expressions, .relations] : [.expressions]
  }

  private static func needed(by operands: [Operand<AnyExpression>]) -> Set<RepositoryFeature> {
    var features: Set<RepositoryFeature> = operands.count > largestCount ? [.largeRequests] : []
    for operand in operands {
      switch operand {
      case .key(let key):
        features.insert(.keyComparisons)
        features.formUnion(needed(by: key))
      case .value(.null): features.insert(.nullTests)
      case .value(.text(let text)) where text.utf8.count > largestText: features.insert(.largeRequests)
      case .value(.blob(let bytes)) where bytes.count > largestText: features.insert(.largeRequests)
      case .value: break
      }
    }
    return features
  }
}
