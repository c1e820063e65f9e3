public import Query

/// The readable elements of a result, and the rows that can't be read.
public struct PartialResult<Element: Storable>: Sendable {
  /// The elements, in the order of the request.
  public let elements: [Element]
  /// The rows that could not be decoded, in that order.
  public let unreadable: [UnreadableRow]

  /// Makes a result, for repositories of your own.
  public init(elements: [Element], unreadable: [UnreadableRow] = []) {
    self.elements = elements
    self.unreadable = unreadable
  }
}

/// A row that can't be decoded, because a value does not fit its property.
public struct UnreadableRow: Sendable {
  /// The values of the row's primary key, by which it can be repaired or deleted; `nil` if they can't be read themselves.
  public let key: [Value]?
  /// The column whose value does not fit; `nil` if the model type refused the row as a whole.
  public let column: String?
  /// The error that `findAll(_:)` throws for the row. It contains no value of the row.
  public let error: RepositoryError

  /// Makes a description of a row, for repositories of your own.
  public init(key: [Value]?, column: String?, error: RepositoryError) {
    self.key = key
    self.column = column
    self.error = error
  }
}

extension UnreadableRow: CustomStringConvertible {
  /// The description of the error, which identifies the row only by a numeric key, so that it may be logged.
  public var description: String { "\(error)" }
}

extension Repository {
  /// Finds all elements, and throws if one can't be read, by default.
  public func findAllReadable(_ request: FetchRequest) async throws(RepositoryError) -> PartialResult<Element> {
    PartialResult(elements: try await findAll(request))
  }
}

extension RowCoder {
  /// Reads an element from a row, or adds the row to those that can't be read.
  ///
  /// - Parameter explain: called with the error of a row that can't be read, to add what the store knows.
  /// - Throws: as ``element(from:in:at:)`` does, but only for mistakes in the schema.
  package func element(
    from row: any Row, in table: TableSchema, at number: Int, orAddingTo unreadable: inout [UnreadableRow],
    explaining explain: (RepositoryError) -> RepositoryError = { $0 }
  ) throws(RepositoryError) -> Element? {
    do throws(RepositoryError) {
      return try element(from: row, in: table, at: number)
    } catch {
      guard error.code == .unreadableRow else { throw error }
      unreadable.append(
        UnreadableRow(
          key: row.values(at: table.primaryKey), column: (error.underlying as? ColumnError)?.column,
          error: explain(error)))
      return nil
    }
  }
}
