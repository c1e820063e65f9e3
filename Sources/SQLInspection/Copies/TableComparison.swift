package import Query
import Repository
package import SQLStore

/// Compares tables of two databases: what they are made of, then their rows.
package struct TableComparison {
  /// A difference of two tables of the same name.
  package struct Difference: Hashable, Sendable {
    package let table: String
    /// The kind of the difference: `table`, a kind of ``DefinitionDifference``, `added`, `removed`, `value`, `count` or
    /// `rows`.
    package let kind: String
    /// The key of the row; empty for other kinds.
    package var key: [Value] = []
    /// The name of the column; `nil` for other kinds.
    package var column: String?
    /// The value, the definition or the number in the first database; null where it has none.
    package let left: Value
    /// The value, the definition or the number in the second database; null where it has none.
    package let right: Value
  }

  private let left: SQLDatabase
  private let right: SQLDatabase
  private let areAlike: Bool
  private let isSchemaOnly: Bool
  private let keys = KeyCache()

  /// - Parameter areAlike: whether both databases write definitions in the same language.
  package init(_ left: SQLDatabase, _ right: SQLDatabase, areAlike: Bool, isSchemaOnly: Bool) {
    (self.left, self.right, self.areAlike, self.isSchemaOnly) = (left, right, areAlike, isSchemaOnly)
  }

  /// Compares the tables of a name.
  ///
  /// - Parameters:
  ///   - readsRows: whether their rows are compared, too, if those of any table are.
  ///   - report: is given each difference, and says whether to go on.
  package func compare(_ name: String, readsRows: Bool = true, _ report: (Difference) -> Bool) throws {
    guard let one = try left.definitionIfPresent(name), let two = try right.definitionIfPresent(name) else {
      let counts = try [left, right].map { store -> Value in
        guard let count = try store.definitionIfPresent(name)?.columns.count else { return .null }
        return .text(count.of("column"))
      }
      _ = report(Difference(table: name, kind: "table", left: counts[0], right: counts[1]))
      return
    }
    let sides = (
      DefinitionDifference.Side(
        definition: one, portable: PortableTable(one) { keys.find($0, in: left, isLeft: true) }),
      DefinitionDifference.Side(
        definition: two, portable: PortableTable(two) { keys.find($0, in: right, isLeft: false) })
    )
    for difference in DefinitionDifference.all(sides.0, sides.1, areAlike: areAlike) {
      let difference = Difference(
        table: name, kind: difference.kind, column: difference.column, left: difference.left, right: difference.right)
      if !report(difference) { return }
    }
    if readsRows, !isSchemaOnly { try compareRows(name, report) }
  }

  private func compareRows(_ name: String, _ report: (Difference) -> Bool) throws {
    let (one, two) = (try left.queriedTable(name).schema, try right.queriedTable(name).schema)
    let columns = one.columns.map(\.name).filter { two.columns.contains(named: $0) }
    let key = one.primaryKeyColumns.map(\.name)
    // Decimals sort otherwise than their digits as texts.
    func areNumeric(_ table: TableSchema) -> [Bool] { table.primaryKeyColumns.map { $0.nativeType?.isNumeric == true } }
    guard !key.isEmpty, key == two.primaryKeyColumns.map(\.name), areNumeric(one) == areNumeric(two) else {
      let digests = (
        try RowDigest(of: one, in: left, columns: columns, isExact: areAlike),
        try RowDigest(of: two, in: right, columns: columns, isExact: areAlike)
      )
      if digests.0 == digests.1 { return }
      let counts = (digests.0.count, digests.1.count)
      let kind = counts.0 == counts.1 ? "rows" : "count"
      _ = report(Difference(table: name, kind: kind, left: .integer(counts.0), right: .integer(counts.1)))
      return
    }
    let others = columns.filter { !key.contains(named: $0) }
    let keys = one.primaryKeyColumns
    func shownKey(_ row: [Value]) -> [Value] { zip(keys, row).map { $0.portable($1) } }
    var mine = RowPages(one, left, key: key, others)
    var theirs = RowPages(two, right, key: key, others)
    while true {
      let rows = (try mine.peek(), try theirs.peek())
      guard let next = rows.0 ?? rows.1 else { return }
      let order = Self.order(rows.0, rows.1, keyCount: key.count)
      if order <= 0 { mine.advance() }
      if order >= 0 { theirs.advance() }
      if order != 0 {
        let row = order < 0 ? next : rows.1 ?? next
        let values = Value.text(Self.text(of: row.dropFirst(key.count), under: others))
        let difference = Difference(
          table: name, kind: order < 0 ? "removed" : "added", key: shownKey(row), left: order < 0 ? values : .null,
          right: order > 0 ? values : .null)
        if !report(difference) { return }
        continue
      }
      for (column, values) in zip(key + others, zip(next, rows.1 ?? next)) where !areEqual(values.0, values.1) {
        let difference = Difference(
          table: name, kind: "value", key: shownKey(next), column: column, left: values.0,
          right: values.1)
        if !report(difference) { return }
      }
    }
  }

  /// The values of a row beside its key: `name = 'Ann', age = null`.
  private static func text(of values: ArraySlice<Value>, under columns: [String]) -> String {
    zip(columns, values).map { "\($0) = \($1.description)" }.joined(separator: ", ")
  }

  /// Whether two values are the same, also by their type where the databases have the same types.
  private func areEqual(_ one: Value, _ two: Value) -> Bool { areAlike ? one.isIdentical(to: two) : one == two }

  /// Returns the order of two rows by their keys: negative if the left one comes first, 0 where they have the same.
  private static func order(_ left: [Value]?, _ right: [Value]?, keyCount: Int) -> Int {
    guard let left else { return 1 }
    guard let right else { return -1 }
    for position in 0..<keyCount where left[position] != right[position] {
      return left[position] < right[position] ? -1 : 1
    }
    return 0
  }
}

/// The keys of the tables of two databases, each looked up once.
private final class KeyCache {
  typealias Key = (name: String, key: [String], columns: [String])

  private var found: [Bool: [[UInt8]: Key?]] = [:]

  /// Returns the key of a table by its name in whatever case; `nil` where there is none.
  func find(_ name: String, in store: SQLDatabase, isLeft: Bool) -> Key? {
    let folded = Name(name).folded
    if let known = found[isLeft]?[folded] { return known }
    let own = try? store.tableNames().first { Name($0).equalsFolded(name) }
    let definition = own.flatMap { try? store.definition(ofTable: $0) }
    let key = definition.map { ($0.schema.name, $0.declaredKey, $0.columns.map(\.schema.name)) }
    found[isLeft, default: [:]][folded] = .some(key)
    return key
  }
}

/// A digest of rows that does not depend on their order: their number, and the sums of two hashes of each.
private struct RowDigest: Equatable {
  private(set) var count: Int64 = 0
  private var sums: SIMD2<Int> = [0, 0]

  /// - Parameter isExact: whether an integer and a real that are equal count as different.
  init(of table: TableSchema, in store: SQLDatabase, columns: [String], isExact: Bool) throws {
    var digest = (count: Int64(0), sums: SIMD2<Int>(0, 0))
    // Columns that only one side has are told already.
    guard !columns.isEmpty else {
      count = Int64(try store.rowCount(ofTable: table.name))
      return
    }
    let request = ProjectionRequest(columns.map { .key($0) })
    let sources = try columns.map { table.columns[try table.position(of: $0)] }
    try store.blocking.repository(Schema(table)).forEachRow(request, isSorted: false, checking: 0) { stored in
      let row = zip(sources, stored).map { $0.portable($1) }
      digest.count += 1
      for salt in 0...1 {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(row)
        if isExact {
          for (position, value) in row.enumerated() {
            guard case .real(let real) = value else { continue }
            hasher.combine(position)
            hasher.combine(real.bitPattern)
          }
        }
        digest.sums[salt] &+= hasher.finalize()
      }
      return true
    }
    (count, sums) = digest
  }
}

/// The rows of a table by their key, some at a time.
private struct RowPages {
  private static let size = 1_000

  private let repository: Result<SQLRepository<Record>, RepositoryError>
  private let table: TableSchema
  private let key: [String]
  private let columns: [String]
  private var page: ArraySlice<[Value]> = []
  private var cursor: Cursor?
  private var isAtEnd = false

  init(_ table: TableSchema, _ store: SQLDatabase, key: [String], _ others: [String]) {
    self.table = table
    self.key = key
    columns = key + others
    repository = Result { () throws(RepositoryError) in try store.sqlRepository(Schema(table)) }
  }

  /// The next row: its key, then the other columns; `nil` at the end.
  mutating func peek() throws -> [Value]? {
    if page.isEmpty, !isAtEnd {
      var rows: [[Value]] = []
      let fetch = FetchRequest(.true, sortedBy: .primaryKey, limit: Self.size, after: cursor)
      let request = ProjectionRequest(columns.map { .key($0) }, of: fetch)
      // The next page begins behind the last key.
      try repository.get().blocking.forEachRow(request, isSorted: true, checking: key.count) { row in
        rows.append(row)
        return true
      }
      isAtEnd = rows.count < Self.size
      // Decimals in keys stay in the form whose order is that of the database.
      let sources = try columns.enumerated().map { position, name in
        let column = table.columns[try table.position(of: name)]
        return position < key.count && column.nativeType?.isNumeric == true ? nil : column
      }
      page = rows.map { row in zip(sources, row).map { $0?.portable($1) ?? $1 } }[...]
      if let last = rows.last {
        var whole = [Value](repeating: .null, count: table.columns.count)
        for (name, value) in zip(key, last) { whole[try table.position(of: name)] = value }
        cursor = try Cursor(at: whole, in: table, sortedBy: .primaryKey)
      }
    }
    return page.first
  }

  mutating func advance() { page = page.dropFirst() }
}

extension SQLDatabase {
  /// The definition of a table; `nil` where there is none.
  fileprivate func definitionIfPresent(_ name: String) throws -> TableDefinition? {
    try tableNames().contains(named: name) ? try definition(ofTable: name) : nil
  }
}
