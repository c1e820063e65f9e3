import Repository
import SQLiteInspection
import SQLStore
import SQLiteStore

/// `repokit vacuum`: frees the space of deleted rows, in an SQLite file by a rewritten file, and on a server for its own use.
struct VacuumCommand: Command {
  static let description = CommandDescription(
    name: "vacuum", summary: "Free the space of deleted rows.",
    examples: [
      .init(arguments: "vacuum pokedex.sqlite", meaning: "Shrink the file by the space of deleted rows.")
    ],
    positionals: [.database],
    notes: [
      .paragraph(
        "vacuum rewrites the file. This takes time, needs free space of about twice the file's size, and blocks "
          + "other writers. No row changes. repokit refuses if a full-text table depends on rowids that VACUUM would "
          + "change. On a server, repokit runs VACUUM (ANALYZE), which makes the space of deleted rows reusable and "
          + "blocks no writer.")
    ])

  private let database: DatabaseLocation

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.database))
  }

  func run(_ console: Console) async throws {
    let opened = try database.open(.existing)
    guard let store = opened as? SQLiteStore else { return try vacuum(server: opened, console) }
    if let index = try database.translating({ try store.indexesLostByVacuum() }).first {
      throw Failure(
        "VACUUM would break the full-text table \(index.name)",
        details: [
          "\(index.name) refers to rowids of \(index.content), and VACUUM renumbers them in a table without an "
            + "integer key or an index",
          "add an index on any column of \(index.content) with repokit index add, so that rows keep their rowids",
        ])
    }
    let before = FileSize.bytes(of: database.text)
    Interruption.postpone()
    do {
      if console.canRedraw { console.beginShowing("rewriting \(database.name)") }
      defer { if console.canRedraw { console.endShowing() } }
      try await Interruption.cancelling { try await store.vacuum() }
    } catch {
      try Interruption.check("repokit changed nothing")
      throw database.failure(translating: error)
    }
    _ = try? await store.checkpoint()
    let after = FileSize.bytes(of: database.text)
    console.say("vacuumed \(database.name): \(ByteSize.text(before)) before, \(ByteSize.text(after)) after")
  }

  private func vacuum(server store: SQLDatabase, _ console: Console) throws {
    Interruption.postpone()
    try database.translating {
      try store.runBlocking(.write) { connection throws(RepositoryError) in
        _ = try connection.execute("VACUUM (ANALYZE)")
      }
    }
    console.say("the server can reuse the space of deleted rows")
  }
}
