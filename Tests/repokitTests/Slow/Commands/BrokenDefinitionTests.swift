import Foundation
import Testing

@Suite("Views, triggers and references that name what is gone")
struct BrokenDefinitionTests {
  private static let database = Workshop.Template {
    let workshop = try Workshop()
    try workshop.execute(
      "b.sqlite", "create table gone (id integer primary key)", "create table p (id integer primary key, name text)",
      "create table c (id integer primary key, name references p (name), other references P (nope))",
      "create table d (id integer primary key, p references gone (id))",
      "create table watched (a)", "create trigger t after insert on watched begin insert into gone values (1); end",
      "create trigger u after update on watched begin update p set nam = 1; end",
      "create view v as select id from gone", "create view w as select nam from p",
      "create view over as select * from v",
      "create view fine as select name from p", "insert into p values (1, 'a')", "insert into watched values (1)",
      "drop table gone")
    return workshop
  }

  @Test(
    "are named by the command that meets them",
    arguments: [
      ("query b.sqlite v", "SQLite can't use the view v", "SQLite says: no such table: main.gone"),
      ("count b.sqlite over", "SQLite can't use the view over", "SQLite says: no such table: main.gone"),
      ("schema b.sqlite w", "SQLite can't use the view w", "SQLite says: no such column: nam"),
      ("describe b.sqlite w", "SQLite can't use the view w", "SQLite says: no such column: nam"),
      ("export b.sqlite v -", "SQLite can't use the view v", "SQLite says: no such table: main.gone"),
      (
        "insert b.sqlite d id=1 --yes", "d: the reference of p is broken: there is no table gone",
        "SQLite says: no such table: main.gone"
      ),
      (
        "delete b.sqlite p true --yes --all",
        "c: the reference of name is broken: name of p is not unique",
        "SQLite says: foreign key mismatch"
      ),
      (
        "insert b.sqlite watched a=1 --yes", "SQLite can't use the trigger on insert of watched",
        "SQLite says: no such table: main.gone"
      ),
      (
        "set b.sqlite watched true a=1 --yes --all", "SQLite can't use the trigger on update of watched, column a",
        "SQLite says: no such column: nam"
      ),
    ])
  func named(call: String, summary: String, reason: String) async throws {
    let workshop = try await Self.database.copy()
    let outcome = try await workshop.run(call.split(separator: " ").map(String.init))
    #expect(outcome.status == 1 && outcome.output.isEmpty)
    let summaries = ["error: \(summary)\n  \(reason)", "error: b.sqlite: \(summary)\n  \(reason)"]
    #expect(summaries.contains { outcome.messages.hasPrefix($0) }, "\(outcome.messages)")
  }

  @Test("block renames until they are dropped, and can be dropped themselves")
  func dropping() async throws {
    let workshop = try await Self.database.copy()
    let rename = ["table", "rename", "b.sqlite", "watched", "seen", "--yes"]
    let refused = try await workshop.run(rename)
    #expect(
      refused.messages.hasPrefix(
        "error: the trigger t is broken, so SQLite renames and drops nothing\n  SQLite says: error in trigger t: "),
      "\(refused.messages)")
    let dryRun = try await workshop.run(["view", "drop", "b.sqlite", "over", "--dry-run"])
    #expect(dryRun.messages == "would drop the view over\n", "\(dryRun)")
    for view in ["over", "v", "W"] {
      let dropped = try await workshop.run(["view", "drop", "b.sqlite", view, "--yes"])
      #expect(dropped.status == 0 && dropped.messages == "dropped the view \(view)\n", "\(dropped)")
    }
    try workshop.execute("b.sqlite", "drop trigger t", "drop trigger u")
    #expect(try await workshop.run(rename).status == 0)
    let missing = try await workshop.run(["view", "drop", "b.sqlite", "over", "--yes"])
    #expect(missing.messages == "error: there is no view over\n  the choices are fine\n", "\(missing)")
  }

  @Test("A column without a name is read, copied, dumped and renamed")
  func emptyName() async throws {
    let workshop = try Workshop()
    try workshop.execute("e.sqlite", #"create table t ("" integer, a text)"#, "insert into t values (7, 'x')")
    for (call, output) in [
      (["query", "e.sqlite", "t", #""" = 7"#, "--format", "json"], "[\n{\"\":7,\"a\":\"x\"}\n]\n"),
      (["export", "e.sqlite", "t", "-"], "\ta\n7\tx\n"), (["dump", "e.sqlite", "-"], nil),
      (["copy", "e.sqlite", "f.sqlite"], ""), (["diff", "e.sqlite", "f.sqlite"], ""),
    ] as [([String], String?)] {
      let outcome = try await workshop.run(call)
      #expect(outcome.status == 0 && output ?? outcome.output == outcome.output, "\(call): \(outcome)")
    }
    let renamed = try await workshop.run(["column", "rename", "f.sqlite", "t", "", "id", "--yes"])
    #expect(renamed.status == 0, "\(renamed)")
    #expect(try await workshop.run(["query", "f.sqlite", "t", "id = 7", "--format", "csv"]).output == "id,a\n7,x\n")
  }

  @Test(
    "call functions of the program that made them",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
  func functions() async throws {
    let workshop = try Workshop()
    let made = try await workshop.shell(
      """
      sqlite3 p.sqlite "create table t (a); insert into t values (1); create view v as select phone(a) as p from t; \
      create trigger g after delete on t begin select before_delete(old.a); end"
      """)
    #expect(made.status == 0)
    for call in [["delete", "p.sqlite", "t", "a = 1", "--dry-run"], ["query", "p.sqlite", "v"]] {
      let outcome = try await workshop.run(call)
      #expect(
        outcome.status == 1
          && outcome.messages.hasSuffix(
            "  a trigger, view or index calls a function of another program: read tables here, but change them with that program\n"
          ),
        "\(outcome)")
    }
  }

  @Test("are told by what describes the database, and don't disturb the rest")
  func others() async throws {
    let workshop = try await Self.database.copy()
    let schema = try await workshop.run(["schema", "b.sqlite"])
    #expect(schema.status == 0)
    #expect(
      schema.output.contains(
        """
          references
            name → p (name); broken: name of p is not unique
            other → P (nope); broken: p has no column nope

        """), "\(schema.output)")
    #expect(try await workshop.run(["tables", "b.sqlite", "--count-views"]).status == 0)
    #expect(try await workshop.run(["query", "b.sqlite", "fine"]).output == "name\na\n")
    #expect(try await workshop.run(["query", "b.sqlite", "c"]).status == 0)
    let check = try await workshop.run(["check", "b.sqlite"])
    #expect(check.status == 1)
    #expect(
      check.output.split(separator: "\n").prefix(3) == [
        "c: the reference of name is broken: name of p is not unique",
        "c: the reference of other is broken: p has no column nope",
        "d: the reference of p is broken: there is no table gone",
      ], "\(check.output)")
    #expect(check.output.contains("SQLite can't use the view w: no such column: nam\n"))
  }

  /// Statements, a change that leaves something without what it names, and what is told before and after.
  static let changes: [(command: String, before: String, after: String)] = [
    (
      "column drop l.sqlite a y",
      "would drop the column y of a with 1 value\n  then SQLite can't use the trigger on insert of log: no such column: y\n",
      "note: SQLite can't use the trigger on insert of log: no such column: y\ndropped the column y of a with 1 value\n"
    ),
    (
      "table drop l.sqlite a",
      """
      would drop the table a with 1 row
        then SQLite can't use the trigger on insert of log: no such table: main.a
        then SQLite can't use the view v: no such table: main.a

      """,
      """
      note: SQLite can't use the trigger on insert of log: no such table: main.a
      note: SQLite can't use the view v: no such table: main.a
      dropped the table a with 1 row

      """
    ),
    (
      "column drop l.sqlite a z", "would drop the column z of a with 0 values\n",
      "dropped the column z of a with 0 values\n"
    ),
  ]

  @Test("are told before a change makes them so", arguments: changes)
  func losses(of row: (command: String, before: String, after: String)) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "l.sqlite", "CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT, y TEXT, z TEXT)",
      "INSERT INTO a VALUES (1, 'b', 'c', NULL)",
      "CREATE TABLE log (m TEXT)",
      "CREATE VIEW v AS SELECT x FROM a",
      "CREATE TRIGGER tl AFTER INSERT ON log BEGIN UPDATE a SET y = 'z' WHERE x = new.m; END")
    let words = row.command.split(separator: " ").map(String.init)
    #expect(try await workshop.run(words + ["--dry-run"]) == Outcome(status: 0, output: "", messages: row.before))
    let terminal = try workshop.terminal(words + ["--color", "never"])
    _ = try await terminal.wait(for: "[y/N] ")
    try terminal.send("n\r")
    _ = try await terminal.finish()
    for line in row.before.split(separator: "\n").dropFirst() {
      #expect(terminal.text.contains(line.drop { $0 == " " }), "\(terminal.text)")
    }
    #expect(try await workshop.run(words + ["--yes"]) == Outcome(status: 0, output: "", messages: row.after))
  }
}
