package import Query
package import Repository
package import SQLStore

/// A manual change of a table's rows, which can be previewed before it is committed.
package enum RowChange: Hashable, Sendable {
  /// Sets columns of the rows that match a query, those of the primary key too.
  case set(AnyQuery, [Assignment])
  /// Adds a row, whose other columns have their defaults.
  case insert([Assignment])
  /// Deletes the rows that match a query.
  case delete(AnyQuery)
}

/// The amount of detail that is collected while a change is made.
package enum ChangeDetail: Hashable, Sendable {
  /// The number of rows.
  case counts
  /// Also which rows were meant, so that two changes can be told apart, how many rows the table has, and the first rows.
  case identity
  /// Also all of the rows.
  case rows
}

/// The effects of a change of rows.
package struct ChangeReport {
  /// A row before and after; `nil` where it was not there yet, is gone, or can't be found again.
  package struct Row: Hashable, Sendable {
    package let before: [Value]?
    package let after: [Value]?
  }

  /// The effects of the change on other rows.
  package struct Effect: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      /// Rows were deleted because they referred to a row that was, or because a rule of the table replaces rows.
      case deleted
      /// Rows no longer refer to a row that was deleted.
      case cleared
      /// Triggers and foreign keys changed rows in another way.
      case changed
    }

    package let kind: Kind
    /// The table of the rows; `nil` where it is not known.
    package let table: String?
    package let count: Int
  }

  /// The number of rows that are kept as an example.
  package static let sampleSize = 3

  package let table: TableSchema
  /// The number of rows that the change itself affected.
  package let count: Int
  /// The number of rows that match the query of a change which has affected none of them: a trigger, or a rule of the database,
  /// ignores the change of each. 0 where rows were affected.
  package var ignoredCount = 0
  /// The number of the table's rows before the change; `nil` unless requested.
  package var total: Int?
  package var effects: [Effect] = []
  /// The rows, or the first few of them, in the order of their keys; none unless requested.
  package var changed = ChangedRows()
  /// A hash of the rows; 0 unless requested.
  package var fingerprint = 0
  /// The positions of the columns of the key, as the table declares it.
  package var key: [Int] = []

  /// Whether two changes were about the same rows and did the same to them. The order in which rows were met, and whether
  /// they were kept, don't matter.
  package func isSame(as other: ChangeReport) -> Bool {
    count == other.count && total == other.total && effects == other.effects && fingerprint == other.fingerprint
  }
}

/// The rows of a change, before and after it.
///
/// It is a class, since all copies of a report share the rows and the file that holds them.
package final class ChangedRows {
  private let spool = RowSpool()

  /// The number of rows that are known.
  package var count: Int { spool.count }

  /// The first ones of them.
  package func first(_ count: Int) throws -> [ChangeReport.Row] {
    var rows: [ChangeReport.Row] = []
    if count == 0 { return rows }
    try forEach { row in
      rows.append(row)
      return rows.count < count
    }
    return rows
  }

  func append(before: [Value]?, after: [Value]?) throws(RepositoryError) {
    // The number of values before and after, in front of them; -1 where there is no row.
    let counts = [before, after].map { Value.integer($0.map { Int64($0.count) } ?? -1) }
    try spool.append(counts + (before ?? []) + (after ?? []))
  }

  /// Passes the rows to a closure until it returns `false`.
  package func forEach(_ body: (ChangeReport.Row) throws -> Bool) throws {
    try spool.forEach { values in
      guard case .integer(let before) = values[0], case .integer(let after) = values[1] else { return true }
      let start = 2 + max(0, Int(before))
      return try body(
        ChangeReport.Row(
          before: before < 0 ? nil : Array(values[2..<start]), after: after < 0 ? nil : Array(values[start...])))
    }
  }
}

extension SQLTransaction {
  /// Changes rows of a table of any kind, and reports the effects.
  ///
  /// - Parameters:
  ///   - change: the change.
  ///   - table: the table's name.
  ///   - detail: the amount of detail to collect. Anything but counts requires reading the rows first.
  ///   - progress: called now and then with the number of rows that have been read.
  /// - Throws: ``RepositoryError`` where there is no such table or column, a value does not fit or a rule is broken;
  ///   nothing of the change is left then.
  package func change(
    _ change: RowChange, in table: String, detail: ChangeDetail, progress: @escaping (Int) -> Void = { _ in }
  ) throws(RepositoryError) -> ChangeReport {
    try performBlocking(.write) { connection throws(RepositoryError) in
      let schema = try connection.catalog.requiredSchema(ofTable: table)
      return try connection.atomically { () throws(RepositoryError) in
        try RowChangeWriter(connection: connection, progress: progress).change(change, in: schema, detail: detail)
      }
    }
  }
}

extension BlockingStore where Base: SQLDatabase {
  /// Runs a closure in a transaction, and undoes its changes once their effects are known.
  ///
  /// - Throws: as ``Store/transaction(_:)`` does; it is all undone then as well.
  package func dryRun<Result>(
    _ kind: TransactionKind = .writing, _ body: (SQLTransaction) throws -> Result
  ) throws -> Result {
    var result: Result?
    do {
      try transaction(kind) { (transaction: SQLTransaction) in
        result = try body(transaction)
        // A transaction is undone by any error.
        throw Undoing()
      }
    } catch is Undoing {}
    guard let result else { throw Undoing() }
    return result
  }
}

/// The error that ends a transaction which is not to be kept.
private struct Undoing: Error {}
