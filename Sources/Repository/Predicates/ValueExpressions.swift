#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query

extension PredicateExpressions.Value: TranslatableExpression {
  func term(in translator: PredicateTranslator) -> PredicateTerm { .constant(value) }
}

extension PredicateExpressions.NilLiteral: TranslatableExpression {
  func term(in translator: PredicateTranslator) -> PredicateTerm { .constant(Wrapped?.none as Any) }
}

extension PredicateExpressions.Variable: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard let term = translator.term(of: key) else {
      throw .unsupported(self, reason: "the variable belongs to another predicate")
    }
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
      // A property with its own column takes precedence, in case there is a column for `isEmpty`.
      guard translator.knownKey(of: next) == nil, let empty = keyPath.emptyValue else { return .property(next) }
      return .truth(try PredicateOperand(.key(.key(translator.key(of: property)))).isEmpty(empty))
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
    PredicateTruth(try compared(by: .equal, with: PredicateOperand(.value(empty))))
  }
}

extension AnyKeyPath {
  /// The text or the blob for which the key path, which is an `isEmpty`, is true; `nil` for other key paths.
  fileprivate var emptyValue: Value? {
    switch self {
    case \String.isEmpty, \Substring.isEmpty: ""
    case \[UInt8].isEmpty, \Data.isEmpty: .blob([])
    default: nil
    }
  }
}

// Captured numbers are computed now, and an operation on a property becomes part of the query. Foundation's own `evaluate` would
// end the process if the result does not fit; in a query it is null.

extension PredicateTranslator {
  /// Returns an operation with a side that is not constant.
  fileprivate func operation<LHS: PredicateExpression, RHS: PredicateExpression>(
    _ function: ExpressionFunction, _ lhs: LHS, _ rhs: RHS
  ) throws(QueryError) -> PredicateTerm {
    let left = try operand(try term(of: lhs), as: LHS.Output.self, of: lhs)
    let right = try operand(try term(of: rhs), as: RHS.Output.self, of: rhs)
    return .operand(PredicateOperand(.key(.apply(function, left.expression, right.expression))))
  }
}

extension PredicateOperand {
  /// The operand as one expression.
  fileprivate var expression: AnyExpression {
    let expressions = candidates.map { candidate in
      switch candidate {
      case .key(let key): key
      case .value(let value): AnyExpression(.value(value))
      }
    }
    return expressions.count == 1 ? expressions[0] : AnyExpression(.function(.coalesce, expressions))
  }
}

extension PredicateExpressions.Arithmetic: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard case .constant(let lhs as LHS.Output) = try translator.term(of: lhs),
      case .constant(let rhs as LHS.Output) = try translator.term(of: rhs)
    else {
      switch op {
      case .add: return try translator.operation(.add, lhs, rhs)
      case .subtract: return try translator.operation(.subtract, lhs, rhs)
      case .multiply: return try translator.operation(.multiply, lhs, rhs)
      @unknown default: throw .unsupported(self)
      }
    }
    if let lhs = lhs as? any FixedWidthInteger { return .constant(try exact(lhs, rhs)) }
    switch op {
    case .add: return .constant(lhs + rhs)
    case .subtract: return .constant(lhs - rhs)
    case .multiply: return .constant(lhs * rhs)
    @unknown default: throw .unsupported(self)
    }
  }

  private func exact<Integer: FixedWidthInteger>(_ lhs: Integer, _ rhs: Any) throws(QueryError) -> Integer {
    guard let rhs = rhs as? Integer else { throw .unsupported(self) }
    switch op {
    case .add: return try fitting(lhs.addingReportingOverflow(rhs), in: self)
    case .subtract: return try fitting(lhs.subtractingReportingOverflow(rhs), in: self)
    case .multiply: return try fitting(lhs.multipliedReportingOverflow(by: rhs), in: self)
    @unknown default: throw .unsupported(self)
    }
  }
}

extension PredicateExpressions.UnaryMinus: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    let term = try translator.term(of: wrapped)
    guard case .constant(let number as Wrapped.Output) = term else {
      let operand = try translator.operand(term, as: Wrapped.Output.self, of: wrapped)
      return .operand(PredicateOperand(.key(-operand.expression)))
    }
    if let number = number as? any FixedWidthInteger { return .constant(try negated(number)) }
    return .constant(-number)
  }

  private func negated<Integer: FixedWidthInteger>(_ number: Integer) throws(QueryError) -> Integer {
    try fitting(Integer.zero.subtractingReportingOverflow(number), in: self)
  }
}

extension PredicateExpressions.FloatDivision: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    guard case .constant(let lhs as LHS.Output) = try translator.term(of: lhs),
      case .constant(let rhs as LHS.Output) = try translator.term(of: rhs)
    else { return try translator.operation(.divide, lhs, rhs) }
    return .constant(lhs / rhs)
  }
}

extension PredicateExpressions.IntDivision: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    try translator.operation(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: TranslatableExpression {
  func term(in translator: PredicateTranslator) throws(QueryError) -> PredicateTerm {
    try translator.operation(.remainder, lhs, rhs)
  }
}

private func fitting<Integer>(
  _ result: (partialValue: Integer, overflow: Bool), in expression: Any
) throws(QueryError) -> Integer {
  if result.overflow { throw .unsupported(expression, reason: "the result does not fit \(Integer.self)") }
  return result.partialValue
}
