import Query

/// The rows of one table in memory, with the constraints within the table. A copy is a snapshot: nothing is copied until the
/// table or its copy changes.
struct MemoryTable: Sendable {
  /// The identity of a row: the values of the primary key, or a serial number in a table without one.
  typealias Identity = RowKey
  /// An identity that distinguishes a table from one of the same name that was created after a rollback.
  final class Origin: Sendable {}

  let origin = Origin()
  let schema: TableSchema
  private(set) var rows: ContiguousArray<MemoryRow> = []
  /// The addresses of the values of each row, in the order of ``rows``.
  private(set) var addresses = RowAddresses()
  /// The identity of each row, in the order of ``rows``, if the table has no key.
  private var serials: [Identity] = []
  private var nextSerial: Int64 = 0
  /// The position of each row in ``rows``.
  private(set) var positions = KeyIndex<Int>()
  /// The unique constraints in the order in which SQLite checks them, so that a row that violates several is refused with
  /// the same message.
  private(set) var uniqueness: [UniqueIndex]
  /// The index of each reference, from a key to the referring rows.
  private(set) var referrers: [ReferenceIndex]
  private let checks: [(rule: CheckRule, query: ResolvedQuery)]
  /// Whether equal keys may be written differently, as an integer and as a real.
  private let hasKeyOfAnyNumbers: Bool
  /// The positions of the columns that may not be null.
  private let requiredColumns: [Int]
  /// The largest number among the keys; `nil` if it has to be determined.
  private var greatestKey: Int64?

  init(_ schema: TableSchema) {
    self.schema = schema
    uniqueness = UniqueIndex.all(of: schema)
    referrers = schema.references.map { ReferenceIndex($0, columns: schema.positions(of: $0)) }
    checks = schema.resolvedChecks()
    hasKeyOfAnyNumbers = schema.primaryKeyColumns.contains { $0.type == .any || $0.declaredType != nil }
    requiredColumns = schema.columns.indices.filter { !schema.columns[$0].isNullable }
  }

  /// Returns the row with an identity.
  func row(_ identity: Identity) -> MemoryRow? { positions[identity].map { rows[$0] } }

  func position(of identity: Identity) -> Int? { positions[identity] }

  /// Returns the identities of the rows that refer to a key.
  func referrers(_ reference: Int, to key: [Value]) -> Set<Identity> {
    referrers[reference].rows[RowKey(key)] ?? []
  }

  /// The references, with the positions of their columns.
  var references: [(rule: ReferenceRule, columns: [Int])] { referrers.map { ($0.rule, $0.columns) } }

  func identity(at position: Int) -> Identity {
    if schema.primaryKey.isEmpty { return serials[position] }
    let row = rows[position]
    return RowKey(schema.primaryKey.map { row[$0] })
  }

  /// Returns the row, with a generated key if its key is null.
  mutating func completed(_ row: [Value]) -> [Value] {
    guard schema.primaryKey.count == 1, row[schema.primaryKey[0]].isNull else { return row }
    var row = row
    row[schema.primaryKey[0]] = .integer(nextKey())
    return row
  }

  /// Returns a key as SQLite generates it: the largest one plus one, or an unused random number if there is no larger one.
  /// https://www.sqlite.org/autoinc.html
  private mutating func nextKey() -> Int64 {
    if rows.isEmpty { return 1 }
    let position = schema.primaryKey[0]
    let greatest = greatestKey ?? rows.lazy.compactMap { RowKey($0[position]).wholeNumber }.max() ?? 0
    greatestKey = greatest
    if greatest < .max { return greatest + 1 }
    while true {
      let number = Int64.random(in: 1...(Int64.max / 2))
      if positions[number] == nil { return number }
    }
  }

  /// Returns a complete row for values of some columns: the others are as in the row that it replaces, if any, or have their
  /// defaults.
  func row(_ values: [Value], of columns: [Int]?, replacing identity: ([Value]) -> Identity?) -> [Value] {
    guard let columns else { return values }
    func filled(_ row: [Value]) -> [Value] {
      var row = row
      for (position, column) in columns.enumerated() { row[column] = values[position] }
      return row
    }
    let added = filled(schema.columns.map { $0.defaultValue ?? .null })
    guard let old = identity(added).flatMap({ row($0) }) else { return added }
    return filled(old.values)
  }

  /// Gives a row the key of the row that it replaces: equal numbers may be an integer and a real, and a key does not change.
  func keepKey(of identity: Identity?, in row: inout [Value]) {
    guard hasKeyOfAnyNumbers, let identity, let old = self.row(identity) else { return }
    for position in schema.primaryKey { row[position] = old[position] }
  }

  /// Checks a row against the constraints within this table, before it is written.
  ///
  /// - Parameter replaced: the identity of the row that it replaces, if any.
  func check(_ row: [Value], replacing replaced: Identity?) throws(RepositoryError) {
    for column in requiredColumns where row[column].isNull {
      throw .nullValue(of: schema.columns[column].name, in: schema.name)
    }
    for (rule, query) in checks where !query.matches(row) {
      throw .brokenCheck(rule.name, in: schema.name, query: rule.query)
    }
    for index in uniqueness {
      let key = RowKey(row, index.columns)
      guard let owner = owner(of: key, in: index), owner != replaced, index.includes(row) else { continue }
      throw .conflict(in: schema, columns: index.columns.map { schema.columns[$0].name }, values: key.values)
    }
  }

  /// Returns the identity of the row that has a key of a unique index.
  func owner(of key: RowKey, in index: UniqueIndex) -> Identity? {
    if index.isKey { return positions[key] == nil ? nil : key }
    return index.owners[key]
  }

  /// Adds a row that has been checked.
  ///
  /// - Returns: its identity.
  mutating func add(_ row: [Value]) -> Identity {
    var identity = RowKey(row, schema.primaryKey)
    if schema.primaryKey.isEmpty {
      identity = .integer(nextSerial)
      nextSerial += 1
      serials.append(identity)
    }
    positions[identity] = rows.count
    let stored = MemoryRow(row)
    rows.append(stored)
    addresses.append(stored)
    note(row, identity)
    if let greatest = greatestKey, let number = identity.wholeNumber, number > greatest { greatestKey = number }
    return identity
  }

  /// Replaces a row by a checked row with the same identity.
  mutating func replace(_ identity: Identity, with row: [Value]) {
    guard let position = positions[identity] else { return }
    forget(rows[position].values, identity)
    let stored = MemoryRow(row)
    rows[position] = stored
    addresses.replace(at: position, with: stored)
    note(row, identity)
  }

  /// Removes a row.
  mutating func remove(_ identity: Identity) {
    guard let position = positions[identity] else { return }
    positions[identity] = nil
    forget(rows[position].values, identity)
    if identity.wholeNumber == greatestKey { greatestKey = nil }
    // The last row fills the gap: rows are unordered.
    let lastIdentity = self.identity(at: rows.count - 1)
    let last = rows.removeLast()
    addresses.removeLast()
    if schema.primaryKey.isEmpty { serials.removeLast() }
    if position < rows.count {
      rows[position] = last
      addresses.replace(at: position, with: last)
      positions[lastIdentity] = position
      if schema.primaryKey.isEmpty { serials[position] = lastIdentity }
    }
  }

  private mutating func note(_ row: [Value], _ identity: Identity) {
    for index in uniqueness.indices { uniqueness[index].note(row, identity) }
    for index in referrers.indices { referrers[index].note(row, identity) }
  }

  private mutating func forget(_ row: [Value], _ identity: Identity) {
    for index in uniqueness.indices { uniqueness[index].forget(row) }
    for index in referrers.indices { referrers[index].forget(row, identity) }
  }
}
