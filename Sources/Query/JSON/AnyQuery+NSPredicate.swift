#if canImport(ObjectiveC)
  public import Foundation

  extension AnyQuery {
    /// The query as a predicate over objects, whose properties are read by key-value coding.
    ///
    /// ```swift
    /// let found = pokemon.filtered(using: try query.predicate)  // an NSArray of objects
    /// ```
    ///
    /// The properties hold numbers, strings, data or `nil`, not dates, which are texts to a query. The predicate has the
    /// semantics of the query, also for null and the order of texts. Comparisons of numbers, equality, `in` and their joins
    /// are predicates that Core Data translates to SQL. Conditions that search or order texts, or compare keys with keys,
    /// are blocks, since `NSPredicate` would compare texts by other rules. Blocks work only on objects in memory.
    ///
    /// The project's own tests run on Linux, where Foundation has no such `NSPredicate`, so that they don't cover this
    /// property.
    ///
    /// An object without a key of the query raises an exception, which Swift can't catch, and so may one that holds another
    /// kind of value: for a query from an untrusted source, call ``resolved(in:)`` first.
    ///
    /// - Throws: ``JSONCodingError`` for a value that can't be stored, and for a query that is nested too deep or too large.
    public var predicate: NSPredicate {
      get throws(JSONCodingError) {
        try folded(
          condition: { $0.predicate }, not: { NSCompoundPredicate(notPredicateWithSubpredicate: $0) },
          join: { members, matchingAll in NSCompoundPredicate(type: matchingAll ? .and : .or, subpredicates: members) })
      }
    }
  }

  extension Condition where Key == String {
    /// The condition as a predicate: a comparison where `NSPredicate` follows the contract, otherwise a block.
    var predicate: NSPredicate {
      switch self {
      case .constant(let constant):
        return NSPredicate(value: constant)
      case .comparison(let comparison):
        guard case .value(let value) = comparison.operand else { return blockPredicate }
        return comparison.relation.predicate(comparison.key, value) ?? blockPredicate
      case .between(let between):
        guard case (.value(let lower), .value(let upper)) = (between.lower, between.upper),
          let lowest = Relation.greaterThanOrEqual.predicate(between.key, lower),
          let greatest = Relation.lessThanOrEqual.predicate(between.key, upper)
        else { return blockPredicate }
        return NSCompoundPredicate(andPredicateWithSubpredicates: [lowest, greatest])
      case .membership(let membership):
        let values = membership.values.compactMap(\.foundationObject)
        let isOneOf = makeComparison(membership.key, .in, NSArray(array: values))
        // `nil` is not a member of an array.
        guard membership.values.contains(.null) else { return isOneOf }
        return NSCompoundPredicate(orPredicateWithSubpredicates: [
          isOneOf, makeComparison(membership.key, .equalTo, nil),
        ])
      case .text, .invalid:
        return blockPredicate
      }
    }

    /// A predicate that calls the evaluator.
    private var blockPredicate: NSPredicate {
      var keys: [String] = []
      let condition = mapKeys { key -> Int in
        keys.append(key)
        return keys.count - 1
      }
      let (names, matches) = (keys, condition.makePredicate())
      return NSPredicate { object, _ in
        let row = names.map { Value(keyPath: $0, of: object) }
        return row.withUnsafeBufferPointer(matches)
      }
    }
  }

  extension Relation {
    /// Returns a comparison; `nil` if `NSPredicate` would order the values differently.
    fileprivate func predicate(_ key: String, _ value: Value) -> NSPredicate? {
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

  extension Value {
    /// Makes a value of an object's property, null if the property is not a number, text or data. Numbers are compared by
    /// value, so that a whole number may be read as an integer.
    init(keyPath: String, of object: Any?) {
      let property = (object as? NSObject)?.value(forKeyPath: keyPath)
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
    var foundationObject: Any? {
      switch self {
      case .null: nil
      case .integer(let integer): NSNumber(value: integer)
      case .real(let real): NSNumber(value: real)
      case .text(let text): NSString(string: text)
      case .blob(let bytes): NSData(data: Data(bytes))
      }
    }
  }

  extension AnySort {
    /// The sort as descriptors for objects, whose properties are read by key-value coding.
    ///
    /// The descriptors order as every store does: texts by their bytes, and nulls where the sort places them. To that end, they
    /// compare objects with a block, which works only on objects in memory. The primary key is not known here: add a descriptor
    /// for it where the order has to be unique. As with ``AnyQuery/predicate``, the project's own tests don't cover this.
    public var sortDescriptors: [NSSortDescriptor] { terms.map(\.sortDescriptor) }
  }

  extension SortTerm {
    fileprivate var sortDescriptor: NSSortDescriptor {
      let key = key
      let sort = ResolvedSort(terms: [ResolvedSort.Term(column: 0, direction: direction, nulls: nulls)])
      // Without a key, the descriptor passes the objects to the closure; with one, it would order nulls itself.
      return NSSortDescriptor(key: nil, ascending: true) { lhs, rhs in
        let (lhs, rhs) = ([Value(keyPath: key, of: lhs)], [Value(keyPath: key, of: rhs)])
        if sort.areInIncreasingOrder(lhs, rhs) { return .orderedAscending }
        return sort.areInIncreasingOrder(rhs, lhs) ? .orderedDescending : .orderedSame
      }
    }
  }
#endif
