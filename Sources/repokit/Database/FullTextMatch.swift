import Query
import Repository
import SQLiteInspection
import SQLiteStore

/// The rows of a full-text table that its index finds, which are read instead of all of its rows.
struct FullTextMatch: Sendable {
  static let option = OptionDescription(
    name: "--match", value: "WORDS",
    help: "Only rows that hold these words, by the index of a full-text table of SQLite (FTS3, FTS4 or FTS5).")
  static let note = Note.paragraph(
    "--match asks the index of a full-text table in its own language: words that all have to be there, \"a phrase\", word* "
      + "for what begins so, OR, NOT, and column:word. The rows have a column rowid then.")

  private let table: String
  private let words: String

  /// - Returns: `nil` where the call says nothing of it.
  init?(_ arguments: Arguments) throws(Failure) {
    guard let words = arguments[Self.option] else { return nil }
    (table, self.words) = (try arguments.required(.table), words)
  }

  /// Replaces the table by these rows, for a connection.
  func prepare(_ connection: ConnectionSetup) throws {
    try connection.showMatches(of: words, inTable: table)
  }

  /// Refuses a table without such an index, and what the index can't read.
  func check(in store: SQLiteStore) throws(Failure) {
    let tables = try Failure.translating { try store.fullTextTables() }
    // That there is no table of this name is told by what reads it.
    guard try Failure.translating({ try store.tableNames() }).contains(table) else { return }
    guard tables.contains(table) else {
      throw Failure(
        "\(Self.option.name): \(table) is no full-text table",
        details: [
          tables.isEmpty ? "the database has none" : "the database has \(tables.joined(separator: ", "))",
          "column contains 'word' reads all rows of any table",
        ], status: .usageError)
    }
    do throws(RepositoryError) {
      try store.checkMatch(of: words, inTable: table)
    } catch {
      throw Failure(
        "\(Self.option.name): the index can't read \(TerminalText.quoted(words))",
        details: [error.reason, "write words, \"a phrase\", word*, OR, NOT, or column:word"], status: .usageError)
    }
  }
}
