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

  /// The values of a primary key as the table holds them.
  ///
  /// - Throws: ``RepositoryError`` where the table can't hold the key, so that no row can have it, or where the key has
  ///   another number of columns than the table's.
  public func key(_ id: some PrimaryKey) throws(RepositoryError) -> [Value] {
    if primaryKey.isEmpty { throw .keyless(self) }
    let columns = primaryKeyColumns
    var key: [Value] = []
    do {
      key = try id.keyValues()
      guard key.count == columns.count else {
        throw RepositoryError(
          .invalidValue, "the key of \(name) has \(columns.count) columns, not \(key.count)",
          reason: "it is made of \(columns.map(\.name).joined(separator: " and "))")
      }
      return try zip(columns, key).map { column, value in try column.stored(value) }
    } catch let error as ValueError {
      throw .unstorable(ColumnFault(column: columns.count == 1 ? columns[0].name : nil, error: error), in: self)
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

extension RepositoryError {
  /// Says how a table differs from the schema with which it is opened; `nil` if it does not.
  package static func mismatch(present: TableSchema, expected: TableSchema) -> RepositoryError? {
    var differences: [String] = []
    for column in expected.columns {
      guard let found = present.columns.first(where: { $0.isCalled(column.name) }) else {
        differences.append("column \(column.name) is missing")
        continue
      }
      if found.loose == nil, found.type != column.type {
        differences.append("column \(column.name) holds \(found.type), not \(column.type)")
      }
      if column.isUnique, !found.isUnique, expected.primaryKeyColumns != [column] {
        differences.append("column \(column.name) is not unique")
      }
      if found.isNullable != column.isNullable {
        differences.append("column \(column.name) may \(found.isNullable ? "be null" : "not be null")")
      }
    }
    for column in present.columns where !expected.columns.contains(where: { $0.isCalled(column.name) }) {
      // A column that the schema does not know is left alone where that does no harm.
      if !column.isNullable { differences.append("column \(column.name) is not in the schema and may not be null") }
    }
    let (foundKey, key) = (present.primaryKeyColumns.map(\.name), expected.primaryKeyColumns.map(\.name))
    if !foundKey.elementsEqual(key, by: { $0.utf8.elementsEqual($1.utf8) }) {
      differences.append(
        "the primary key is \(foundKey.isEmpty ? "missing" : foundKey.joined(separator: ", ")), "
          + "not \(key.joined(separator: ", "))")
    }
    if differences.isEmpty { return nil }
    return RepositoryError(
      .schemaMismatch, "table \(expected.name) differs from its schema", reason: differences.joined(separator: "; "),
      suggestion: "change the schema, or the table")
  }
}
