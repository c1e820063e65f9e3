import Query

/// The effects of deleting rows: the rows that cascades delete with them, and those whose references become null.
///
/// It is computed with an explicit stack, because rows may refer to each other in long chains.
struct MemoryDeletion {
  /// The rows that are deleted, in any order.
  private(set) var deleted: [(table: String, identity: MemoryTable.Identity)] = []
  /// The deferred references to deleted rows, which are checked later.
  private(set) var deferred: [DeferredReference] = []
  /// The rows whose references become null, as they are afterwards.
  private(set) var changed: [(table: String, identity: MemoryTable.Identity, row: [Value])] = []

  private struct Row: Hashable {
    let name: Name
    let identity: MemoryTable.Identity

    init(table: String, identity: MemoryTable.Identity) {
      (name, self.identity) = (Name(table), identity)
    }

    var table: String { name.text }
  }

  private let tables: MemoryTables
  private var gone: Set<Row> = []
  /// The values of the rows whose references become null.
  private var emptied: [Row: [Value]] = [:]
  /// The rows whose references restrict the deletion of a row with this key.
  private var restricting: [(row: Row, reference: Int, key: [Value])] = []

  /// Collects all rows that refer to rows to be deleted.
  ///
  /// - Throws: ``RepositoryError`` if a rule restricts the deletion.
  init(
    of identities: [MemoryTable.Identity], from table: String, in tables: MemoryTables
  ) throws(RepositoryError) {
    self.tables = tables
    try cascade(from: identities, of: table)
    try checkEmptied()
    try checkRestrictions()
  }

  /// Follows the references to deleted rows, depth first.
  private mutating func cascade(from identities: [MemoryTable.Identity], of table: String) throws(RepositoryError) {
    var referrers: [Name: [(table: String, reference: Int)]] = [:]
    var pending = identities.reversed().map { (row: Row(table: table, identity: $0), depth: 0) }
    while let (row, depth) = pending.popLast() {
      guard gone.insert(row).inserted, let target = tables.table(named: row.table),
        let values = target.row(row.identity)
      else { continue }
      deleted.append((row.table, row.identity))
      let references = referrers[row.name] ?? tables.referrers(to: row.table)
      referrers[row.name] = references
      for (name, position) in references {
        guard let source = tables.table(named: name) else { continue }
        let (rule, columns) = source.references[position]
        // The limit holds even if no rows refer to the row: a database starts to look for them before it knows whether there
        // are any.
        if rule.onDelete != .restrict, depth >= CascadeLimit.depth { throw .cascadeTooDeep(from: table) }
        let key = target.schema.positions(ofKey: rule).map { values[$0] }
        for identity in source.referrers(position, to: key) {
          let referring = Row(table: name, identity: identity)
          switch rule.onDelete {
          case .cascade: pending.append((referring, depth + 1))
          case .restrict where rule.isDeferred && tables.isDeferring:
            deferred.append(DeferredReference(table: name, reference: position, key: key))
          case .restrict: restricting.append((referring, position, key))
          case .setNull:
            var values = emptied[referring] ?? source.row(identity)?.values ?? []
            for column in columns where column < values.count { values[column] = .null }
            emptied[referring] = values
          }
        }
      }
    }
  }

  /// Checks the rows whose references become null against the rules of their tables.
  private mutating func checkEmptied() throws(RepositoryError) {
    for row in emptied.keys.sorted(by: Self.precedes) where !gone.contains(row) {
      guard let values = emptied[row] else { continue }
      try tables.table(named: row.table)?.check(values, replacing: row.identity)
      changed.append((row.table, row.identity, values))
    }
  }

  /// Throws if a row that is left still refers to a deleted one. If the deletion violates several rules, the error always names
  /// the same one.
  private func checkRestrictions() throws(RepositoryError) {
    let broken = restricting.filter { restriction in
      guard !gone.contains(restriction.row), let source = tables.table(named: restriction.row.table) else {
        return false
      }
      let columns = source.references[restriction.reference].columns
      return emptied[restriction.row].map { values in columns.map { values[$0] } == restriction.key } ?? true
    }
    let rules = broken.compactMap { restriction in
      tables.table(named: restriction.row.table).map { (restriction, rule: $0.references[restriction.reference].rule) }
    }
    // A deferred reference is checked at the end, after all others.
    let candidates = rules.contains { !$0.rule.isDeferred } ? rules.filter { !$0.rule.isDeferred } : rules
    guard
      let (first, rule) = candidates.min(by: { ($0.0.row.name, $0.0.reference) < ($1.0.row.name, $1.0.reference) })
    else { return }
    throw rule.isDeferred
      ? .foreignKeyViolationAtEnd(rule, in: first.row.table) : .restrictViolation(by: rule, in: first.row.table)
  }

  private static func precedes(_ lhs: Row, _ rhs: Row) -> Bool {
    lhs.name == rhs.name ? lhs.identity < rhs.identity : lhs.name < rhs.name
  }
}

/// A deferred reference to a row that was missing when a row that refers to it was written, or that was deleted.
struct DeferredReference: Sendable {
  /// The referring table.
  let table: String
  /// The position of the reference among those of the table.
  let reference: Int
  let key: [Value]
}

extension MemoryTables {
  /// Makes a write, and checks its deferred references at its end, unless the write is a part of a transaction, or of another
  /// write.
  mutating func deferringReferences<Result>(
    _ write: (inout MemoryTables) throws(RepositoryError) -> Result
  ) throws(RepositoryError) -> Result {
    if isDeferring { return try write(&self) }
    isDeferring = true
    defer { (isDeferring, deferredReferences) = (false, []) }
    let result = try write(&self)
    try checkDeferredReferences()
    return result
  }

  /// Returns the tables at the end of a transaction.
  ///
  /// - Throws: ``RepositoryError`` if a row refers to a row that does not exist.
  func afterDeferredChecks() throws(RepositoryError) -> MemoryTables {
    try checkDeferredReferences()
    var tables = self
    (tables.isDeferring, tables.deferredReferences) = (false, [])
    return tables
  }

  private func checkDeferredReferences() throws(RepositoryError) {
    for deferred in deferredReferences {
      // The row may have been added since, or those that refer to it may be gone.
      guard let source = table(named: deferred.table),
        !source.referrers(deferred.reference, to: deferred.key).isEmpty
      else { continue }
      let rule = source.references[deferred.reference].rule
      if table(named: rule.table)?.position(of: RowKey(deferred.key)) == nil {
        throw .foreignKeyViolationAtEnd(rule, in: deferred.table)
      }
    }
  }

  /// Checks that the rows to which a row refers exist; it may refer to itself. The check of deferred references is noted.
  mutating func checkReferences(of row: [Value], in schema: TableSchema) throws(RepositoryError) {
    if schema.references.isEmpty { return }
    let table = try table(schema)
    for (position, (reference, columns)) in table.references.enumerated() {
      let values = columns.map { row[$0] }
      if values.contains(where: \.isNull) { continue }
      guard let target = self.table(named: reference.table) else {
        throw .missingTable(reference.table, among: [])
      }
      let key = target.schema.positions(ofKey: reference)
      if Name(reference.table) == schema.name, key.map({ row[$0] }) == values { continue }
      // A reference leads to the primary key, in its order: a table with another one is not made, see
      // `TableSchema.checkReferences(among:_:)`.
      if target.position(of: RowKey(values)) == nil {
        if belongsToOneRepository, Name(reference.table) != schema.name {
          throw .loneForeignKeyViolation(reference, in: schema.name)
        }
        guard reference.isDeferred else {
          throw .foreignKeyViolation(reference, in: schema.name, values: values)
        }
        deferredReferences.append(DeferredReference(table: schema.name, reference: position, key: values))
      }
    }
  }
}

extension TableSchema {
  /// Returns the positions of the columns of this table that a reference names.
  func positions(ofKey reference: ReferenceRule) -> [Int] {
    reference.key.compactMap { columns.firstIndex(named: $0) }
  }
}
