import Query

/// All that follows from deleting rows: which others are deleted with them, and which refer to nothing afterwards.
///
/// It is found out with a stack of its own, because rows may refer to each other in long chains.
struct Deletion {
  /// The rows that are deleted, in any order.
  private(set) var deleted: [(table: String, identity: MemoryTable.Identity)] = []
  /// The rows that refer to nothing afterwards, as they are then.
  private(set) var changed: [(table: String, identity: MemoryTable.Identity, row: [Value])] = []

  private struct Row: Hashable {
    let table: String
    let identity: MemoryTable.Identity
  }

  /// Looks at all that refers to rows which are to be deleted.
  ///
  /// - Throws: ``RepositoryError`` where a rule forbids it.
  init(
    of identities: [MemoryTable.Identity], from table: String, in tables: MemoryTables
  ) throws(RepositoryError) {
    var gone: Set<Row> = []
    var emptied: [Row: [Value]] = [:]
    var restricting: [(row: Row, reference: Int, key: [Value])] = []
    var referrers: [String: [(table: String, reference: Int)]] = [:]
    var pending = identities.reversed().map { (row: Row(table: table, identity: $0), depth: 0) }
    while let (row, depth) = pending.popLast() {
      guard gone.insert(row).inserted, let target = tables.table(named: row.table),
        let values = target.row(row.identity)
      else { continue }
      deleted.append((row.table, row.identity))
      let references = referrers[row.table] ?? tables.referrers(to: row.table)
      referrers[row.table] = references
      for (name, position) in references {
        guard let source = tables.table(named: name) else { continue }
        let (rule, columns) = source.references[position]
        // A database starts to look for rows that refer to this one, whether there are any or not.
        if rule.onDelete != .restrict, depth >= CascadeLimit.depth { throw .cascadeTooDeep(from: table) }
        let key = target.schema.positions(ofKey: rule).map { values[$0] }
        for identity in source.referrers(position, to: key) {
          let referring = Row(table: name, identity: identity)
          switch rule.onDelete {
          case .cascade: pending.append((referring, depth + 1))
          case .restrict: restricting.append((referring, position, key))
          case .setNull:
            var values = emptied[referring] ?? source.row(identity)?.values ?? []
            for column in columns where column < values.count { values[column] = .null }
            emptied[referring] = values
          }
        }
      }
    }
    for row in emptied.keys.sorted(by: Self.precedes) where !gone.contains(row) {
      guard let values = emptied[row] else { continue }
      try tables.table(named: row.table)?.check(values, replacing: row.identity)
      changed.append((row.table, row.identity, values))
    }
    // Of several rules the same one is named each time.
    let broken = restricting.filter { restriction in
      guard !gone.contains(restriction.row), let source = tables.table(named: restriction.row.table) else {
        return false
      }
      let columns = source.references[restriction.reference].columns
      return emptied[restriction.row].map { values in columns.map { values[$0] } == restriction.key } ?? true
    }
    if let first = broken.min(by: { ($0.row.table, $0.reference) < ($1.row.table, $1.reference) }),
      let rule = tables.table(named: first.row.table)?.references[first.reference].rule
    {
      throw .stillReferenced(by: rule, in: first.row.table)
    }
  }

  private static func precedes(_ lhs: Row, _ rhs: Row) -> Bool {
    lhs.table == rhs.table ? lhs.identity < rhs.identity : lhs.table < rhs.table
  }
}
