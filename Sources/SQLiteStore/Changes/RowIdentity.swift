import Query

/// By which a row is found again after a change.
struct RowIdentity {
  /// The row's number, or the values of its key.
  let values: [Value]

  init(_ values: [Value]) {
    self.values = values
  }

  init(number: Int64) {
    values = [.integer(number)]
  }

  /// The identity of the row after columns were set, which may be those that identify it.
  func applying(_ assignments: ResolvedAssignments, in table: TableSchema, _ traits: TableTraits) -> RowIdentity {
    var values = values
    for (part, position) in table.primaryKey.enumerated() {
      guard let assigned = assignments.columns.firstIndex(of: position) else { continue }
      let value = assignments.values[assigned]
      switch traits.identity {
      case .key: values[part] = value
      // The one column that is another name of the row's number.
      case .rowNumber where table.columns[position].isGenerated: values = [value]
      case .rowNumber, .none: break
      }
    }
    return RowIdentity(values)
  }
}
