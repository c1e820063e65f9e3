import Query

/// The rows of one table in memory, with the rules that concern them alone. A copy is a snapshot: nothing is copied until
/// one of both changes.
struct MemoryTable: Sendable {
  let schema: TableSchema
  /// What tells rows apart: the values of the primary key, or a running number in a table without one.
  typealias Identity = [Value]

  private(set) var rows: [[Value]] = []
  /// What each row is told apart by, in the order of ``rows``, where the table has no key.
  private var serials: [Identity] = []
  private var nextSerial: Int64 = 0
  /// Where a row stands in ``rows``.
  private var positions: [Identity: Int] = [:]
  /// The rules of uniqueness in the order in which SQLite looks at them, so that a row that breaks several is refused with
  /// the same words.
  private var uniqueness: [UniqueIndex]
  /// Which rows refer to a key, for each reference.
  private var referrers: [ReferenceIndex]
  private let checks: [(rule: CheckRule, query: ResolvedQuery)]
  /// The greatest number among the keys; `nil` where that has to be found out.
  private var greatestKey: Int64?

  init(_ schema: TableSchema) {
    self.schema = schema
    uniqueness = UniqueIndex.all(of: schema)
    referrers = schema.references.map { ReferenceIndex($0, columns: schema.positions(of: $0)) }
    checks = schema.resolvedChecks()
  }

  func row(key: Identity) -> [Value]? {
    positions[key].map { rows[$0] }
  }

  func rows(_ request: ResolvedRequest) -> [[Value]] {
    let found = rows.filter(request.query.matches).sorted(by: request.sort.areInIncreasingOrder)
    let rest = found.dropFirst(request.offset)
    return request.inOrder(Array(request.limit.map { rest.prefix($0) } ?? rest))
  }

  func count(_ query: ResolvedQuery) -> Int {
    rows.count { query.matches($0) }
  }

  func figures(_ figures: ResolvedFigures) throws(FigureError) -> [FigureRow] {
    try figures.rows(of: rows)
  }

  /// What tells the rows apart that a query means, in the order of their keys.
  func identities(_ query: ResolvedQuery) -> [Identity] {
    rows.indices.filter { query.matches(rows[$0]) }.map { identity(at: $0) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Whether there is a row whose columns hold these values.
  func contains(_ values: [Value], in columns: [Int]) -> Bool {
    if columns == schema.primaryKey { return positions[values] != nil }
    return rows.contains { row in zip(columns, values).allSatisfy { row[$0] == $1 } }
  }

  /// What tells the rows apart that refer to a key.
  func referrers(_ reference: Int, to key: [Value]) -> Set<Identity> {
    referrers[reference].rows[key] ?? []
  }

  /// The columns of a reference, and what it says.
  var references: [(rule: ReferenceRule, columns: [Int])] { referrers.map { ($0.rule, $0.columns) } }

  private func identity(at position: Int) -> Identity {
    schema.primaryKey.isEmpty ? serials[position] : schema.primaryKey.map { rows[position][$0] }
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
    let greatest = greatestKey ?? rows.lazy.compactMap { $0[position].wholeNumber }.max() ?? 0
    greatestKey = greatest
    if greatest < .max { return greatest + 1 }
    while true {
      let number = Int64.random(in: 1...(Int64.max / 2))
      if positions[[.integer(number)]] == nil { return number }
    }
  }

  /// Checks a row against the rules that concern this table alone, before it is written.
  ///
  /// - Parameter replaced: what tells the row apart whose place it takes, if any.
  func check(_ row: [Value], replacing replaced: Identity?) throws(RepositoryError) {
    for (column, value) in zip(schema.columns, row) where value.isNull && !column.isNullable {
      throw .nullValue(of: column.name, in: schema.name)
    }
    for (rule, query) in checks where !query.matches(row) {
      throw .brokenCheck(rule.name, in: schema.name, query: rule.query)
    }
    for index in uniqueness {
      let values = index.columns.map { row[$0] }
      let owner: Identity?
      if index.isKey {
        owner = positions[values] == nil ? nil : values
      } else {
        owner = values.contains(where: \.isNull) ? nil : index.owners[values]
      }
      if let owner, owner != replaced {
        throw .conflict(in: schema.name, columns: index.columns.map { schema.columns[$0].name }, values: values)
      }
    }
  }

  /// Adds a row that has been checked.
  mutating func add(_ row: [Value]) {
    var identity = schema.primaryKey.map { row[$0] }
    if schema.primaryKey.isEmpty {
      identity = [.integer(nextSerial)]
      nextSerial += 1
      serials.append(identity)
    }
    positions[identity] = rows.count
    rows.append(row)
    note(row, identity)
    if let greatest = greatestKey, let number = identity[0].wholeNumber, number > greatest { greatestKey = number }
  }

  /// Puts a row that has been checked in the place of another with the same identity.
  mutating func replace(_ identity: Identity, with row: [Value]) {
    guard let position = positions[identity] else { return }
    forget(rows[position], identity)
    rows[position] = row
    note(row, identity)
  }

  /// Removes a row.
  mutating func remove(_ identity: Identity) {
    guard let position = positions.removeValue(forKey: identity) else { return }
    forget(rows[position], identity)
    if identity.first?.wholeNumber == greatestKey { greatestKey = nil }
    // The last row takes the gap: rows stand in no order.
    let lastIdentity = self.identity(at: rows.count - 1)
    let last = rows.removeLast()
    if schema.primaryKey.isEmpty { serials.removeLast() }
    if position < rows.count {
      rows[position] = last
      positions[lastIdentity] = position
      if schema.primaryKey.isEmpty { serials[position] = lastIdentity }
    }
  }

  /// The row that something tells apart.
  func row(_ identity: Identity) -> [Value]? { positions[identity].map { rows[$0] } }

  private mutating func note(_ row: [Value], _ identity: Identity) {
    for index in uniqueness.indices { uniqueness[index].note(row, identity) }
    for index in referrers.indices { referrers[index].note(row, identity) }
  }

  private mutating func forget(_ row: [Value], _ identity: Identity) {
    for index in uniqueness.indices { uniqueness[index].forget(row) }
    for index in referrers.indices { referrers[index].forget(row, identity) }
  }
}

extension Value {
  fileprivate var wholeNumber: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }
}
