import Query
import Repository
import SQLInspection
import SQLStore
import SQLiteStore

/// `repokit copy`: copies tables from one database into another.
struct CopyCommand: Command {
  static let description = CommandDescription(
    name: "copy", summary: "Copies tables from one database into another.",
    examples: [
      .init(
        arguments: "copy pokedex.sqlite copy.sqlite pokemon",
        meaning: "One table with its rows, indexes and triggers, into a new file."),
      .init(arguments: "copy pokedex.sqlite all.sqlite --dry-run", meaning: "Whether all tables could be copied."),
    ],
    positionals: [.database, target, tables], options: [ChangeConsent.dryRun],
    notes: [
      .paragraph(
        "All tables are copied, or none; one that the other database has already is in the way. Between SQLite files, tables stay "
          + "exactly what they are. Between SQLite and PostgreSQL, either way, names, types, keys, rules of uniqueness, indexes, "
          + "references and defaults that are values go along; what does not, such as a check or a trigger, is told. A column that "
          + "holds values of several types in SQLite becomes one of texts in PostgreSQL."),
      .paragraph("Views are not copied: repokit dump writes them, too."),
    ])

  private static let target = PositionalDescription(
    name: "TARGET", help: "The database to copy into, made if it is a file that is not there.", completion: .file)
  private static let tables = PositionalDescription(
    name: "TABLE", help: "Which tables; all of them if they are left out.", isOptional: true, isRepeated: true,
    completion: .table)

  private let source: DatabaseLocation
  private let target: DatabaseLocation
  private let tables: [String]
  private let isDryRun: Bool

  init(_ arguments: Arguments) throws(Failure) {
    source = DatabaseLocation(try arguments.required(.database))
    target = DatabaseLocation(try arguments.required(Self.target))
    tables = arguments.all(Self.tables)
    isDryRun = arguments.has(ChangeConsent.dryRun)
    if let path = source.path, let other = target.path, path == other || FileIdentity.areSame(path, other) {
      throw arguments.command.usageError("\(path) is the database itself")
    }
  }

  func run(_ console: Console) async throws {
    let from = try source.open(.readOnly)
    let copies = try source.translating { try self.copies(of: from) }
    let file = target.path.map(NewFile.init)
    Interruption.postpone("nothing was copied")
    let bar = ProgressBar(console)
    defer { bar.end() }
    let counts: [Int]
    do {
      let to = try target.open(.create)
      try check(copies, against: try to.tableNames())
      let work = { (transaction: SQLTransaction) in
        try transaction.checkingReferences { try write(copies, from, transaction, bar) }
      }
      counts = try isDryRun ? to.dryRun(.rebuilding, work) : to.transaction(.rebuilding, work)
      if isDryRun { file?.removeIfEmpty() }
    } catch {
      bar.end()
      file?.removeIfEmpty()
      throw target.failure(translating: error)
    }
    bar.end()
    for copy in copies {
      for note in copy.notes { console.report(TerminalText.visible("note: \(copy.name): \(note)") + "\n") }
    }
    for (copy, count) in zip(copies, counts) {
      console.report(
        TerminalText.visible("\(isDryRun ? "would copy" : "copied") \(copy.name) with \(count.of("row"))") + "\n")
    }
  }

  /// The tables, those that others refer to first.
  private func copies(of store: SQLDatabase) throws -> [TableCopy] {
    for name in tables { _ = try store.schema(ofTable: name) }
    var definitions = try store.definitions().compactMap { _, result in try? result.get() }
      .filter { $0.kind == .table && (tables.isEmpty || tables.contains(named: $0.schema.name)) }
    if let view = tables.first(where: { name in !definitions.contains { Name($0.schema.name) == name } }) {
      throw Failure(
        "\(view) is no table that could be copied", details: ["repokit dump writes views and virtual tables, too"])
    }
    var ordered: [TableDefinition] = []
    while !definitions.isEmpty {
      let waiting = definitions.map(\.schema.name)
      let index =
        definitions.firstIndex { definition in
          !definition.references.contains { $0.table != definition.schema.name && waiting.contains(named: $0.table) }
        } ?? 0
      ordered.append(definitions.remove(at: index))
    }
    let isVerbatim = source.path != nil && target.path != nil
    return try ordered.map { try TableCopy(of: $0, in: store, isVerbatim: isVerbatim) }
  }

  private func check(_ copies: [TableCopy], against names: [String]) throws(Failure) {
    for copy in copies {
      guard let taken = names.first(where: { Name($0).folded == Name(copy.name).folded }) else { continue }
      throw Failure(
        "there is a table \(taken) in \(target.name) already",
        details: ["repokit table rename or table drop makes room for it", "name the tables to copy only those"])
    }
  }

  /// - Returns: how many rows each table has.
  private func write(
    _ copies: [TableCopy], _ store: SQLDatabase, _ transaction: SQLTransaction, _ bar: ProgressBar
  ) throws -> [Int] {
    for copy in copies { try copy.create(in: transaction) }
    return try copies.map { copy in
      bar.begin("copying \(copy.name)", total: nil, isSlow: false)
      let count = try copy.write(from: store, to: transaction) { count in
        bar.update(rows: count, bytes: 0)
        try Interruption.check()
      }
      try copy.finish(in: transaction)
      return count
    }
  }
}

/// A table that is copied into another database.
struct TableCopy {
  let name: String
  /// What is left out, a line each.
  let notes: [String]
  /// The columns that are written, as the other database has them.
  private let table: TableSchema
  /// The statements that make it, its indexes and triggers, where both databases know the same.
  private let statements: [String]
  private let indexes: [IndexDescription]

  init(of definition: TableDefinition, in store: SQLDatabase, isVerbatim: Bool) throws {
    name = definition.schema.name
    let computed = definition.columns.filter { $0.generatedBy != nil }.map(\.schema.name)
    if isVerbatim {
      statements = definition.statements
      indexes = []
      notes = []
      table = try TableSchema(
        name, columns: definition.schema.columns.filter { !computed.contains(named: $0.name) },
        primaryKey: definition.schema.primaryKeyColumns.map(\.name).contains { computed.contains(named: $0) }
          ? [] : definition.schema.primaryKeyColumns.map(\.name))
      return
    }
    statements = []
    let portable = try definition.portable()
    let queried = try store.queriedTable(name)
    var notes = portable.leftOut.isEmpty ? [] : ["left out: \(portable.leftOut.joined(separator: ", "))"]
    notes += queried.leftOut.map { "the column \($0.column) (\($0.type)) is left out" }
    let columns = try portable.table.columns.filter { queried.schema.columns.contains(named: $0.name) }
      .map { column -> ColumnSchema in
        let present = definition.columns.first { Name($0.schema.name) == column.name }?.schema
        guard let present, present.declaredType != nil || present.type == .any else { return column }
        let type = try Self.type(of: present, in: definition.schema, of: store)
        if type == column.type { return column }
        notes.append("\(column.name) becomes \(type), by what it holds")
        return column.with(type)
      }
    let kept = { (names: [String]) in names.allSatisfy { columns.contains(named: $0) } }
    table = try TableSchema(
      name, columns: columns, primaryKey: portable.table.primaryKeyColumns.map(\.name),
      unique: portable.table.uniqueSets.map { $0.map { portable.table.columns[$0].name } }.filter(kept),
      references: portable.table.references)
    indexes = portable.indexes.filter { kept($0.columns.compactMap(\.self)) }
    self.notes = notes
  }

  /// The type that takes all values of a column whose type is not strict.
  private static func type(
    of column: ColumnSchema, in table: TableSchema, of store: SQLDatabase
  ) throws -> ValueType {
    var kinds: Set<ValueType> = []
    try store.repository(for: Schema(table)).forEachRow(ProjectionRequest([.key(column.name)]), isSorted: false) {
      row in
      switch row[0] {
      case .null: break
      case .integer: kinds.insert(.integer)
      case .real: kinds.insert(.real)
      case .text: kinds.insert(.text)
      case .blob: kinds.insert(.blob)
      }
      return true
    }
    if kinds.isEmpty { return column.type == .any ? .text : column.type }
    if kinds.count == 1 { return kinds == [.integer] && column.type == .real ? .real : kinds.first ?? .text }
    return kinds == [.integer, .real] ? .real : .text
  }

  func create(in transaction: SQLTransaction) throws {
    if statements.isEmpty { try transaction.create(table) } else { try transaction.execute(statements[0]) }
  }

  /// Makes what slows the writing of rows down, or would change them.
  func finish(in transaction: SQLTransaction) throws {
    for sql in statements.dropFirst() { try transaction.execute(sql) }
    for index in indexes {
      try transaction.createIndex(
        index.name, on: index.columns.compactMap(\.self), of: table, isUnique: index.isUnique)
    }
  }

  /// Writes the rows.
  ///
  /// - Parameter note: called now and then with the number so far.
  func write(
    from store: SQLDatabase, to transaction: SQLTransaction, note: (Int) throws -> Void
  ) throws -> Int {
    let writer = transaction.writer(for: table, replacing: false)
    let size = max(500, writer.rowsWrittenTogether)
    var batch: [[Value]] = []
    var count = 0
    func flush() throws {
      if batch.isEmpty { return }
      var isWritten = false
      if writer.rowsWrittenTogether > 0 { isWritten = try writer.writeTogether(batch) != nil }
      if !isWritten {
        try writer.writeEach { insertion in
          for row in batch {
            for (position, value) in row.enumerated() { try insertion.bindUnchecked(value, at: position) }
            _ = try insertion.insert(leavingOutOnFailure: false) { row }
          }
        }
      }
      count += batch.count
      batch = []
      try note(count)
    }
    let source = try store.queriedTable(name).schema
    let request = ProjectionRequest(table.columns.map { .key($0.name) })
    var failure: (any Error)?
    try store.repository(for: Schema(source)).forEachRow(request, isSorted: false) { row in
      batch.append(statements.isEmpty ? zip(row, table.columns).map { $1.copied($0) } : row)
      if batch.count < size { return true }
      do {
        try flush()
        return true
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
    try flush()
    return count
  }
}

extension ColumnSchema {
  /// The same column with another type.
  fileprivate func with(_ type: ValueType) -> ColumnSchema {
    ColumnSchema(
      name, type, isNullable: isNullable, isUnique: isUnique, isGenerated: isGenerated && type == .integer)
  }

  /// A value as the column has it.
  fileprivate func copied(_ value: Value) -> Value {
    switch (type, value) {
    case (.text, .integer), (.text, .real): .text(value.description)
    case (.real, .integer(let integer)): .real(Double(integer))
    default: value
    }
  }
}
