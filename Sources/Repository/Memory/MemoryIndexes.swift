import Query

/// An index of columns that are unique together: the row of each combination of values.
struct UniqueIndex: Sendable {
  let columns: [Int]
  /// Whether this is the primary key, which the table indexes itself.
  let isKey: Bool
  /// The condition of a partial constraint; `nil` if all rows take part.
  private let condition: ResolvedQuery?
  private(set) var owners = KeyIndex<MemoryTable.Identity>()

  private init(_ columns: [Int], isKey: Bool = false, where condition: ResolvedQuery? = nil) {
    self.columns = columns
    self.isKey = isKey
    self.condition = condition
  }

  /// Returns the unique constraints of a table in the order in which SQLite checks them: first a primary key that is the rowid,
  /// and then the others in reverse order of their definition. https://www.sqlite.org/src/file/src/insert.c
  static func all(of schema: TableSchema) -> [UniqueIndex] {
    let key = UniqueIndex(schema.primaryKey, isKey: true)
    let isRowid = schema.primaryKey.count == 1 && schema.columns[schema.primaryKey[0]].type == .integer
    var indexes: [UniqueIndex] = []
    for (position, column) in schema.columns.enumerated() {
      if schema.primaryKey == [position] {
        if !isRowid { indexes.append(key) }
      } else if column.isUnique {
        indexes.append(UniqueIndex([position]))
      }
    }
    if schema.primaryKey.count > 1 { indexes.append(key) }
    indexes += schema.uniqueSets.map { UniqueIndex($0) }
    indexes += schema.resolvedPartialUnique().map { UniqueIndex($0.columns, where: $0.query) }
    return (isRowid ? [key] : []) + indexes.reversed()
  }

  mutating func note(_ row: [Value], _ identity: MemoryTable.Identity) {
    if let key = key(of: row) { owners[key] = identity }
  }

  mutating func forget(_ row: [Value]) {
    if let key = key(of: row) { owners[key] = nil }
  }

  /// Whether all rows take part.
  var isComplete: Bool { condition == nil }

  /// Returns whether a row takes part.
  func includes(_ row: [Value]) -> Bool { condition?.matches(row) ?? true }

  /// Returns the key of a row; values with a null among them never equal others.
  private func key(of row: [Value]) -> RowKey? {
    if isKey { return nil }
    let key = RowKey(row, columns)
    return key.hasNull || !includes(row) ? nil : key
  }
}

/// An index of a reference: the rows that refer to each key, so that deleting finds them without a scan.
struct ReferenceIndex: Sendable {
  let rule: ReferenceRule
  /// The positions of the referring columns.
  let columns: [Int]
  private(set) var rows: [RowKey: Set<MemoryTable.Identity>] = [:]

  init(_ rule: ReferenceRule, columns: [Int]) {
    self.rule = rule
    self.columns = columns
  }

  mutating func note(_ row: [Value], _ identity: MemoryTable.Identity) {
    let key = RowKey(row, columns)
    if !key.hasNull { rows[key, default: []].insert(identity) }
  }

  mutating func forget(_ row: [Value], _ identity: MemoryTable.Identity) {
    let key = RowKey(row, columns)
    rows[key]?.remove(identity)
    if rows[key]?.isEmpty == true { rows[key] = nil }
  }
}

/// A dictionary by key. Keys of one integer are stored separately, where they cost as much as in any dictionary of `Int`s.
struct KeyIndex<Content: Sendable>: Sendable {
  private var integers: [Int64: Content] = [:]
  private var others: [RowKey: Content] = [:]

  subscript(key: RowKey) -> Content? {
    get {
      if case .integer(let integer) = key { integers[integer] } else { others[key] }
    }
    _modify {
      if case .integer(let integer) = key { yield &integers[integer] } else { yield &others[key] }
    }
  }

  subscript(integer: Int64) -> Content? { integers[integer] }

  mutating func reserveCapacity(_ count: Int, forIntegers: Bool) {
    if forIntegers { integers.reserveCapacity(count) } else { others.reserveCapacity(count) }
  }
}

/// A key of an index: the values of one or several columns, by which rows are looked up.
///
/// Keys are equal if their values are, so that 1.0 finds the row of 1. A key of one whole number, the most common one, needs
/// no allocation.
enum RowKey: Hashable, Sendable {
  case integer(Int64)
  /// A single value that is not a whole number.
  case value(Value)
  /// Several values.
  case values([Value])

  init(_ value: Value) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = Int64(exactly: real).map(RowKey.integer) ?? .value(value)
    case .null, .text, .blob: self = .value(value)
    }
  }

  init(_ values: [Value]) {
    self = values.count == 1 ? RowKey(values[0]) : .values(values)
  }

  /// Makes the key of a row.
  ///
  /// - Parameter columns: the positions of the key's columns.
  init(_ row: [Value], _ columns: [Int]) {
    self = columns.count == 1 ? RowKey(row[columns[0]]) : .values(columns.map { row[$0] })
  }

  /// Whether a part of the key is null.
  var hasNull: Bool {
    switch self {
    case .integer: false
    case .value(let value): value.isNull
    case .values(let values): values.contains(where: \.isNull)
    }
  }

  var values: [Value] {
    switch self {
    case .integer(let integer): [.integer(integer)]
    case .value(let value): [value]
    case .values(let values): values
    }
  }

  /// The number of a key of one integer.
  var wholeNumber: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }
}

extension RowKey: Comparable {
  /// Compares value by value.
  static func < (lhs: RowKey, rhs: RowKey) -> Bool {
    if case .integer(let lhs) = lhs, case .integer(let rhs) = rhs { return lhs < rhs }
    return lhs.values.lexicographicallyPrecedes(rhs.values)
  }
}
