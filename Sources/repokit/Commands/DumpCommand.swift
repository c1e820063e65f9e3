import Query
import Repository
import SQLInspection
import SQLiteInspection
import SQLStore
import SQLiteStore

/// `repokit dump`: writes a database as statements.
struct DumpCommand: Command {
  static let description = CommandDescription(
    name: "dump", summary: "Writes a database as the statements of SQL that make it again.",
    examples: [
      .init(arguments: "dump pokedex.sqlite pokedex.sql", meaning: "sqlite3 new.sqlite < pokedex.sql reads it."),
      .init(arguments: "dump pokedex.sqlite - > pokedex.sql", meaning: "For another program."),
    ],
    positionals: [.databaseFile, file], options: [OutputFile.force],
    notes: [
      .paragraph(
        "All tables with their rows, indexes, triggers and views, the numbers that AUTOINCREMENT goes on with, and the "
          + "database's version, in one state. Values are read back exactly, reals bit by bit. repokit export writes one table in "
          + "other formats, and repokit backup a copy of the file, which is faster."),
      .paragraph(
        "Rows of tables that a module keeps, such as a full-text index, are written as those of the table itself, with their "
          + "numbers. A full-text index that keeps no texts can't be written so; repokit backup copies it."),
    ])

  private static let file = PositionalDescription(
    name: "FILE", help: "The file to make; - for the standard output.", completion: .file)

  private static let refusal = ServerRefusal(
    summary: "a database on a server can't be written as statements",
    reason: "its types, rights and functions are more than this tool knows",
    suggestion: "pg_dump writes them; repokit copy copies its tables into an SQLite file")

  private let database: DatabaseLocation
  private let file: String
  private let replaces: Bool

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.databaseFile))
    file = try arguments.required(Self.file)
    replaces = arguments.has(OutputFile.force)
  }

  func run(_ console: Console) async throws {
    let store = try database.openFile(.readOnly, orRefuse: Self.refusal)
    guard file != "-" else {
      try dump(store, to: console.output(), console.style, ProgressBar(isShown: false, width: 0) { _ in })
      return
    }
    let target = try OutputFile(file, replaces: replaces, from: database)
    defer { target.discard() }
    Interruption.postpone("nothing was written")
    let bar = ProgressBar(console)
    defer { bar.end() }
    let buffer = OutputBuffer { bytes throws(OutputError) in
      do throws(Failure) { try target.write(bytes) } catch { throw .failure(error) }
    }
    do {
      try dump(store, to: buffer, .plain, bar)
    } catch OutputError.failure(let failure) {
      throw failure
    }
    try target.finish()
    bar.end()
    console.report(TerminalText.visible("wrote \(database.name) to \(file)") + "\n")
  }

  private func dump(
    _ store: SQLiteStore, to buffer: OutputBuffer, _ style: TextStyle, _ bar: ProgressBar
  ) throws {
    // The lines stay those of a statement, and a terminal obeys nothing in them.
    func shown(_ statement: String) -> String {
      statement.split(separator: "\n", omittingEmptySubsequences: false).map { style.raw(String($0)) }
        .joined(separator: "\n") + ";\n"
    }
    do {
      // One state of the database.
      try store.read { transaction in
        var output = buffer
        let script = try store.scriptParts()
        output.append("PRAGMA foreign_keys = OFF;\nBEGIN;\n")
        for table in script.tables {
          output.append(shown(table.statement))
          try output.flush()
          bar.begin("writing \(table.name)", total: nil, isSlow: false)
          let schema = try store.queriedTable(table.name).schema
          let computed = try store.computedColumns(ofTable: table.name)
          let columns = schema.columns.map(\.name).filter { !computed.contains(named: $0) }
          if let number = table.rowNumber {
            try write(table.name, [number] + columns, of: store, style, to: output)
            continue
          }
          if try store.hasInvalidTexts(in: schema) {
            try write(invalidTextsOf: table.name, columns, of: store, style, to: output)
            continue
          }
          _ = try RowExport(schema, in: store, ProjectionRequest(columns.map { .key($0) }), isSorted: false)
            .write(.sql, style, to: output, cancellable: true, bar: bar)
        }
        for statement in script.rest { output.append(shown(statement)) }
        output.append("COMMIT;\n")
        try output.flush()
      }
    } catch let error as OutputError {
      throw error
    } catch {
      throw database.failure(translating: error)
    }
  }

  /// Writes the rows of a table with texts that are not UTF-8: those as their bytes, of which the statement makes texts.
  private func write(
    invalidTextsOf table: String, _ columns: [String], of store: SQLiteStore, _ style: TextStyle,
    to buffer: OutputBuffer
  ) throws {
    var output = buffer
    let format = SQLFormat(
      columns.map { ColumnHeading($0) }, style, FormatOptions(table: table, isForPostgres: false))
    try store.forEachRow(ofInvalidTexts: table, columns) { row, bytes in
      format.append(row, textBytes: bytes, to: &output)
      try output.flushIfFull()
      try Interruption.check()
    }
    try output.flush()
  }

  /// Writes the rows of a virtual table with their numbers, which are no column of it.
  private func write(
    _ table: String, _ columns: [String], of store: SQLiteStore, _ style: TextStyle, to buffer: OutputBuffer
  ) throws {
    var output = buffer
    var format = FormatName.sql.makeFormat(
      columns.map { ColumnHeading($0) }, style, FormatOptions(table: table, isForPostgres: false))
    try store.forEachRow(ofVirtual: table, columns) { row in
      format.append(row, to: &output)
      try output.flushIfFull()
      try Interruption.check()
    }
    try output.flush()
  }
}
