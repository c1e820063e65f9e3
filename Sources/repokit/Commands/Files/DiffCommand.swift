import Query
import Repository
import SQLInspection
import SQLStore

/// `repokit diff`: compares two databases.
struct DiffCommand: Command {
  static let description = CommandDescription(
    name: "diff", summary: "Compare the tables of two databases: definitions, then rows.",
    examples: [
      .init(
        arguments: "diff pokedex.sqlite monday.sqlite",
        meaning: "Print a line for each difference; exit with 1 if there are differences."),
      .init(
        arguments: "diff pokedex.sqlite monday.sqlite pokemon --schema-only",
        meaning: "Compare the columns of one table."),
    ],
    positionals: [.database, other, tables], options: [schemaOnly, .rowFormat],
    notes: [
      .list(
        "Differences",
        [
          ("table", "only one database has the table; the line shows the number of columns"),
          (
            "column",
            "a column is missing or differs: type, nullability, default or collation"
          ),
          (
            "key, index, reference, check, trigger",
            "only one database has the object, or triggers of the same name differ"
          ),
          ("definition", "the statement of a table or the query of a view differs in another way"),
          ("added", "only OTHER has a row with this key; the line shows the other values"),
          ("removed", "only DATABASE has a row with this key; the line shows the other values"),
          ("value", "a column differs in the rows with this key"),
          ("count, rows", "the number or the content of rows differs, in a table without a key or a named view"),
        ]),
      .paragraph(
        "diff skips the internal tables of full-text indexes and other modules unless you name them. For views "
          + "that you don't name, diff compares only the definitions, since a view may have endless rows. If diff "
          + "can't read a table to the end, a note states the reason and the exit status is 1."),
      .paragraph(
        "diff matches rows by primary key, in key order on both sides, so tables can have any size. Without a "
          + "difference, diff prints nothing and exits with 0."),
      .paragraph(
        "diff ignores names of indexes and constraints, layout of statements, AUTOINCREMENT counters and the database's "
          + "version. On servers, diff ignores the statements of triggers and the queries of views."),
      .paragraph(
        "Between SQLite and PostgreSQL, diff compares checks and conditions by their meaning. Types are equal if they take "
          + "the same values; lengths and numbers of digits count, sizes of integers don't. diff ignores the queries of views "
          + "and the statements of triggers. Partitions and inheriting tables count as rows of the parent."),
    ])

  private static let other = PositionalDescription(
    name: "OTHER", help: "The other database.", completion: .file)
  private static let tables = PositionalDescription(
    name: "TABLE", help: "The tables to compare (default: all).", isOptional: true, isRepeated: true,
    completion: .table)
  private static let schemaOnly = OptionDescription(
    name: "--schema-only", help: "Compare definitions only, without rows.")

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
    let names = [database.shortName, other.shortName + (other.shortName == database.shortName ? " (other)" : "")]
    let printer = try RowPrinter(
      console, headings + names.map { ColumnHeading($0) }, format: format)
    var (counts, isOpen) = (DifferenceCounts(), true)
    let comparison = TableComparison(left, right, areAlike: areAlike, isSchemaOnly: isSchemaOnly)
    // The names of the tables that could not be compared to their end.
    var failures: [String] = []
    // Each database is read in one snapshot.
    try Failure.translating {
      try left.blocking.read { _ in
        try right.blocking.read { _ in
          for (name, readsRows) in try tableNames(left, right) where isOpen {
            do {
              try comparison.compare(name, readsRows: readsRows) { difference in
                let (one, two) = told(apart: difference.left, difference.right, format ?? console.format)
                let key = difference.key.map { $0.plainText() ?? "null" }.joined(separator: ", ")
                counts.add(difference)
                isOpen = printer.append([
                  .text(difference.table), .text(difference.kind), key.isEmpty ? .null : .text(key),
                  difference.column.map(Value.text) ?? .null, one, two,
                ])
                return isOpen
              }
            } catch let error as RepositoryError where error.isOfOneTable {
              failures.append(name)
              let reason = [error.summary, error.reason].compactMap(\.self).joined(separator: ": ")
              console.say("note: diff can't read \(name) to the end: \(reason)")
            }
          }
        }
      }
    }
    if counts.total > 0 { try printer.finish() }
    let uncompared =
      failures.isEmpty
      ? nil : "diff can't read \(failures.joined(separator: ", ")) to \(failures.count == 1 ? "its" : "their") end"
    if counts.total > 0 {
      throw Failure(
        "\(database.name) and \(other.name) have \(counts.total.of("difference"))",
        details: counts.lines + [uncompared].compactMap(\.self), isError: uncompared != nil)
    }
    if let uncompared { throw Failure(uncompared) }
  }

  /// Whether the definitions of both databases are in the same language.
  private var areAlike: Bool { (database.path == nil) == (other.path == nil) }

  /// Returns two values as a format for people shows them to be different: a number and the same digits as a text look alike.
  private func told(apart left: Value, _ right: Value, _ format: FormatName) -> (Value, Value) {
    guard format.isForPeople, left.kind != right.kind, !left.isNull, !right.isNull,
      let (one, two) = left.plainText().flatMap({ one in right.plainText().map { (one, $0) } }), Name(one) == two
    else { return (left, right) }
    func quoted(_ value: Value) -> Value { value.kind == .number ? value : .text(value.description) }
    return (quoted(left), quoted(right))
  }

  /// The tables to compare, each with whether its rows are read.
  private func tableNames(_ left: SQLDatabase, _ right: SQLDatabase) throws -> [(name: String, readsRows: Bool)] {
    let known = (try Failure.translating { try left.tableNames() }, try Failure.translating { try right.tableNames() })
    let all = known.0 + known.1.filter { !known.0.contains(named: $0) }
    for name in tables where !all.contains(named: name) {
      throw Failure("there is no table \(name)", details: [.among(all, nearestTo: name)], status: .usageError)
    }
    if !tables.isEmpty { return tables.map { ($0, true) } }
    let overviews = try Failure.translating {
      try left.tableOverviews(measuring: false) + right.tableOverviews(measuring: false)
    }
    func names(of kind: TableOverview.Kind) -> [String] { overviews.filter { $0.kind == kind }.map(\.name) }
    // In which virtual tables keep what they make of their rows, which is compared as those.
    let shadows = names(of: .shadow)
    // A view may have no end, which only a user who names it asks for.
    let views = names(of: .view)
    // Whose rows a copy in a database of another kind has in the parent.
    let merged = try Failure.translating { try left.mergedTables() + right.mergedTables() }
    func isMerged(_ name: String) -> Bool {
      merged.contains(named: name) && !(known.0.contains(named: name) && known.1.contains(named: name))
    }
    return all.filter { !shadows.contains(named: $0) && (areAlike || !isMerged($0)) }.map {
      ($0, !views.contains(named: $0))
    }
  }
}

/// The numbers of differences of each table, for the message after them.
private struct DifferenceCounts {
  private(set) var total = 0
  private var tables: [(name: String, kinds: [(kind: String, count: Int)])] = []

  mutating func add(_ difference: TableComparison.Difference) {
    total += 1
    if tables.last?.name != difference.table { tables.append((difference.table, [])) }
    let last = tables.count - 1
    if let position = tables[last].kinds.firstIndex(where: { $0.kind == difference.kind }) {
      tables[last].kinds[position].count += 1
    } else {
      tables[last].kinds.append((difference.kind, 1))
    }
  }

  /// A line for each table: `keeper: 1 value changed, 2 rows added`.
  var lines: [String] {
    tables.map { table in
      let parts = table.kinds.map { kind, count in
        switch kind {
        case "added", "removed": "\(count.of("row")) \(kind)"
        case "value": "\(count.of("value")) changed"
        case "table": "only in one database"
        case "rows": "rows differ"
        case "count": "the numbers of rows differ"
        case "index": count == 1 ? "1 index" : "\(count) indexes"
        default: count.of(kind)
        }
      }
      return "\(table.name): \(parts.joined(separator: ", "))"
    }
  }
}

extension RepositoryError {
  /// Whether other tables of the database can be read.
  fileprivate var isOfOneTable: Bool {
    ![.cancelled, .busy, .corrupt, .notADatabase, .unreachable, .inputOutput, .cannotOpen].contains(code)
  }
}
