import Repository
import SQLiteInspection
import SQLStore
import SQLiteStore

/// `repokit vacuum`: frees the space of deleted rows.
struct VacuumCommand: Command {
  static let description = CommandDescription(
    name: "vacuum", summary: "Reclaims the space of deleted rows.",
    examples: [
      .init(arguments: "vacuum pokedex.sqlite", meaning: "The file gets smaller by the space of deleted rows.")
    ],
    positionals: [.database],
    notes: [
      .paragraph(
        "The file is written anew, which takes time and twice its space meanwhile, and no other program can write to it. "
          + "No row is changed. A full-text table that would find other rows afterwards, as SQLite numbers those of its content anew, "
          + "is in the way. A server is asked to VACUUM (ANALYZE), which lets it use the space of deleted rows again, and "
          + "others go on meanwhile.")
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
        "the full-text table \(index.name) would find other rows of \(index.content) afterwards",
        details: [
          "it finds them by their rowids, which SQLite gives anew in a table that has neither an integer key nor an index",
          "repokit index add makes an index of any column of \(index.content), with which its rows keep them",
        ])
    }
    let before = FileSize.bytes(of: database.text)
    Interruption.postpone()
    do {
      if console.canRedraw { console.beginShowing("writing \(database.name) anew") }
      defer { if console.canRedraw { console.endShowing() } }
      try await Interruption.cancelling { try await store.vacuum() }
    } catch {
      try Interruption.check("nothing was changed")
      throw database.failure(translating: error)
    }
    _ = try? await store.checkpoint()
    let after = FileSize.bytes(of: database.text)
    console.report(
      TerminalText.visible("\(database.name) takes \(ByteSize.text(after)), and took \(ByteSize.text(before))") + "\n")
  }

  private func vacuum(server store: SQLDatabase, _ console: Console) throws {
    Interruption.postpone()
    try database.translating {
      try store.runBlocking(.write) { connection throws(RepositoryError) in
        _ = try connection.execute("VACUUM (ANALYZE)")
      }
    }
    console.report("the server can use the space of deleted rows again\n")
  }
}
