// Key-value coding, on which these predicates are built, needs the Objective-C runtime. Elsewhere scripts/check-predicates.sh
// type-checks this file against declarations of its own.
#if canImport(ObjectiveC)
  public import Foundation

  extension ResolvedQuery {
    /// The query as a predicate on objects, whose properties are read by key-value coding.
    ///
    /// ```swift
    /// let query = try AnyQuery(parsing: "weight > 90").resolved(in: Pokemon.schema.table())
    /// let found = objects.filtered(using: query.nsPredicate)  // an NSArray of objects
    /// ```
    ///
    /// The predicate has the semantics of the query, also for null and the order of texts. Comparisons of columns with numbers,
    /// equality, `in` and their connectives are predicates that Core Data translates to SQL. All other conditions are blocks,
    /// which work only on objects in memory, since `NSPredicate` would compare texts by other rules; a block reads a property
    /// for each column of the table.
    ///
    /// The properties hold numbers, strings, data or `nil`; a property of another type is null. An object without a property
    /// of that name raises an exception, which Swift can't catch.
    public var nsPredicate: NSPredicate { predicate.foundationPredicate(in: scope) }
  }

  extension ResolvedRequest {
    /// The order of the request as a descriptor for objects, whose properties are read by key-value coding.
    ///
    /// The order is that of every store: texts by their bytes, nulls where the sort places them, and the primary key where
    /// nothing else decides. To that end, objects are compared with a block, which works only on objects in memory. The same
    /// holds for their properties as for ``ResolvedQuery/nsPredicate``.
    public var sortDescriptor: NSSortDescriptor {
      let (reader, sort) = (ObjectReader(query.scope), isReversed ? sort.reversed : sort)
      // Without a key, the descriptor passes the objects to the closure; with one, it would order nulls itself.
      return NSSortDescriptor(key: nil, ascending: true) { lhs, rhs in
        let (lhs, rhs) = (reader.row(of: lhs), reader.row(of: rhs))
        if sort.areInIncreasingOrder(lhs, rhs) { return .orderedAscending }
        return sort.areInIncreasingOrder(rhs, lhs) ? .orderedDescending : .orderedSame
      }
    }
  }

  extension NormalizedPredicate {
    fileprivate func foundationPredicate(in scope: RowScope) -> NSPredicate {
      switch self {
      case .all(let members) where members.isEmpty:
        return NSPredicate(value: true)
      case .any(let members) where members.isEmpty:
        return NSPredicate(value: false)
      case .all(let members):
        return NSCompoundPredicate(andPredicateWithSubpredicates: members.map { $0.foundationPredicate(in: scope) })
      case .any(let members):
        return NSCompoundPredicate(orPredicateWithSubpredicates: members.map { $0.foundationPredicate(in: scope) })
      case .condition(let condition, let isNegated, _):
        if let predicate = condition.foundationPredicate(in: scope.table) {
          return isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: predicate) : predicate
        }
        let (reader, matches) = (ObjectReader(scope), makePredicate(in: scope, nil))
        return NSPredicate { object, _ in reader.row(of: object).withUnsafeBufferPointer(matches) }
      }
    }
  }

  extension Condition<Int> {
    /// Returns a comparison of a column where `NSPredicate` follows the contract; `nil` elsewhere.
    fileprivate func foundationPredicate(in table: TableSchema) -> NSPredicate? {
      guard let position = key, table.columns.indices.contains(position) else { return nil }
      let name = table.columns[position].name
      // `NSPredicate` orders no numbers and texts.
      let isOrdered = table.columns[position].kinds.isSubset(of: [.null, .number])
      switch self {
      case .comparison(let comparison):
        guard isOrdered || comparison.operator.isEquality else { return nil }
        return comparison.operand.value.flatMap { comparison.operator.foundationPredicate(name, $0) }
      case .between(let between):
        guard isOrdered, case (.value(let lower), .value(let upper)) = (between.lower, between.upper),
          let lowest = ComparisonOperator.greaterThanOrEqual.foundationPredicate(name, lower),
          let greatest = ComparisonOperator.lessThanOrEqual.foundationPredicate(name, upper)
        else { return nil }
        return NSCompoundPredicate(andPredicateWithSubpredicates: [lowest, greatest])
      case .membership(let membership):
        let isOneOf = makeComparison(name, .in, NSArray(array: membership.values.compactMap(\.foundationObject)))
        // `nil` is not a member of an array.
        guard membership.values.contains(.null) else { return isOneOf }
        return NSCompoundPredicate(orPredicateWithSubpredicates: [isOneOf, makeComparison(name, .equalTo, nil)])
      default: return nil
      }
    }
  }

  extension ComparisonOperator {
    /// Returns a comparison; `nil` if `NSPredicate` would order the values differently.
    fileprivate func foundationPredicate(_ key: String, _ value: Value) -> NSPredicate? {
      let type: NSComparisonPredicate.Operator
      switch self {
      case .equal:
        return makeComparison(key, .equalTo, value.foundationObject)
      case .notEqual:
        // `notEqual` is the exact negation of equality, so that it holds for null.
        return NSCompoundPredicate(notPredicateWithSubpredicate: makeComparison(key, .equalTo, value.foundationObject))
      case .lessThan: type = .lessThan
      case .lessThanOrEqual: type = .lessThanOrEqualTo
      case .greaterThan: type = .greaterThan
      case .greaterThanOrEqual: type = .greaterThanOrEqualTo
      }
      guard value.kind == .number else { return nil }
      let isNull = makeComparison(key, .equalTo, nil)
      return NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSCompoundPredicate(notPredicateWithSubpredicate: isNull), makeComparison(key, type, value.foundationObject),
      ])
    }
  }

  /// Returns a literal comparison: without options, case and accents count.
  private func makeComparison(_ key: String, _ type: NSComparisonPredicate.Operator, _ operand: Any?) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: operand),
      modifier: .direct, type: type, options: [])
  }

  /// Reads the properties of objects as the rows of a scope.
  private struct ObjectReader: Sendable {
    private let names: [String]
    private let extend: @Sendable ([Value]) -> [Value]

    init(_ scope: RowScope) {
      names = scope.table.columns.map(\.name)
      extend = scope.makeExtension(nil)
    }

    func row(of object: Any?) -> [Value] {
      let object = object as? NSObject
      return extend(names.map { Value(property: object?.value(forKeyPath: $0)) })
    }
  }

  extension Value {
    /// Makes a value of an object's property, null if the property is not a number, text or data. Numbers are compared by
    /// value, so that a whole number may be read as an integer.
    fileprivate init(property: Any?) {
      switch property {
      case let number as NSNumber:
        self = Int64(exactly: number).map(Value.integer) ?? .real(number.doubleValue)
      case let text as String:
        self = .text(text)
      case let data as Data:
        self = .blob([UInt8](data))
      default:
        self = .null
      }
    }

    /// The Foundation object for the value; `nil` for null.
    fileprivate var foundationObject: Any? {
      switch self {
      case .null: nil
      case .integer(let integer): NSNumber(value: integer)
      case .real(let real): NSNumber(value: real)
      case .text(let text): NSString(string: text)
      case .blob(let bytes): NSData(data: Data(bytes))
      }
    }
  }
#endif
