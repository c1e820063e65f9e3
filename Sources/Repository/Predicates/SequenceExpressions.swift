#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

extension PredicateExpressions.SequenceContains: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let (container, part) = (try translator.term(of: sequence), try translator.term(of: element))
    guard case .constant(let list as LHS.Output) = container else {
      guard LHS.Output.self is any StringProtocol.Type, case .constant(let character as Character) = part else {
        throw .unsupported(self)
      }
      let text = try translator.operand(container, as: LHS.Output.self, of: sequence)
      return .truth(PredicateTruth(try text.matches(.contains, String(character))))
    }
    let captured = try Captured(list, atMost: ResolvedQuery.maximumConditionCount, in: self)
    if case .constant(let part as RHS.Output) = part {
      return .truth(PredicateTruth(captured.elements.contains(part)))
    }
    let values = try captured.values()
    let operand = try translator.operand(part, as: RHS.Output.self, of: element)
    let isElement = try operand.asking { operand in
      switch operand {
      case .key(let key): .in(key, values: values)
      case .value(let value): .constant(values.contains(value))
      }
    }
    return .truth(PredicateTruth(isElement))
  }
}

extension PredicateExpressions.SequenceContainsWhere: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard case .constant(let list as LHS.Output) = try translator.term(of: sequence) else { throw .unsupported(self) }
    var found = AnyQuery.false
    for element in try Captured(list, atMost: ResolvedQuery.maximumDistinctConditionCount, in: self).elements {
      found = .either(found, try translator.binding(variable, to: .constant(element)).condition(test))
      if found.constant == true { break }
    }
    return .truth(PredicateTruth(found))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard case .constant(let list as LHS.Output) = try translator.term(of: sequence) else { throw .unsupported(self) }
    var satisfied = AnyQuery.true
    for element in try Captured(list, atMost: ResolvedQuery.maximumDistinctConditionCount, in: self).elements {
      satisfied = .both(satisfied, try translator.binding(variable, to: .constant(element)).condition(test))
      if satisfied.constant == false { break }
    }
    return .truth(PredicateTruth(satisfied))
  }
}

/// The elements of a captured sequence.
private struct Captured<Element> {
  let elements: [Element]
  private let isOrdered: Bool

  init<Elements: Sequence<Element>>(
    _ elements: Elements, atMost maximum: Int, in expression: Any
  ) throws(QueryError) {
    // A sequence may have no end, such as `1...`.
    self.elements = Array(elements.prefix(maximum + 1))
    isOrdered = elements is any BidirectionalCollection
    if self.elements.count > maximum {
      throw .unsupported(expression, reason: "the sequence has more than \(maximum) elements")
    }
  }

  /// The elements as they are stored; those of a set in the order of values, so that equal sets make equal queries.
  func values() throws(QueryError) -> [Value] {
    var values: [Value] = []
    for element in elements { values.append(try Value(storing: element)) }
    return isOrdered ? values : values.sorted()
  }
}

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let (container, part) = (try translator.term(of: base), try translator.term(of: other))
    switch (container, part) {
    case (.constant(let container as Base.Output), .constant(let part as Other.Output)):
      return .truth(PredicateTruth(container.contains(part)))
    case (_, .constant(let part as any StringProtocol)) where Base.Output.self is any StringProtocol.Type:
      let text = try translator.operand(container, as: Base.Output.self, of: base)
      return .truth(PredicateTruth(try text.matches(.contains, String(part))))
    default:
      throw .unsupported(self)
    }
  }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let (container, start) = (try translator.term(of: base), try translator.term(of: prefix))
    switch (container, start) {
    case (.constant(let container as Base.Output), .constant(let start as Prefix.Output)):
      return .truth(PredicateTruth(container.starts(with: start)))
    case (_, .constant(let start as any StringProtocol)) where Base.Output.self is any StringProtocol.Type:
      let text = try translator.operand(container, as: Base.Output.self, of: base)
      return .truth(PredicateTruth(try text.matches(.hasPrefix, String(start))))
    default:
      throw .unsupported(self)
    }
  }
}

extension PredicateOperand {
  /// Returns the condition that the operand contains a text, or starts with it.
  func matches(_ operation: TextOperation, _ text: String) throws(QueryError) -> AnyQuery {
    try asking { operand in
      switch operand {
      case .key(let key): .match(key, operation, value: text)
      case .value(.text(let whole)) where operation == .hasPrefix: .constant(whole.utf8.starts(with: text.utf8))
      case .value(.text(let whole)): .constant(whole.utf8.contains(text.utf8))
      case .value: .false
      }
    }
  }
}
