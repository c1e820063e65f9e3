public import Query

// What every store does before it runs anything, with the errors of a repository.
extension TableSchema {
  /// Checks a request against the table.
  public func resolve(_ request: FetchRequest) throws(RepositoryError) -> ResolvedRequest {
    do throws(QueryError) {
      return try request.resolved(in: self)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks a query against the table.
  public func resolve(_ query: AnyQuery) throws(RepositoryError) -> ResolvedQuery {
    do throws(QueryError) {
      return try query.resolved(in: self)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks a question for figures against the table.
  public func resolve(_ request: FigureRequest) throws(RepositoryError) -> ResolvedFigures {
    do throws(QueryError) {
      return try request.resolved(in: self)
    } catch {
      throw RepositoryError(error)
    }
  }

  /// Checks assignments against the table.
  public func resolve(_ assignments: [Assignment]) throws(RepositoryError) -> ResolvedAssignments {
    do throws(QueryError) {
      return try ResolvedAssignments(assignments, in: self)
    } catch {
      throw error.code == .kindMismatch || error.code == .invalidValue ? .unstorable(error, in: self) : .init(error)
    }
  }

  /// The values of a primary key as the table holds them.
  ///
  /// - Throws: ``RepositoryError`` where the table can't hold the key, so that no row can have it, or where the key has
  ///   another number of columns than the table's.
  public func key(_ id: some PrimaryKey) throws(RepositoryError) -> [Value] {
    if primaryKey.isEmpty { throw .keyless(self) }
    var key: [Value] = []
    do throws(ValueError) {
      key = try id.keyValues()
    } catch {
      throw .unstorable(
        ColumnFault(column: primaryKey.count == 1 ? self.columns[primaryKey[0]].name : nil, error: error), in: self)
    }
    // As nearly always.
    if isKept(key: key) { return key }
    let columns = primaryKeyColumns
    do {
      guard key.count == columns.count else {
        throw RepositoryError(
          .invalidValue, "the key of \(name) has \(columns.count) columns, not \(key.count)",
          reason: "it is made of \(columns.map(\.name).joined(separator: " and "))")
      }
      return try zip(columns, key).map { column, value in try column.stored(value) }
    } catch let error as QueryError {
      throw RepositoryError(error)
    } catch {
      throw RepositoryError(translating: error)
    }
  }

  /// The query that means the row with a key.
  package func query(forKey key: [Value]) -> AnyQuery {
    .all(of: zip(primaryKeyColumns, key).map { .equal(key: $0.name, value: $1) })
  }
}
