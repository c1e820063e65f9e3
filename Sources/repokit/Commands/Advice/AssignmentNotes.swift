import Query
import Repository
import SQLStore

/// Tells in how many rows assignments make null of values that are not null, before anything is written.
struct AssignmentNotes {
  let table: TableSchema
  let others: OtherTables

  func tell(of assignments: [Assignment], where query: AnyQuery) {
    let computed = assignments.filter { $0.value == nil }
    let notes =
      computed.compactMap { arithmeticNote(on: $0, where: query) }
      + computed.compactMap { textNote(on: $0, where: query) }
    for note in notes { others.tellOnce("note: \(note)") }
  }

  /// A note on rows of which arithmetic makes null, although none of the values that it works with is null.
  private func arithmeticNote(on assignment: Assignment, where query: AnyQuery) -> String? {
    guard let operands = assignment.expression.operandsOfArithmetic else { return nil }
    let isLost = operands.reduce(query && .isNull(assignment.expression)) { $0 && .isNotNull($1) }
    return rowCount(where: isLost).map { count in
      let rows = count == 1 ? "1 row" : "\(count) rows"
      let names = operands.map(\.description).joined(separator: ", ")
      return
        "\(assignment.expression) is null for \(rows), although \(names) \(operands.count == 1 ? "is" : "are") "
        + "not: the result is out of range, a divisor is 0, or a value is not a number"
    }
  }

  /// A note on rows of which operations on texts make null, because they hold numbers or bytes.
  private func textNote(on assignment: Assignment, where query: AnyQuery) -> String? {
    guard assignment.expression.hasOperationOnTexts else { return nil }
    let isLost = query && .isNotNull(key: assignment.key) && .isNull(assignment.expression)
    return rowCount(where: isLost).map { count in
      "\(assignment.key) = \(assignment.expression) sets \(assignment.key) to null in "
        + "\(count == 1 ? "1 row" : "\(count) rows") with a value"
    }
  }

  /// The number of rows that match a query; `nil` where there are none.
  private func rowCount(where query: AnyQuery) -> Int? {
    // A note is no reason for a change to fail.
    let count = try? others.store.blocking.repository(Schema(table)).count(query)
    return count == 0 ? nil : count
  }
}

extension AnyExpression {
  /// Whether texts are joined or their characters counted in it, which is null of numbers and bytes.
  fileprivate var hasOperationOnTexts: Bool {
    var isFound = false
    forEachPart { part, _ in
      if case .function(let function, _) = part.form, function == .concatenate || function == .length { isFound = true }
    }
    return isFound
  }

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
