/// A column and the value that an update gives it.
///
/// ```swift
/// try await pokedex.update(where: .equal(key: "type", value: "fire"), set: [Assignment("weight", 90.0)])
/// ```
public struct Assignment: Hashable, Sendable {
  /// The column's name.
  public let key: String
  /// The value, null where it can't be stored.
  public let value: Value
  /// Why the value can't be stored, if it can't.
  package let error: ValueError?

  /// Gives a column a value.
  public init(_ key: String, _ value: some ValueConvertible) {
    self.key = key
    do throws(ValueError) {
      self.value = try value.makeValue()
      error = nil
    } catch {
      self.value = .null
      self.error = error
    }
  }

  /// A value that can't be stored, which is told when the update is to run.
  package init(_ key: String, failing error: ValueError) {
    self.key = key
    value = .null
    self.error = error
  }
}

/// Assignments whose keys were found in a table and whose values fit it.
public struct ResolvedAssignments: Hashable, Sendable {
  /// The positions of the columns, in the order of the assignments.
  public let columns: [Int]
  /// The values, as the columns keep them.
  public let values: [Value]

  /// Checks assignments against a table.
  ///
  /// - Throws: ``QueryError``: with the code ``QueryError/Code/unknownKey``, with
  ///   ``QueryError/Code/invalidAssignment`` where nothing is set, a column is set twice or is part of the primary key,
  ///   and with ``QueryError/Code/invalidValue`` or ``QueryError/Code/kindMismatch`` where a column can't hold its value.
  public init(_ assignments: [Assignment], in table: TableSchema) throws(QueryError) {
    try self.init(assignments, in: table, keysMayChange: false)
  }

  /// The same, optionally with columns of the primary key: manual changes apply to rows, not to elements.
  package init(_ assignments: [Assignment], in table: TableSchema, keysMayChange: Bool) throws(QueryError) {
    if assignments.isEmpty { throw QueryError(.invalidAssignment, "there is no column to set") }
    var columns: [Int] = []
    var values: [Value] = []
    for assignment in assignments {
      let position = try table.position(of: assignment.key)
      let column = table.columns[position]
      if !keysMayChange, table.primaryKey.contains(position) {
        throw QueryError(
          .invalidAssignment, "\(column.name) is part of the primary key of \(table.name) and can't be set",
          suggestion: "insert an element with the other key and delete the one with this")
      }
      if columns.contains(position) { throw QueryError(.invalidAssignment, "\(column.name) is set twice") }
      if let error = assignment.error {
        throw QueryError(.invalidValue, "\(column.name): \(error.summary)", suggestion: error.suggestion)
      }
      columns.append(position)
      values.append(try column.stored(assignment.value))
    }
    self.columns = columns
    self.values = values
  }

  /// A row after the update.
  public func applied(to row: [Value]) -> [Value] {
    var row = row
    for (column, value) in zip(columns, values) { row[column] = value }
    return row
  }
}
