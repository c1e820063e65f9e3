#if canImport(ObjectiveC)
  import Foundation

  extension Condition where Key == String {
    /// The condition as a predicate: one that says what it means where `NSPredicate` follows the contract, else a block.
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
        // `nil` is no member of an array.
        guard membership.values.contains(.null) else { return isOneOf }
        return NSCompoundPredicate(orPredicateWithSubpredicates: [
          isOneOf, makeComparison(membership.key, .equalTo, nil),
        ])
      case .text, .invalid:
        return blockPredicate
      }
    }

    /// Asks the evaluator itself.
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
    /// `nil` where `NSPredicate` has another order.
    fileprivate func predicate(_ key: String, _ value: Value) -> NSPredicate? {
      let type: NSComparisonPredicate.Operator
      switch self {
      case .equal:
        return makeComparison(key, .equalTo, value.foundationObject)
      case .notEqual:
        // The exact negation, so that it holds for null.
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

  /// Compares literally: without options, case and accents count.
  private func makeComparison(_ key: String, _ type: NSComparisonPredicate.Operator, _ operand: Any?) -> NSPredicate {
    NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: operand),
      modifier: .direct, type: type, options: [])
  }
#endif
