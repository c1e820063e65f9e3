import Query
import Repository
import SQLInspection
import SQLiteInspection
import SQLStore
import SQLiteStore

/// `repokit dump`: writes a database as statements.
struct DumpCommand: Command {
  static let description = CommandDescription(
    name: "dump", summary: "Write a database as SQL statements.",
    examples: [
      .init(arguments: "dump pokedex.sqlite pokedex.sql", meaning: "Restore with sqlite3 new.sqlite < pokedex.sql."),
      .init(arguments: "dump pokedex.sqlite - > pokedex.sql", meaning: "Write the statements to the standard output."),
    ],
    positionals: [.databaseFile, file], options: [OutputFile.force],
    notes: [
      .paragraph(
        "The dump contains all tables with rows, indexes, triggers and views, AUTOINCREMENT counters, and the "
          + "database's version, all from one state. The dump preserves every value exactly, including every bit "
          + "of a real. repokit export writes one table in other formats; repokit backup copies the file and is "
          + "faster."),
      .paragraph(
        "dump writes the rows of virtual tables, such as full-text indexes, as rows of the table, with rowids. "
          + "dump also writes rowids that are not 1, 2, 3 and so on if no column contains them. dump can't write a "
          + "full-text index without stored text; repokit backup copies such an index. Notes name everything that the "
          + "statements omit."),
    ])

  private static let file = PositionalDescription(
    name: "FILE", help: "The file to create; - for the standard output.", completion: .file)

  private static let refusal = ServerRefusal(
    summary: "repokit can't dump a database on a server",
    reason: "a server has types, privileges and functions that repokit does not know",
    suggestion: "pg_dump writes the statements; repokit copy copies the tables into an SQLite file")

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
      let bar = ProgressBar(isShown: false, width: 0) { _ in }
      return report(try dump(store, to: console.output(), console.style, bar), on: console)
    }
    let target = try OutputFile(file, replaces: replaces, from: database)
    Interruption.postpone("repokit wrote nothing")
    let bar = ProgressBar(console)
    defer { bar.end() }
    let notes = try target.write { try dump(store, to: $0, target.style(), bar) }
    bar.end()
    report(notes, on: console)
    console.say("wrote \(database.name) to \(file)")
  }

  private func report(_ notes: [String], on console: Console) {
    for note in notes { console.say("note: \(note)") }
  }

  /// - Returns: what the statements do not make again.
  private func dump(
    _ store: SQLiteStore, to buffer: OutputBuffer, _ style: TextStyle, _ bar: ProgressBar
  ) throws -> [String] {
    // The lines stay those of a statement, and a terminal obeys nothing in them.
    func shown(_ statement: String) -> String {
      statement.split(separator: "\n", omittingEmptySubsequences: false).map { style.raw(String($0)) }
        .joined(separator: "\n") + ";\n"
    }
    do {
      // One state of the database.
      return try store.blocking.read { _ in
        var output = buffer
        let script = try store.scriptParts()
        output.append("PRAGMA foreign_keys = OFF;\nBEGIN;\n")
        for table in script.tables {
          output.append(shown(table.statement))
          for setting in table.settings { output.append(shown(setting)) }
          try output.flush()
          bar.begin("writing \(table.name)", total: nil, isSlow: false)
          if table.isReadable { try write(table, of: store, style, to: output, bar) }
        }
        for statement in script.rest { output.append(shown(statement)) }
        output.append("COMMIT;\n")
        try output.flush()
        return script.notes
      }
    } catch let error as OutputError {
      throw error
    } catch {
      throw database.failure(translating: error)
    }
  }

  /// Writes the rows of a table. Of a text that is not UTF-8, the bytes are written, of which the statement makes a text.
  private func write(
    _ table: DatabaseScript.Table, of store: SQLiteStore, _ style: TextStyle, to buffer: OutputBuffer,
    _ bar: ProgressBar
  ) throws {
    var output = buffer
    let format = SQLFormat(
      table.columns.map { ColumnHeading($0) }, style, FormatOptions(table: table.name, isForPostgres: false))
    var count = 0
    try store.forEachRow(of: table) { row, bytes in
      format.append(row, textBytes: bytes, to: &output)
      try output.flushIfFull()
      count += 1
      if count.isMultiple(of: 256) {
        bar.update(rows: count, bytes: 0)
        try Interruption.check()
      }
    }
    try output.flush()
  }
}
