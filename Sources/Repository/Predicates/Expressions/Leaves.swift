import Query

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PredicateExpressions.Value: TranslatableExpression {
  func term(in translator: PredicateTranslator) -> PredicateTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(in translator: PredicateTranslator) -> PredicateTerm { .constant(Wrapped?.none as Any) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard let term = translator.term(of: key) else { throw .unsupported(self, reason: "the variable is another's") }
    return term
  }
}

extension PredicateExpressions.KeyPath: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    switch try translator.term(of: root) {
    case .constant(let constant as Root.Output):
      return .constant(constant[keyPath: keyPath])
    case .property(let property):
      let next = property.appending(keyPath, name: lastName)
      // A column of its own goes first, in case somebody keeps an `isEmpty`.
      guard translator.knownKey(of: next) == nil, let empty = keyPath.emptyValue else { return .property(next) }
      return .truth(try PredicateOperand(.key(translator.key(of: property))).isEmpty(empty))
    case .operand(let operand):
      guard let empty = keyPath.emptyValue else { throw .unsupported(self) }
      return .truth(try operand.isEmpty(empty))
    case .constant, .truth, .range:
      throw .unsupported(self)
    }
  }
}

extension PredicateOperand {
  fileprivate func isEmpty(_ empty: Value) throws(QueryError) -> PredicateTruth {
    PredicateTruth(try isRelated(.equal, to: PredicateOperand(.value(empty))))
  }
}

extension AnyKeyPath {
  /// The text or the blob of which the key path, which is an `isEmpty`, is true; `nil` for other key paths.
  fileprivate var emptyValue: Value? {
    switch self {
    case \String.isEmpty, \Substring.isEmpty: ""
    case \[UInt8].isEmpty, \Data.isEmpty: .blob([])
    default: nil
    }
  }
}
