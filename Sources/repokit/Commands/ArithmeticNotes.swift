import Query
import Repository
import SQLStore

/// Tells of rows of which arithmetic makes null, although none of the values that it works with is null.
struct ArithmeticNotes {
  let table: TableSchema
  let others: OtherTables

  /// Looks at the rows that a change is about, before anything is written.
  func tell(of assignments: [Assignment], where query: AnyQuery) {
    for assignment in assignments where assignment.value == nil {
      guard let operands = assignment.expression.operandsOfArithmetic else { continue }
      let isLost = operands.reduce(query && .isNull(assignment.expression)) { $0 && .isNotNull($1) }
      // A note is no reason for a change to fail.
      let count = try? others.store.repository(for: Schema(table)).count(isLost)
      guard let count, count > 0 else { continue }
      let rows = count == 1 ? "1 row" : "\(count) rows"
      let names = operands.map(\.description).joined(separator: ", ")
      others.tellOnce(
        "note: \(assignment.expression) is null for \(rows), although \(names) \(operands.count == 1 ? "is" : "are") not: "
          + "the result is beyond the numbers, a divisor is 0, or a value is no number")
    }
  }
}

extension AnyExpression {
  /// The columns and paths with which arithmetic works; `nil` for other expressions, and for those that are meant to be null.
  fileprivate var operandsOfArithmetic: [AnyExpression]? {
    var (operands, isArithmetic, mayBeNull) = ([AnyExpression](), false, false)
    forEachPart { part, table in
      switch part.form {
      case .function(let function, _): isArithmetic = isArithmetic || function.isArithmetic
      case .key, .path: if table == nil, !operands.contains(part) { operands.append(part) }
      case .value(let value): mayBeNull = mayBeNull || value.isNull
      // The greatest of no rows is null.
      case .aggregate, .exists, .group, .conditional, .invalid: mayBeNull = true
      }
    }
    return isArithmetic && !mayBeNull && !operands.isEmpty ? operands : nil
  }
}
