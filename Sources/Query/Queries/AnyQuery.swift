/// What to find: a Boolean function of an entity, as a value.
///
/// A query knows no model type and no store. It can be built, compared, hashed, printed, parsed and sent elsewhere, and
/// means the same wherever it is asked:
///
/// ```swift
/// let query = AnyQuery.between(key: "id", lhs: 1, rhs: 100) && .notEqual(key: "type", value: "fire")
/// query.description  // id between 1 and 100 and type != 'fire'
/// ```
///
/// `==` compares what was built, not what it means: `a && b` differs from `b && a`. Building, comparing, printing and
/// freeing a query takes no stack, however deep it is nested.
public struct AnyQuery: Sendable {
  /// How a query is built.
  public enum Form: Sendable {
    /// One question about one row.
    case condition(Condition<AnyExpression>)
    /// The exact opposite of a query.
    case not(AnyQuery)
    /// Both queries.
    case and(AnyQuery, AnyQuery)
    /// Either query, or both.
    case or(AnyQuery, AnyQuery)
  }

  private var node: Node

  /// Makes a query of the given form, unchanged.
  public init(_ form: Form) {
    node = Node(form)
  }

  /// How this query is built.
  public var form: Form { node.form }

  /// How many conditions a walk through the query meets. A query that is joined with itself again and again holds few
  /// nodes and means astronomically many, so this is counted up front, and saturates at `Int.max`.
  package var conditionCount: Int { node.conditionCount }

  /// The same for all that a walk meets, negations and joins included.
  package var partCount: Int { node.partCount }

  /// How deep the deepest expression of the query is nested.
  var expressionDepth: Int { node.expressionDepth }

  /// Whether rows of other tables decide about what matches.
  package var needsOtherTables: Bool { node.needsOtherTables }
}

extension AnyQuery {
  /// Holds a form behind a reference, whose freeing it takes into its own hands: the compiler's way frees a nested value
  /// by recursion and overflows the stack at some 10,000 levels.
  private final class Node: @unchecked Sendable {
    // Sendable although it is variable: nothing changes it but `deinit`, when no one else holds the node.
    private(set) var form: Form
    let conditionCount: Int
    let partCount: Int
    let expressionDepth: Int
    let needsOtherTables: Bool

    init(_ form: Form) {
      self.form = form
      switch form {
      case .condition(let condition):
        (conditionCount, partCount, expressionDepth) = (1, 1, condition.expressionDepth)
        needsOtherTables = expressionDepth > 0 && condition.needsOtherTables
      case .not(let query):
        (conditionCount, partCount) = (query.conditionCount, Self.sum(query.partCount, 1))
        (expressionDepth, needsOtherTables) = (query.expressionDepth, query.needsOtherTables)
      case .and(let lhs, let rhs), .or(let lhs, let rhs):
        expressionDepth = max(lhs.expressionDepth, rhs.expressionDepth)
        needsOtherTables = lhs.needsOtherTables || rhs.needsOtherTables
        conditionCount = Self.sum(lhs.conditionCount, rhs.conditionCount)
        partCount = Self.sum(Self.sum(lhs.partCount, rhs.partCount), 1)
      }
    }

    private static func sum(_ lhs: Int, _ rhs: Int) -> Int {
      let (sum, isTooLarge) = lhs.addingReportingOverflow(rhs)
      return isTooLarge ? .max : sum
    }

    deinit {
      var children: [AnyQuery] = []
      release(into: &children)
      while var child = children.popLast() {
        // The last to hold a child takes its children over, so that its own `deinit` finds none.
        if isKnownUniquelyReferenced(&child.node) { child.node.release(into: &children) }
      }
    }

    private func release(into children: inout [AnyQuery]) {
      switch form {
      case .condition: return
      case .not(let query): children.append(query)
      case .and(let lhs, let rhs), .or(let lhs, let rhs):
        children.append(lhs)
        children.append(rhs)
      }
      form = .condition(.constant(false))
    }
  }
}

extension AnyQuery: Hashable {
  /// Whether two queries are built alike, from conditions that are equal, with keys of the same UTF-8 bytes.
  public static func == (lhs: AnyQuery, rhs: AnyQuery) -> Bool {
    var pending = [(lhs, rhs)]
    // Queries that are joined with themselves again and again meet the same parts again and again: once is enough.
    var joins: Set<[ObjectIdentifier]> = []
    while let (lhs, rhs) = pending.popLast() {
      if lhs.node === rhs.node { continue }
      switch (lhs.form, rhs.form) {
      case (.condition(let lhs), .condition(let rhs)):
        if lhs != rhs { return false }
      case (.not(let lhs), .not(let rhs)):
        pending.append((lhs, rhs))
      case (.and(let lhs1, let lhs2), .and(let rhs1, let rhs2)), (.or(let lhs1, let lhs2), .or(let rhs1, let rhs2)):
        if lhs.conditionCount > 1_000 {
          let pair = [ObjectIdentifier(lhs.node), ObjectIdentifier(rhs.node)]
          if !joins.insert(pair).inserted { continue }
        }
        pending.append((lhs2, rhs2))
        pending.append((lhs1, rhs1))
      default:
        return false
      }
    }
    return true
  }

  /// Feeds how the query begins, which tells queries apart well enough, in time that its size does not change.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(conditionCount)
    var pending = [self]
    var remaining = 256
    while remaining > 0, let query = pending.popLast() {
      remaining -= 1
      switch query.form {
      case .condition(let condition):
        hasher.combine(condition)
      case .not(let query):
        hasher.combine("not")
        pending.append(query)
      case .and(let lhs, let rhs):
        hasher.combine("and")
        pending += [rhs, lhs]
      case .or(let lhs, let rhs):
        hasher.combine("or")
        pending += [rhs, lhs]
      }
    }
  }
}

extension AnyQuery: CustomReflectable {
  /// A query shows its text and no parts: `dump`, debuggers and testing libraries walk through parts by recursion, which a
  /// deep query takes to the end of the stack.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
