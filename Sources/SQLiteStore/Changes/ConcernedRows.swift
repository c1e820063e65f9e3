import Query
import Repository
import SQL

/// The rows that a change is about, as they are before it.
struct ConcernedRows {
  /// How many they are, and how many the table has; `nil` where nobody asked.
  private(set) var count: Int?
  private(set) var total: Int?
  private(set) var fingerprint = 0
  private var kept: [(identity: RowIdentity?, values: [Value])] = []

  /// Of how many rows somebody is shown an example.
  private static let sampleSize = 3

  /// Reads the rows, as far as anybody wants to know.
  init(
    of query: ResolvedQuery, in connection: Connection, _ traits: TableTraits, _ detail: ChangeDetail
  ) throws(RepositoryError) {
    let table = query.table
    if detail == .counts {
      // SQLite counts what it changes by itself, but not what triggers do in the place of a view.
      if !traits.isPlain { count = try connection.integer(SQLiteStore.compiler.count(query)) }
      return
    }
    total = try connection.rowCount(ofTable: table.name)
    var found = 0
    try connection.query(try Self.select(query, traits)) { row throws(RepositoryError) in
      try connection.checkInterruption()
      found += 1
      let values = row.values(count: table.columns.count)
      var hasher = Hasher()
      hasher.combine(values)
      // In any order: that of rows without a key is up to SQLite.
      fingerprint &+= hasher.finalize()
      if detail == .rows || found <= Self.sampleSize {
        kept.append((Self.identity(row, values, table, traits), values))
      }
    }
    count = found
  }

  /// The rows before and after.
  ///
  /// - Parameter after: finds a row again by its identity, if it has one.
  func rows(
    in connection: Connection, after: ([Value], RowIdentity?) throws(RepositoryError) -> [Value]?
  ) throws(RepositoryError) -> [ChangeReport.Row] {
    var rows: [ChangeReport.Row] = []
    rows.reserveCapacity(kept.count)
    for (identity, values) in kept {
      try connection.checkInterruption()
      rows.append(.init(before: values, after: try after(values, identity)))
    }
    return rows
  }

  private static func select(_ query: ResolvedQuery, _ traits: TableTraits) throws(RepositoryError) -> CompiledStatement
  {
    var extra: [String] = []
    if case .rowNumber(let name) = traits.identity { extra.append(name) }
    do throws(QueryError) {
      return SQLiteStore.compiler.select(try query.request(), and: extra)
    } catch {
      throw RepositoryError(error)
    }
  }

  private static func identity(
    _ row: RawStatement, _ values: [Value], _ table: TableSchema, _ traits: TableTraits
  ) -> RowIdentity? {
    switch traits.identity {
    case .rowNumber: row.integer(at: table.columns.count).map(RowIdentity.init(number:))
    case .key: RowIdentity(table.primaryKey.map { values[$0] })
    case .none: nil
    }
  }
}

extension RawStatement {
  /// The values of the first columns; the bytes of a text that is not UTF-8.
  func values(count: Int) -> [Value] {
    (0..<count).map { position in (try? value(at: position)) ?? .blob(bytes(at: position)) }
  }
}
