import Foundation
import Testing

@Suite("Full-text tables", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct FullTextTests {
  private static let database = Workshop.Template {
    let workshop = try Workshop()
    try workshop.write(
      """
      create table note (id integer primary key, title text, body text);
      insert into note values (1, 'One', 'the quick brown fox'), (2, 'Two', 'a lazy dog'), (3, 'Three', 'quick, quick dog');
      create virtual table note_fts using fts5 (title, body, content = 'note', content_rowid = 'id');
      insert into note_fts (note_fts) values ('rebuild');
      create virtual table old using fts4 (title, body);
      insert into old select title, body from note;
      """, to: "notes.sql")
    let made = try await workshop.shell("sqlite3 p.sqlite < notes.sql")
    try #require(made.status == 0, "\(made.messages)")
    return workshop
  }

  @Test(
    "are asked by their index, and by conditions as well",
    arguments: [
      (["query", "note_fts", "--match", "quick", "--columns", "rowid,title"], "rowid\ttitle\n1\tOne\n3\tThree\n"),
      (["query", "old", "--match", "\"quick brown\"", "--columns", "title"], "title\nOne\n"),
      (["query", "note_fts", "title != 'One'", "--match", "qui*", "--columns", "rowid"], "rowid\n3\n"),
      (["query", "note_fts", "--match", "dog", "--sort=-rowid", "--columns", "rowid"], "rowid\n3\n2\n"),
      (
        ["query", "note_fts", "--match", "dog", "--columns", "rowid", "--engine", "memory"],
        "rowid\n2\n3\n"
      ),
      (["count", "note_fts", "--match", "\"quick brown\" OR lazy"], "2\n"),
      (["count", "note_fts", "--match", "nothing"], "0\n"),
      (["group", "old", "--match", "dog", "--by", "length(title)", "--count"], "length(title)\tcount\n3\t1\n5\t1\n"),
    ] as [([String], String)])
  func match(words: [String], output: String) async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.runUnchanged([words[0], "p.sqlite"] + words.dropFirst())
    #expect(outcome.output == output && outcome.status == 0, "\(outcome)")
  }

  @Test(
    "are named where there is no index, and what an index can't read is told",
    arguments: [
      (
        ["note", "--match", "quick"],
        "error: --match: note is not a full-text table\n  the full-text tables are note_fts, old\n"
          + "  column contains 'word' searches any table row by row\n"
      ),
      (
        ["note_fts", "--match", "\"quick"],
        "error: --match: the full-text index can't parse \"\"quick\"\n  SQLite says: unterminated string\n"
          + "  write words, \"a phrase\", word*, OR, NOT, or column:word\n"
      ),
      (["nothing", "--match", "quick"], "error: there is no table nothing\n"),
      (["note", "body match 'quick'"], "  --match 'words' searches a full-text table by index\n"),
      (
        ["note", "body.city = 'Rome'"],
        "  and no value of the column is a JSON object or array\n"
      ),
    ] as [([String], String)])
  func refusals(words: [String], message: String) async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.runUnchanged(["query", "p.sqlite"] + words)
    #expect(outcome.status == 2 && outcome.messages.contains(message), "\(outcome)")
  }

  @Test("are no matter of files of rows")
  func files() async throws {
    let workshop = try Workshop()
    try workshop.write("a\n1\n", to: "a.csv")
    let outcome = try await workshop.run(["query", "a.csv", "--match", "x"])
    #expect(outcome.status == 2 && outcome.messages.contains("--match requires a full-text table of an SQLite file"))
  }
}
