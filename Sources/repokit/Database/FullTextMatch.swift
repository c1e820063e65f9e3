import Query
import Repository
import SQLiteInspection
import SQLiteStore

/// The rows of a full-text table that its index finds, which are read instead of all of its rows.
struct FullTextMatch: Sendable {
  static let option = OptionDescription(
    name: "--match", value: "WORDS",
    help: "Find rows that contain these words, by the index of a full-text table of SQLite (FTS3, FTS4 or FTS5).")
  static let note = Note.paragraph(
    "--match searches a full-text table with SQLite's query syntax: words that must all occur, \"a phrase\", word* "
      + "for a prefix, OR, NOT, and column:word. The result then has a column rowid.")

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
    let tables = try Failure.translating { try store.fullTextTables().map(\.name) }
    // That there is no table of this name is told by what reads it.
    guard try Failure.translating({ try store.tableNames() }).contains(table) else { return }
    guard tables.contains(table) else {
      throw Failure(
        "\(Self.option.name): \(table) is not a full-text table",
        details: [
          tables.isEmpty
            ? "the database has no full-text tables" : "the full-text tables are \(tables.joined(separator: ", "))",
          "column contains 'word' searches any table row by row",
        ], status: .usageError)
    }
    do throws(RepositoryError) {
      try store.checkMatch(of: words, inTable: table)
    } catch {
      if error.isOfVirtualTable { throw Failure(error) }
      throw Failure(
        "\(Self.option.name): the full-text index can't parse \(TerminalText.quoted(words))",
        details: [error.reason, "write words, \"a phrase\", word*, OR, NOT, or column:word"], status: .usageError)
    }
  }
}
