import Query

/// Tells of sums and averages of values of JSON that are no numbers, which are left out of them.
struct JSONSumNotes {
  private static let sampleSize = 1_000

  let table: TableSchema
  let others: OtherTables

  func tell(of aggregate: AnyAggregate) {
    guard aggregate.function == .sum || aggregate.function == .average, let key = aggregate.key,
      case .path(let steps) = key.form, let found = table.jsonPlace(of: steps, with: { _ in nil }), found.step == 0
    else { return }
    let pointer = JSONPointer(Array(steps.dropFirst()))
    var (rowCount, count, misfits) = (0, 0, [Value]())
    // A note is no reason for a query to fail.
    try? others.forEachValue(of: found.column, in: table) { value in
      rowCount += 1
      let value = pointer.value(in: value)
      if !value.isNull { count += 1 }
      if !value.isNull, value.kind != .number { misfits.append(value) }
      return rowCount < Self.sampleSize
    }
    guard let example = misfits.first else { return }
    let text = VisibleText.excerpt(of: Array(example.description.utf8)[...])
    others.tellOnce(
      "note: \(aggregate) leaves out what is no number: \(misfits.count) of the first \(count) values of \(key), such as \(text)"
    )
  }
}
