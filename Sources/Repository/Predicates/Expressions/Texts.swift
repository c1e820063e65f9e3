import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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
  /// Where the operand is a text that contains another, or starts with it.
  func matches(_ operation: TextOperation, _ text: String) throws(QueryError) -> AnyQuery {
    try asking { operand in
      switch operand {
      case .key(let key): .match(key: key, operation, value: text)
      case .value(.text(let whole)) where operation == .hasPrefix: .constant(whole.utf8.starts(with: text.utf8))
      case .value(.text(let whole)): .constant(whole.utf8.contains(text.utf8))
      case .value: .false
      }
    }
  }
}
