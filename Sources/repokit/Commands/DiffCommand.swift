import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit diff`: compares two databases.
struct DiffCommand: Command {
  static let description = CommandDescription(
    name: "diff", summary: "Compares the tables of two databases: what they are made of, then their rows.",
    examples: [
      .init(arguments: "diff pokedex.sqlite monday.sqlite", meaning: "A line for each difference, and exit status 1."),
      .init(
        arguments: "diff pokedex.sqlite monday.sqlite pokemon --schema-only",
        meaning: "Whether the columns of one table are the same."),
    ],
    positionals: [.database, other, tables], options: [schemaOnly, .rowFormat],
    notes: [
      .list(
        "Differences",
        [
          ("table", "there is no such table on one side; the other side's number of columns is shown"),
          ("column", "a column is missing, or has another type, or may be null on one side alone"),
          ("row", "there is a row of this key on one side alone"),
          ("value", "a column of the row with this key holds something else"),
          ("count", "a table without a key, whose rows are counted alone"),
        ]),
      .paragraph(
        "Rows are found by their primary key, in its order, on both sides at once, so that tables of any size are compared. "
          + "Without a difference, nothing is printed, and the exit status is 0."),
    ])

  private static let other = PositionalDescription(
    name: "OTHER", help: "The database to compare it with.", completion: .file)
  private static let tables = PositionalDescription(
    name: "TABLE", help: "Which tables; all of them if they are left out.", isOptional: true, isRepeated: true,
    completion: .table)
  private static let schemaOnly = OptionDescription(
    name: "--schema-only", help: "Compares what tables are made of, and no rows.")

  private let database: DatabaseLocation
  private let other: DatabaseLocation
  private let tables: [String]
  private let isSchemaOnly: Bool
  private let format: FormatName?

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
    other = DatabaseLocation(try arguments.required(Self.other))
    tables = arguments.all(Self.tables)
    isSchemaOnly = arguments.has(Self.schemaOnly)
    format = try arguments.choice(.rowFormat, of: FormatName.self)
  }

  func run(_ console: Console) async throws {
    let (left, right) = (try database.open(.readOnly), try other.open(.readOnly))
    let headings = ["table", "difference", "key", "column"].map { ColumnHeading($0) }
    lazy var printer = RowPrinter(
      console,
      headings + [
        ColumnHeading(database.shortName),
        ColumnHeading(other.shortName + (other.shortName == database.shortName ? " (other)" : "")),
      ],
      format: format)
    var (count, isOpen) = (0, true)
    func report(
      _ table: String, _ kind: String, key: [Value] = [], column: String? = nil, _ left: Value, _ right: Value
    ) -> Bool {
      let key = key.map { $0.plainText() ?? "null" }.joined(separator: ", ")
      count += 1
      isOpen = printer.append([
        .text(table), .text(kind), key.isEmpty ? .null : .text(key), column.map(Value.text) ?? .null, left, right,
      ])
      return isOpen
    }
    let names = try names(left, right)
    // The two databases write SQL in different dialects.
    let areAlike = (database.path == nil) == (other.path == nil)
    for name in names where isOpen {
      let tables = (try left.schemaIfPresent(name), try right.schemaIfPresent(name))
      guard let one = tables.0, let two = tables.1 else {
        let counts = [tables.0, tables.1].map { table -> Value in
          table.map { .text($0.columns.count.of("column")) } ?? .null
        }
        _ = report(name, "table", counts[0], counts[1])
        continue
      }
      let shared = compareColumns(one, two) { report(name, "column", column: $0, $1, $2) }
      for difference in try DefinitionDifference.all(of: name, left, right, areAlike: areAlike) where isOpen {
        _ = report(name, difference.kind, difference.left, difference.right)
      }
      if isSchemaOnly || !isOpen { continue }
      try compareRows(name, (one, left), (two, right), columns: shared, report)
    }
    if count == 0 { return }
    try printer.finish()
    throw Failure("\(database.name) and \(other.name) have \(count.of("difference"))")
  }

  private func names(_ left: SQLDatabase, _ right: SQLDatabase) throws -> [String] {
    let known = (try Failure.translating { try left.tableNames() }, try Failure.translating { try right.tableNames() })
    let all = known.0 + known.1.filter { !known.0.contains(named: $0) }
    for name in tables where !all.contains(named: name) {
      throw Failure("there is no table \(name)", details: [.among(all, nearestTo: name)], status: .usageError)
    }
    return tables.isEmpty ? all : tables
  }

  /// - Returns: the names of the columns that both tables have.
  private func compareColumns(
    _ left: TableSchema, _ right: TableSchema, _ report: (String, Value, Value) -> Bool
  ) -> [String] {
    func text(_ column: ColumnSchema?) -> Value {
      column.map { .text("\($0.type)\($0.isNullable ? "" : " not null")") } ?? .null
    }
    var shared: [String] = []
    for column in left.columns {
      let other = right.columns.first(named: column.name)
      if other != nil { shared.append(column.name) }
      if text(column) != text(other), !report(column.name, text(column), text(other)) { return shared }
    }
    for column in right.columns where !left.columns.contains(named: column.name) {
      if !report(column.name, .null, text(column)) { return shared }
    }
    return shared
  }

  private typealias Side = (table: TableSchema, store: SQLDatabase)

  private func compareRows(
    _ name: String, _ left: Side, _ right: Side, columns: [String],
    _ report: (String, String, [Value], String?, Value, Value) -> Bool
  ) throws {
    let key = left.table.primaryKeyColumns.map(\.name)
    guard !key.isEmpty, key == right.table.primaryKeyColumns.map(\.name), key.allSatisfy(columns.contains(named:))
    else {
      let counts = (try left.store.rowCount(ofTable: name), try right.store.rowCount(ofTable: name))
      if counts.0 != counts.1 {
        _ = report(name, "count", [], nil, .integer(Int64(counts.0)), .integer(Int64(counts.1)))
      }
      return
    }
    let others = columns.filter { !key.contains(named: $0) }
    var one = RowPages(left.table, left.store, key: key, others)
    var two = RowPages(right.table, right.store, key: key, others)
    func text(_ row: [Value]?) -> Value { row == nil ? .null : .text("there") }
    while true {
      let (mine, theirs) = (try one.peek(), try two.peek())
      if mine == nil, theirs == nil { return }
      let order = Self.order(mine, theirs, keyCount: key.count)
      if order < 0 {
        if !report(name, "row", Array((mine ?? []).prefix(key.count)), nil, .text("there"), .null) { return }
        one.advance()
      } else if order > 0 {
        if !report(name, "row", Array((theirs ?? []).prefix(key.count)), nil, .null, .text("there")) { return }
        two.advance()
      } else {
        for (position, column) in others.enumerated() {
          let values = ((mine ?? [])[key.count + position], (theirs ?? [])[key.count + position])
          if values.0 == values.1 { continue }
          if !report(name, "value", Array((mine ?? []).prefix(key.count)), column, values.0, values.1) { return }
        }
        one.advance()
        two.advance()
      }
    }
  }

  /// Compares two rows by their key: negative where the left one comes first, 0 where they are equal.
  private static func order(_ left: [Value]?, _ right: [Value]?, keyCount: Int) -> Int {
    guard let left else { return 1 }
    guard let right else { return -1 }
    for position in 0..<keyCount where left[position] != right[position] {
      return left[position] < right[position] ? -1 : 1
    }
    return 0
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
    repository = Result { () throws(RepositoryError) in try store.repository(for: Schema(table)) }
  }

  /// The next row: its key, then the other columns; `nil` at the end.
  mutating func peek() throws -> [Value]? {
    if page.isEmpty, !isAtEnd {
      var rows: [[Value]] = []
      let fetch = FetchRequest(.true, sortedBy: .primaryKey, limit: Self.size, after: cursor)
      try repository.get().forEachRow(ProjectionRequest(columns.map { .key($0) }, of: fetch), isSorted: true) { row in
        rows.append(row)
        return true
      }
      isAtEnd = rows.count < Self.size
      page = rows[...]
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
  /// A table as far as it can be queried; `nil` where there is none.
  fileprivate func schemaIfPresent(_ name: String) throws -> TableSchema? {
    guard try tableNames().contains(named: name) else { return nil }
    return try queriedTable(name).schema
  }
}
