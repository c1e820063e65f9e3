package import Query

/// Requests as Swift, to be pasted into a test.
package enum SwiftSource {
  package static func of(_ request: FetchRequest) -> String {
    let sort = request.sort.terms.map { term in
      ".\(term.direction)(\(of(term.key)), nulls: .\(term.nulls))"
    }.joined(separator: " + ")
    return "FetchRequest(\(of(request.query))\(sort.isEmpty ? "" : ", sortedBy: \(sort)")"
      + (request.limit.map { ", limit: \($0)" } ?? "") + (request.offset == 0 ? "" : ", offset: \(request.offset)")
      + ")"
  }

  private static func of(_ query: AnyQuery) -> String {
    switch query.form {
    case .condition(let condition): of(condition)
    case .not(let inner): "!(\(of(inner)))"
    case .and(let lhs, let rhs): "(\(of(lhs)) && \(of(rhs)))"
    case .or(let lhs, let rhs): "(\(of(lhs)) || \(of(rhs)))"
    }
  }

  private static func of(_ condition: Condition<AnyExpression>) -> String {
    switch condition {
    case .constant(let constant): ".\(constant)"
    case .comparison(let comparison):
      switch comparison.operand {
      case .value(let value): ".compare(\(of(comparison.key)), .\(comparison.operator), .value(\(of(value))))"
      case .key(let key): ".compare(\(of(comparison.key)), .\(comparison.operator), \(of(key)))"
      }
    case .between(let between):
      ".between(\(of(between.key)), lower: \(of(between.lower)), upper: \(of(between.upper)))"
    case .membership(let membership):
      ".in(\(of(membership.key)), values: [\(membership.values.map(of).joined(separator: ", "))] as [Value])"
    case .text(let match):
      ".match(\(of(match.key)), .\(match.operation), value: \(text(match.text)), ignoringCase: \(match.isIgnoringCase))"
    case .holds: "try AnyQuery(parsing: \(text(AnyQuery(.condition(condition)).description)))"
    case .invalid(let error): "invalid: \(error)"
    }
  }

  private static func of(_ operand: Operand<AnyExpression>) -> String {
    switch operand {
    case .value(let value): ".value(\(of(value)))"
    case .key(let key): ".key(\(of(key)))"
    }
  }

  private static func of(_ expression: AnyExpression) -> String {
    expression.plainKey.map { ".key(\(text($0)))" } ?? "try AnyExpression(parsing: \(text(expression.description)))"
  }

  private static func of(_ value: Value) -> String {
    switch value {
    case .null: "Value.null"
    case .integer(let integer): "Value.integer(\(integer))"
    case .real(let real): real.isInfinite ? "Value.real(\(real < 0 ? "-" : "").infinity)" : "Value.real(\(real))"
    case .text(let value): "Value.text(\(text(value)))"
    case .blob(let bytes): "Value.blob(\(bytes))"
    }
  }

  private static func text(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { $0.escaped(asASCII: true) }.joined() + "\""
  }
}
