import Query

/// The rows of one table in memory, with the rules that concern them alone. A copy is a snapshot: nothing is copied until
/// one of both changes.
struct MemoryTable: Sendable {
  /// Identifies a row: the values of the primary key, or a running number in a table without one.
  typealias Identity = RowKey
  /// Tells a table from one of the same name that was created after this one's creation was undone.
  final class Origin: Sendable {}

  let origin = Origin()
  let schema: TableSchema
  private(set) var rows: ContiguousArray<MemoryRow> = []
  /// Where the values of each row are, in the order of ``rows``.
  private(set) var addresses = RowAddresses()
  /// The identity of each row, in the order of ``rows``, where the table has no key.
  private var serials: [Identity] = []
  private var nextSerial: Int64 = 0
  /// The position of each row in ``rows``.
  private(set) var positions = KeyIndex<Int>()
  /// The rules of uniqueness in the order in which SQLite looks at them, so that a row that breaks several is refused with
  /// the same words.
  private(set) var uniqueness: [UniqueIndex]
  /// Which rows refer to a key, for each reference.
  private(set) var referrers: [ReferenceIndex]
  private let checks: [(rule: CheckRule, query: ResolvedQuery)]
  /// Whether equal keys may be written differently, as an integer and as a real.
  private let hasKeyOfAnyNumbers: Bool
  /// The positions of the columns that may not be null.
  private let requiredColumns: [Int]
  /// The greatest number among the keys; `nil` where that has to be found out.
  private var greatestKey: Int64?

  init(_ schema: TableSchema) {
    self.schema = schema
    uniqueness = UniqueIndex.all(of: schema)
    referrers = schema.references.map { ReferenceIndex($0, columns: schema.positions(of: $0)) }
    checks = schema.resolvedChecks()
    hasKeyOfAnyNumbers = schema.primaryKeyColumns.contains { $0.type == .any || $0.declaredType != nil }
    requiredColumns = schema.columns.indices.filter { !schema.columns[$0].isNullable }
  }

  /// The row with an identity.
  func row(_ identity: Identity) -> MemoryRow? { positions[identity].map { rows[$0] } }

  func position(of identity: Identity) -> Int? { positions[identity] }

  /// Whether there is a row whose columns hold these values.
  func contains(_ values: [Value], in columns: [Int]) -> Bool {
    if columns == schema.primaryKey { return positions[RowKey(values)] != nil }
    return rows.contains { row in zip(columns, values).allSatisfy { row[$0] == $1 } }
  }

  /// The identities of the rows that refer to a key.
  func referrers(_ reference: Int, to key: [Value]) -> Set<Identity> {
    referrers[reference].rows[RowKey(key)] ?? []
  }

  /// The columns of a reference, and what it says.
  var references: [(rule: ReferenceRule, columns: [Int])] { referrers.map { ($0.rule, $0.columns) } }

  func identity(at position: Int) -> Identity {
    if schema.primaryKey.isEmpty { return serials[position] }
    let row = rows[position]
    return RowKey(schema.primaryKey.map { row[$0] })
  }

  /// The row with the key that is generated for it, if it has none.
  mutating func completed(_ row: [Value]) -> [Value] {
    guard schema.primaryKey.count == 1, row[schema.primaryKey[0]].isNull else { return row }
    var row = row
    row[schema.primaryKey[0]] = .integer(nextKey())
    return row
  }

  /// What SQLite does: one more than the greatest, or a free number at random where there is no greater one.
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

  /// A whole row for values of some columns: the others are as in the row that it replaces, if any, or as by default.
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

  /// Gives a row the key of the one that it replaces: equal numbers may be an integer and a real, and a key stays as it is.
  func keepKey(of identity: Identity?, in row: inout [Value]) {
    guard hasKeyOfAnyNumbers, let identity, let old = self.row(identity) else { return }
    for position in schema.primaryKey { row[position] = old[position] }
  }

  /// Checks a row against the rules that concern this table alone, before it is written.
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
      guard let owner = owner(of: key, in: index), owner != replaced else { continue }
      throw .conflict(in: schema.name, columns: index.columns.map { schema.columns[$0].name }, values: key.values)
    }
  }

  /// The identity of the row that owns a key of a unique index.
  func owner(of key: RowKey, in index: UniqueIndex) -> Identity? {
    if index.isKey { return positions[key] == nil ? nil : key }
    return index.owners[key]
  }

  /// Adds a row that has been checked.
  ///
  /// - Returns: what tells it apart.
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

  /// Puts a row that has been checked in the place of another with the same identity.
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
    // The last row fills the gap: rows have no order.
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
