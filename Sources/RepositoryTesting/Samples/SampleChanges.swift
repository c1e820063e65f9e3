import Query
import Repository

/// An update of samples, with the expected result.
struct SampleUpdate<Model: Sendable>: Sendable {
  let query: AnyQuery
  let assignment: Assignment
  /// The number of elements that the query matches.
  let count: Int
  /// All elements after the update.
  let elements: [Model]
}

extension SampleSet {
  /// Updates that the model and the table's rules allow, one after another: up to two of each column.
  var updates: [SampleUpdate<Model>] {
    var updates: [SampleUpdate<Model>] = []
    var (rows, elements) = (rows, elements)
    for column in contentColumns where !column.isUnique {
      var count = 0
      for value in column.someValues + (column.schema.isNullable ? [.null] : []) where count < 2 {
        guard let (query, found) = target(of: value, in: column, rows) else { continue }
        var (changedRows, changed) = (rows, elements)
        for index in found {
          changedRows[index][column.position] = value
          if let element = element(from: changedRows[index]) { changed[index] = element }
        }
        let isAllowed = found.allSatisfy { index in
          let others = changedRows.indices.filter { $0 != index }.map { changedRows[$0] }
          return element(from: changedRows[index]) != nil && isFree(changedRows[index], among: others)
        }
        if !isAllowed { continue }
        (rows, elements) = (changedRows, changed)
        count += 1
        updates.append(
          SampleUpdate(
            query: query, assignment: Assignment(column.key, value), count: found.count, elements: elements))
      }
    }
    return updates
  }

  /// Returns a query for all keys except that of a row without the value, so that an update of that row would be detected, and
  /// the indices of the matching elements.
  private func target(of value: Value, in column: SampleColumn, _ rows: [[Value]]) -> (AnyQuery, [Int])? {
    guard let position = table.primaryKey.first, let other = rows.firstIndex(where: { $0[column.position] != value })
    else { return nil }
    let query = AnyQuery.notEqual(key: table.columns[position].name, value: rows[other][position])
    guard let found = try? indices(of: query), !found.isEmpty else { return nil }
    return (query, found)
  }
}

/// An element that has the same value in a unique column as another.
struct SampleConflict<Model: Sendable>: Sendable {
  /// The index of the sample whose key the element has.
  let index: Int
  /// The index of the sample whose value the element has.
  let other: Int
  let element: Model
}

extension SampleSet {
  /// Returns a conflict in a column; `nil` if the model refuses all such elements.
  func conflict(in column: SampleColumn) -> SampleConflict<Model>? {
    for other in rows.indices {
      for index in rows.indices.reversed() where index != other {
        if let element = conflictingElement(index, with: column, of: other) {
          return SampleConflict(index: index, other: other, element: element)
        }
      }
    }
    return nil
  }

  /// Returns all elements except those at some indices.
  func elements(without indices: Int...) -> [Model] {
    elements.indices.filter { !indices.contains($0) }.map { elements[$0] }
  }
}
