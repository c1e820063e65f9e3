/// A query: a Boolean function of an entity, as a value.
///
/// A query knows no model type and no store. It can be built, compared, hashed, printed, parsed and sent elsewhere, and has
/// the same semantics in every store:
///
/// ```swift
/// let query = AnyQuery.between(key: "id", lhs: 1, rhs: 100) && .notEqual(key: "type", value: "fire")
/// query.description  // id between 1 and 100 and type != 'fire'
/// ```
///
/// `==` compares the structure, not the semantics: `a && b` differs from `b && a`. Building, comparing, printing and freeing
/// a query takes no stack, however deep it is nested.
public struct AnyQuery: Sendable {
  /// The form of a query.
  public enum Form: Sendable {
    /// A single condition.
    case condition(Condition<AnyExpression>)
    /// The exact opposite of a query.
    case not(AnyQuery)
    /// The conjunction of two queries.
    case and(AnyQuery, AnyQuery)
    /// The disjunction of two queries.
    case or(AnyQuery, AnyQuery)
  }

  private var node: Node

  /// Makes a query of the given form, unchanged.
  public init(_ form: Form) {
    node = Node(form)
  }

  /// The form of this query.
  public var form: Form { node.form }

  /// The number of conditions that a walk through the query visits. A query that is repeatedly combined with itself has few
  /// nodes and astronomically many conditions, so they are counted as it is built; the count saturates at `Int.max`.
  package var conditionCount: Int { node.conditionCount }

  /// The number of all nodes that a walk visits, negations and connectives included.
  package var partCount: Int { node.partCount }

  /// The depth of the most deeply nested expression of the query.
  var expressionDepth: Int { node.expressionDepth }

  /// Whether the matching rows depend on rows of other tables.
  package var needsOtherTables: Bool { node.needsOtherTables }
}

extension AnyQuery {
  /// A reference to a form that frees its children iteratively: the compiler's deinitialization of a nested value is
  /// recursive and overflows the stack at some 10,000 levels.
  private final class Node: @unchecked Sendable {
    // Sendable although `form` is a variable: only `deinit` changes it, when no other reference exists.
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
        // The last owner of a child takes its children over, so that the child's own `deinit` finds none.
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
  /// Returns whether two queries have the same structure and equal conditions, with keys of the same UTF-8 bytes.
  public static func == (lhs: AnyQuery, rhs: AnyQuery) -> Bool {
    var pending = [(lhs, rhs)]
    // Queries that are repeatedly combined with themselves have the same parts many times: each is compared once.
    var pairs: Set<[ObjectIdentifier]> = []
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
          if !pairs.insert(pair).inserted { continue }
        }
        pending.append((lhs2, rhs2))
        pending.append((lhs1, rhs1))
      default:
        return false
      }
    }
    return true
  }

  /// Hashes the first components that `==` compares, which distinguish most queries, in constant time.
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
  /// A mirror without children: `dump`, debuggers and testing libraries walk through children by recursion, which overflows
  /// the stack for a deep query.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
