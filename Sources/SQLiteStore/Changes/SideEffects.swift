import Query
import Repository
import SQL

/// Counts what a change does to rows that it does not name.
struct SideEffects {
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
  private let isPlain: Bool
  private var watched: [Watched] = []

  /// Looks at how things are before the change.
  ///
  /// - Parameter isDeletion: whether rows that refer to those of the table may go with them.
  init(
    of connection: Connection, on table: TableSchema, _ traits: TableTraits, isDeletion: Bool
  ) throws(RepositoryError) {
    self.connection = connection
    self.table = table.name
    isPlain = traits.isPlain
    changesBefore = connection.totalChanges
    if isDeletion { try findReferring() }
    if traits.mayReplace, !watched.contains(where: { $0.table.isExactly(table.name) }) {
      watched.append(Watched(table: table.name, isDeletedFrom: true))
    }
    for position in watched.indices {
      watched[position].countBefore = try connection.rowCount(ofTable: watched[position].table)
      watched[position].clearedBefore = try countCleared(watched[position])
    }
  }

  /// Looks again, and tells the difference.
  ///
  /// - Parameters:
  ///   - count: how many rows the statement itself changed.
  ///   - growth: by how many rows it itself made the table longer.
  func effects(count: Int, growth: Int) throws(RepositoryError) -> [ChangeReport.Effect] {
    var effects: [ChangeReport.Effect] = []
    var known = count
    for table in watched {
      let isOwn = table.table.isExactly(self.table)
      let deleted = table.countBefore - (try connection.rowCount(ofTable: table.table)) + (isOwn ? growth : 0)
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
    let rest = connection.totalChanges - changesBefore - known
    if isPlain, rest > 0 { effects.append(.init(kind: .changed, table: nil, count: rest)) }
    return effects
  }

  /// Finds the tables whose rows go with those of this one, or lose what they refer to, however far that goes.
  private mutating func findReferring() throws(RepositoryError) {
    var references: [(table: String, rule: ReferenceRule)] = []
    for name in try connection.tableNames() {
      for rule in try connection.references(ofTable: name) { references.append((name, rule)) }
    }
    var reached: [[UInt8]] = [table.asciiLowercased]
    var position = 0
    while position < reached.count {
      for (name, rule) in references where rule.table.asciiLowercased == reached[position] {
        guard rule.onDelete == .cascade || rule.onDelete == .setNull else { continue }
        let found = watched.firstIndex { $0.table.isExactly(name) }
        let index = found ?? watched.count
        if found == nil { watched.append(Watched(table: name)) }
        if rule.onDelete == .setNull {
          watched[index].cleared.append(rule.columns)
        } else {
          watched[index].isDeletedFrom = true
          if !reached.contains(name.asciiLowercased) { reached.append(name.asciiLowercased) }
        }
      }
      position += 1
    }
  }

  /// How many references of a table's rows are null.
  private func countCleared(_ table: Watched) throws(RepositoryError) -> Int {
    var count = 0
    for columns in table.cleared {
      let condition = columns.map { "\(quoted($0)) IS NULL" }.joined(separator: " AND ")
      count += try connection.integer(
        CompiledStatement(sql: "SELECT count(*) FROM \(quoted(table.table)) WHERE \(condition)", bindings: []))
    }
    return count
  }

  private func quoted(_ name: String) -> String { SQLiteStore.compiler.dialect.quoted(name) }
}
