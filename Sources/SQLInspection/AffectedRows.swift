import Query
import Repository
import SQL
import SQLStore

/// The rows that a change affects, as they are before it.
struct AffectedRows {
  /// The number of affected rows, and of the table's rows; `nil` unless requested.
  private(set) var count: Int?
  private(set) var total: Int?
  private(set) var fingerprint = 0
  /// The columns of each row, followed by those that identify it otherwise.
  private let kept = RowSpool()
  private let table: TableSchema
  private let traits: TableTraits
  private let progress: (Int) -> Void

  /// Reads the rows, in the requested detail.
  init(
    of query: ResolvedQuery, in connection: Connection, _ traits: TableTraits, _ detail: ChangeDetail,
    progress: @escaping (Int) -> Void
  ) throws(RepositoryError) {
    table = query.table
    (self.traits, self.progress) = (traits, progress)
    if detail == .counts {
      // A database counts its own changes, but SQLite not those of a view's `INSTEAD OF` triggers.
      if !traits.countsChangesExactly { count = try connection.integer(connection.compiler.count(query)) }
      return
    }
    total = try connection.rowCount(ofTable: table.name)
    var found = 0
    try connection.query(try Self.select(query, traits, connection.compiler)) { row throws(RepositoryError) in
      try connection.checkInterruption()
      found += 1
      if found & 0x3FF == 0 { progress(found) }
      var values = row.values(count: table.columns.count)
      var hasher = Hasher()
      hasher.combine(values)
      // In any order: the order of rows without a key is up to the database.
      fingerprint &+= hasher.finalize()
      if detail == .rows || found <= ChangeReport.sampleSize {
        if case .rowid = traits.identity {
          values.append(row.integer(at: table.columns.count).map(Value.integer) ?? .null)
        }
        try kept.append(values)
      }
    }
    count = found
  }

  /// Returns the rows before and after.
  ///
  /// - Parameter after: finds a row again by its identity, if it has one.
  func rows(
    in connection: Connection, after: ([Value], RowIdentity?) throws(RepositoryError) -> [Value]?
  ) throws(RepositoryError) -> ChangedRows {
    let rows = ChangedRows()
    var count = 0
    do {
      try kept.forEach { values in
        try connection.checkInterruption()
        count += 1
        if count & 0x3FF == 0 { progress(count) }
        let before = Array(values.prefix(table.columns.count))
        try rows.append(before: before, after: try after(before, identity(of: values)))
        return true
      }
    } catch let error as RepositoryError {
      throw error
    } catch {
      throw RepositoryError(.inputOutput, "can't read back the rows", reason: "\(error)")
    }
    return rows
  }

  private static func select(
    _ query: ResolvedQuery, _ traits: TableTraits, _ compiler: Compiler
  ) throws(RepositoryError) -> CompiledStatement {
    var extra: [String] = []
    if case .rowid(let name) = traits.identity { extra.append(name) }
    do throws(QueryError) {
      return compiler.select(try query.request(), and: extra)
    } catch {
      throw RepositoryError(error)
    }
  }

  private func identity(of values: [Value]) -> RowIdentity? {
    switch traits.identity {
    case .rowid:
      if case .integer(let number)? = values.last { RowIdentity(number: number) } else { nil }
    case .key: RowIdentity(table.primaryKey.map { values[$0] })
    case .none: nil
    }
  }
}

/// Counts what a change does to rows that it does not name.
struct Cascades {
  private struct Watched {
    let table: String
    /// The columns that are set to null where the row they refer to is deleted, one set a reference.
    var cleared: [[String]] = []
    var isDeletedFrom = false
    var countBefore = 0
    var clearedBefore = 0
  }

  private let connection: Connection
  private let changesBefore: Int
  private let table: String
  private let countsChangesExactly: Bool
  private var watched: [Watched] = []

  /// Counts rows and null references before the change.
  ///
  /// - Parameter isDeletion: whether rows that refer to those of the table may be deleted with them.
  init(
    of connection: Connection, on table: TableSchema, _ traits: TableTraits, isDeletion: Bool
  ) throws(RepositoryError) {
    self.connection = connection
    self.table = table.name
    countsChangesExactly = traits.countsChangesExactly
    changesBefore = connection.raw.totalChangedRows
    if isDeletion { try findReferring() }
    if traits.mayReplace, !watched.contains(where: { Name($0.table) == table.name }) {
      watched.append(Watched(table: table.name, isDeletedFrom: true))
    }
    for position in watched.indices {
      watched[position].countBefore = try connection.rowCount(ofTable: watched[position].table)
      watched[position].clearedBefore = try countCleared(watched[position])
    }
  }

  /// Counts again: the differences are the effects of the change.
  ///
  /// - Parameters:
  ///   - count: the number of rows that the statement itself changed.
  ///   - growth: the number of rows that the statement itself added to the table.
  func effects(count: Int, growth: Int) throws(RepositoryError) -> [ChangeReport.Effect] {
    var effects: [ChangeReport.Effect] = []
    var known = count
    for table in watched {
      let isOwn = Name(table.table) == self.table
      let deleted =
        table.countBefore - (try connection.rowCount(ofTable: table.table)) + (isOwn ? growth : 0)
      if table.isDeletedFrom, deleted > 0 {
        effects.append(.init(kind: .deleted, table: table.table, count: deleted))
        known += deleted
      }
      let cleared = try countCleared(table) - table.clearedBefore
      if cleared > 0 {
        effects.append(.init(kind: .cleared, table: table.table, count: cleared))
        known += cleared
      }
    }
    // A virtual table keeps its rows in others, which are counted too.
    let rest = connection.raw.totalChangedRows - changesBefore - known
    if countsChangesExactly, rest > 0 { effects.append(.init(kind: .changed, table: nil, count: rest)) }
    return effects
  }

  /// Finds the tables whose rows are deleted with those of this one, or whose references become null, transitively.
  private mutating func findReferring() throws(RepositoryError) {
    let catalog = try connection.inspection
    var reached = [table]
    var position = 0
    while position < reached.count {
      let parent = reached[position]
      let children = ([parent] + (try catalog.tables(referringTo: parent))).sorted { Name($0) < Name($1) }
      for name in children {
        for rule in try catalog.references(ofTable: name) where Name(rule.table).equalsFolded(parent) {
          guard rule.onDelete == .cascade || rule.onDelete == .setNull else { continue }
          let found = watched.firstIndex { Name($0.table) == name }
          let index = found ?? watched.count
          if found == nil { watched.append(Watched(table: name)) }
          if rule.onDelete == .setNull {
            watched[index].cleared.append(rule.columns)
          } else {
            watched[index].isDeletedFrom = true
            if !reached.contains(foldedNamed: name) { reached.append(name) }
          }
        }
      }
      position += 1
    }
  }

  /// Returns the number of a table's references that are null.
  private func countCleared(_ table: Watched) throws(RepositoryError) -> Int {
    var count = 0
    for columns in table.cleared {
      let condition = columns.map { "\(connection.quoted($0)) IS NULL" }.joined(separator: " AND ")
      let sql = "SELECT count(*) FROM \(connection.quoted(table.table)) WHERE \(condition)"
      count += try connection.integer(CompiledStatement(sql: sql, bindings: []))
    }
    return count
  }
}
