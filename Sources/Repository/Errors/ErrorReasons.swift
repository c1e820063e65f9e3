public import Query

extension RepositoryError {
  /// Makes the error for a request or a schema that was refused before anything ran.
  public init(_ error: QueryError) {
    let code: Code =
      switch error.code {
      case .invalidSchema: .invalidSchema
      default: .invalidQuery
      }
    self.init(code, error.summary, reason: error.reason, suggestion: error.suggestion, underlying: error)
  }

  /// Makes the error for an aggregate without a value.
  public init(_ error: AggregateError) {
    self.init(
      Code(rawValue: error.code.rawValue), error.summary, reason: error.reason, suggestion: error.suggestion,
      underlying: error)
  }

  /// Makes a repository error from any error, for code with typed throws.
  package init(translating error: any Error) {
    self =
      error as? RepositoryError
      ?? RepositoryError(.storeFailure, "the operation failed with \(type(of: error))", underlying: error)
  }

  /// Returns the error for a key that no element has.
  public static func notFound<Element>(_ type: Element.Type) -> RepositoryError {
    RepositoryError(.notFound, "no \(type) has this key", suggestion: "use `find`, which returns nil for a missing key")
  }

  /// Returns the error for a table that the store does not have.
  public static func missingTable(_ name: String, among tables: [String]) -> RepositoryError {
    if tables.contains(where: { Name($0) == Name(name) }) {
      return RepositoryError(
        .unsupported, "the table \(name) has no columns", reason: "the table has no values to read or write",
        suggestion: "add a column to the table, or drop the table")
    }
    let nearest = NearestName.nearest(to: name, in: tables)
    return RepositoryError(
      .missingTable, "there is no table \(name)",
      suggestion: nearest.map { "did you mean \($0)?" }
        ?? (tables.isEmpty
          ? "the database is empty"
          : tables.count == 1
            ? "the only table is \(tables[0])" : "the tables are \(tables.joined(separator: ", "))"))
  }

  /// Returns the error for a table without a key, whose rows can be read and added, but not identified.
  package static func noPrimaryKey(_ table: TableSchema) -> RepositoryError {
    RepositoryError(
      .unsupported, "\(table.name) has no primary key", reason: "find rows of \(table.name) by a query, not by a key")
  }

  static func unstorable(_ fault: ColumnError, in table: TableSchema) -> RepositoryError {
    RepositoryError(
      .invalidValue, "can't store this value in \(table.name)\(fault.column.map { ", column \($0)" } ?? "")",
      reason: fault.error.summary, suggestion: fault.error.suggestion, underlying: fault)
  }

  /// Makes the error for invalid assignments.
  package init(_ error: QueryError, ofAssignmentsIn table: TableSchema) {
    self = error.code == .kindMismatch || error.code == .invalidValue ? .unstorable(error, in: table) : .init(error)
  }

  static func unstorable(_ error: QueryError, in table: TableSchema) -> RepositoryError {
    RepositoryError(
      .invalidValue, "can't store this value in \(table.name)", reason: error.summary, suggestion: error.suggestion,
      underlying: error)
  }

  static func unreadableRow(
    _ fault: ColumnError, key: [Value]?, at number: Int? = nil, in table: TableSchema
  ) -> RepositoryError {
    // A key of numbers identifies the row without revealing other data.
    let numericKey = key.flatMap { key in
      key.isEmpty || key.contains { $0.kind != .number }
        ? nil : key.map(String.init(describing:)).joined(separator: ", ")
    }
    let row =
      numericKey.map { "row \($0) of \(table.name)" } ?? number.map { "row \($0) of the result from \(table.name)" }
      ?? "a row of \(table.name)"
    return RepositoryError(
      .unreadableRow, "can't read \(row)\(fault.column.map { ", column \($0)" } ?? "")",
      reason: fault.error.summary, suggestion: fault.error.suggestion, underlying: fault)
  }

  /// Returns the error for a row in which a column does not hold a value.
  package static func unreadableRow(
    _ error: ValueError, column: String, key: [Value]?, at number: Int, in table: TableSchema
  ) -> RepositoryError {
    .unreadableRow(ColumnError(column: column, error: error), key: key, at: number, in: table)
  }

  /// Returns the error for an aggregate of a stored value that can't be read.
  package static func unreadableAggregate(_ error: ValueError, _ column: String?, in table: TableSchema)
    -> RepositoryError
  {
    .unreadableRow(ColumnError(column: column, error: error), key: nil, in: table)
  }

  static func primaryKeyIsNotID(_ table: TableSchema) -> RepositoryError {
    let names = table.primaryKeyColumns.map(\.name).joined(separator: " and ")
    return RepositoryError(
      .invalidSchema, "the primary key of \(table.name) is not the id of its elements",
      reason: "\(names) contains values other than `id`",
      suggestion: "mark the columns of the `id` with .primaryKey")
  }

  static func swappedColumns(_ first: String, _ second: String, in table: TableSchema) -> RepositoryError {
    RepositoryError(
      .invalidSchema, "reading \(table.name) swaps the values of \(first) and \(second)",
      reason: "the order of the schema's columns differs from the order of the initialiser's parameters",
      suggestion: "swap \(first) and \(second) in the schema")
  }
}

extension RepositoryError {
  /// The error of a cancelled task.
  package static let cancelled = RepositoryError(
    .cancelled, "the task was cancelled", reason: "the store saved no changes")

  /// The error of a write within a transaction that only reads.
  @usableFromInline
  package static let writeInsideRead = RepositoryError(
    .writeInsideRead, "a read-only transaction can't write",
    reason: "the transaction reads one snapshot of the store, which a write would change",
    suggestion: "use `transaction` instead of `read`")

  /// The error of observing that was started within a transaction.
  package static let changesInsideTransaction = RepositoryError(
    .unsupported, "can't observe results within a transaction",
    reason: "other writers wait for the transaction, which would wait for their changes",
    suggestion: "observe before or after the transaction")

  /// The error of a repository that was used after its transaction.
  package static let transactionEnded = RepositoryError(
    .transactionEnded, "the transaction has ended",
    reason: "a repository of a transaction is valid only within the transaction's closure",
    suggestion: "open a repository of the store")

  /// Returns the error for a transaction that the store itself has rolled back.
  package static func transactionFailed(_ cause: RepositoryError?) -> RepositoryError {
    RepositoryError(
      .transactionEnded, "the transaction has failed, and the store rolled back all changes",
      reason: cause.map { "after this error the store had to roll back the transaction: \($0.summary)" },
      suggestion: "let the error leave the closure, and repeat the whole transaction", underlying: cause)
  }
}

/// An error for a property that can't be stored, or a stored value that can't be read, with its column.
public struct ColumnError: Error, Hashable, Sendable {
  /// The column; `nil` if the model type's initialiser refused the row as a whole.
  public let column: String?
  /// The error of the value.
  public let error: ValueError

  @usableFromInline
  init(column: String?, error: ValueError) {
    self.column = column
    self.error = error
  }
}
