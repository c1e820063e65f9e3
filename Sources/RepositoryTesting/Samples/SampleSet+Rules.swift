import Query
import Repository

// What the rules of a table have to say about rows that are made of samples. References are left out: what they lead to is
// in other tables, of which the suite knows nothing.
extension SampleSet {
  /// Whether no other row has the same values in columns that are unique together.
  func isFree(_ row: [Value], among others: some Sequence<[Value]>) -> Bool {
    table.uniqueSets.allSatisfy { set in
      let values = set.map { row[$0] }
      return values.contains(where: \.isNull) || !others.contains { other in set.map { other[$0] } == values }
    }
  }

  /// Whether a row can stand in the place of the one at an index.
  func isFree(_ row: [Value], inPlaceOf index: Int) -> Bool {
    table.uniqueSets.isEmpty || isFree(row, among: rows.indices.filter { $0 != index }.map { rows[$0] })
  }

  /// An element with the key of one and the values of another in columns that are unique together; `nil` where there is
  /// none.
  func twin(in set: [Int]) -> Model? {
    for index in rows.indices {
      for other in rows.indices where other != index {
        var row = rows[index]
        for position in set where !table.primaryKey.contains(position) { row[position] = rows[other][position] }
        // A column that is unique alone would be another conflict.
        if row == rows[index] || uniqueColumns.contains(where: { row[$0.position] != rows[index][$0.position] }) {
          continue
        }
        if !isFree(row, inPlaceOf: index), let element = element(from: row) { return element }
      }
    }
    return nil
  }

  /// An element that breaks one check alone; `nil` where neither values of the samples nor those close to the check's own
  /// lead to any.
  func element(breaking check: CheckRule) -> Model? {
    let literals = check.query.literals
    for index in rows.indices {
      for column in contentColumns where !column.isUnique {
        for value in literals + column.probes + (column.schema.isNullable ? [.null] : []) {
          var row = rows[index]
          row[column.position] = value
          if brokenChecks(row) == [check.name], isFree(row, inPlaceOf: index), let element = made(from: row) {
            return element
          }
        }
      }
    }
    return nil
  }
}

extension AnyQuery {
  /// The values that a query compares with, and some close to them.
  fileprivate var literals: [Value] {
    var values: [Value] = []
    var pending = [self]
    while let query = pending.popLast() {
      switch query.form {
      case .not(let query): pending.append(query)
      case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [lhs, rhs]
      case .condition(let condition): values += condition.operands.compactMap(\.value)
      }
    }
    return values.flatMap { value -> [Value] in
      switch value {
      case .integer(let integer):
        [value, .integer(integer.addingReportingOverflow(1).partialValue)]
          + [.integer(integer.subtractingReportingOverflow(1).partialValue), .real(Double(integer))]
          + [.real(Double(integer) + 1), .real(Double(integer) - 1)]
      case .real(let real): [value, .real(real + 1), .real(real - 1)]
      case .text(let text): [value, .text(text + "a"), .text("")]
      case .null, .blob: [value]
      }
    }
  }
}
