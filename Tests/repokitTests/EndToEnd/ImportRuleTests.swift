import Foundation
import Testing

/// Tables whose rules SQLite's own shell has to write.
@Suite("Import into tables with rules", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct ImportRuleTests {
  private static let definitions = """
    create table whole(id integer primary key on conflict rollback, a);
    create table lenient(id integer primary key on conflict ignore, a);
    create table checked(id integer primary key, a integer check (a > 0), b text unique);
    create table guarded(id integer primary key, a);
    create trigger guard before insert on guarded when new.a = 'bad' begin select raise(abort, 'bad it is'); end;
    create table undoing(id integer primary key, a);
    create trigger undo before insert on undoing when new.a = 'bad' begin select raise(rollback, 'undone'); end;
    create table child(id integer primary key, a references checked(id));
    create table computed(id integer primary key, a int, twice int as (a * 2), thrice int as (a * 3) stored);
    insert into computed values (1, 2);
    create table keyed(a text, b text, c, primary key (a, b)) without rowid;
    create view seen as select * from guarded;
    """

  private func workshop() async throws -> Workshop {
    let workshop = try Workshop()
    try workshop.write(Self.definitions, to: "rules.sql")
    let made = try await workshop.shell("sqlite3 r.sqlite < rules.sql")
    try #require(made.status == 0, "\(made.messages)")
    return workshop
  }

  @Test(
    "leaves out the rows that break a rule, and nothing else",
    arguments: [
      ("checked", "id,a,b\n1,1,x\n2,0,y\n3,1,x\n4,1,z\n", ["3", "4"], "1,1,x\n4,1,z\n"),
      ("guarded", "id,a\n1,x\n2,bad\n3,y\n", ["3"], "1,x\n3,y\n"),
      ("child", "id,a\n1,\n2,7\n3,\n", ["3"], "1,\n3,\n"),
      ("keyed", "a,b,c\nx,y,1\nx,y,2\nx,z,3\n", ["3"], "x,y,1\nx,z,3\n"),
    ])
  func skipping(table: String, csv: String, skipped: [String], rows: String) async throws {
    let workshop = try await workshop()
    let strict = try await workshop.run(["import", "r.sqlite", table, "-", "--append"], input: csv)
    #expect(strict.status == 1)
    #expect(strict.messages.hasPrefix("error: standard input, line 3: "), "\(strict.messages)")
    let count = try await workshop.run(["count", "r.sqlite", table])
    #expect(count.output == "0\n")
    let lenient = try await workshop.run(["import", "r.sqlite", table, "-", "--append", "--skip-bad"], input: csv)
    #expect(lenient.status == 0)
    let places = lenient.messages.matches(of: #/skipped: standard input, line (\d+):/#).map { String($0.1) }
    #expect(places == skipped, "\(lenient.messages)")
    let output = try await workshop.run(["query", "r.sqlite", table, "--format", "csv"]).output
    #expect(output.split(separator: "\n").dropFirst().joined(separator: "\n") + "\n" == rows)
  }

  @Test("keeps no row behind one for which the table undid everything", arguments: ["whole", "undoing"])
  func rollback(table: String) async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(
      ["import", "r.sqlite", table, "-", "--append", "--skip-bad"], input: "id,a\n1,x\n1,bad\n3,y\n")
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: r.sqlite: the database undid the import\n"), "\(outcome.messages)")
    #expect(try await workshop.run(["count", "r.sqlite", table]).output == "0\n")
  }

  @Test("counts no row that the table left alone")
  func ignored() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(
      ["import", "r.sqlite", "lenient", "-", "--append"], input: "id,a\n1,x\n1,y\n2,z\n")
    #expect(outcome.messages == "appended 2 rows to lenient\n")
  }

  @Test("leaves computed columns to the table, also where a file has them")
  func computed() async throws {
    let workshop = try await workshop()
    #expect(try await workshop.run(["export", "r.sqlite", "computed", "c.json"]).status == 0)
    #expect(
      String(decoding: try workshop.read("c.json"), as: UTF8.self)
        == "[\n{\"id\":1,\"a\":2,\"twice\":4,\"thrice\":6}\n]\n")
    for (file, text) in [("c.json", nil), ("d.csv", "id,a\n2,5\n"), ("e.csv", "id,a,twice\n3,6,0\n")] {
      if let text { try workshop.write(text, to: file) }
      let outcome = try await workshop.run(["import", "r.sqlite", "computed", file, "--upsert"])
      #expect(outcome.messages == "inserted or replaced 1 row of computed by id\n")
    }
    #expect(
      try await workshop.run(["query", "r.sqlite", "computed", "--format", "csv"]).output
        == "id,a,twice,thrice\n1,2,4,6\n2,5,10,15\n3,6,12,18\n")
  }

  @Test("says that a view takes no rows")
  func view() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(["import", "r.sqlite", "seen", "-", "--append"], input: "id,a\n1,x\n")
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("view"), "\(outcome.messages)")
  }

  @Test("tells columns of a new table apart that differ in Unicode's spelling of a letter alone")
  func spelling() async throws {
    let (composed, decomposed) = ("\u{E9}", "e\u{301}")
    let workshop = try Workshop()
    // Only the key's column may not be empty.
    try workshop.write(
      [1, 2].map { "{\"\(composed)\":null,\"\(decomposed)\":\($0)}\n" }.joined(), to: "a.ndjson")
    #expect(try await workshop.run(["import", "a.sqlite", "t", "a.ndjson", "--key", decomposed]).status == 0)
    let outcome = try await workshop.run(["import", "b.sqlite", "t", "a.ndjson", "--key", composed])
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("a.ndjson, line 1, column \(composed): the field is empty"))
    // Another table of that kind of name stays as it is.
    try workshop.execute("a.sqlite", "CREATE TABLE \"\(composed)\" (a)")
    #expect(try await workshop.run(["import", "a.sqlite", decomposed, "a.ndjson"]).status == 0)
    #expect(try await workshop.run(["import", "a.sqlite", composed, "a.ndjson"]).status == 1)
  }
}
