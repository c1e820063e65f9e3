import Foundation
import TestSupport
import Testing

/// Tables as other programs make them, which need SQLite's own shell to be made.
@Suite("Tables of other programs", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct OddTableTests {
  static let definitions = """
    create table loose(id integer primary key, i integer, r real, t text, n numeric, b blob, x, d datetime);
    insert into loose values (1, 1, 1.5, 'a', 1, x'00ff', 1, '2020-01-01'), (2, 'x', 'y', 'A', 'z', 'text', 1.0, 2021),
      (3, null, null, null, null, null, null, null), (4, x'01', x'01', x'61', x'01', 12, '1', x''),
      (5, 9223372036854775807, 9007199254740993, '12', 1e300, 1.5, 9007199254740993, ''),
      (6, -9223372036854775808, 9e999, 'é', -9e999, '', 9007199254740992.0, '12');
    create table keyless(a integer, b text collate nocase);
    insert into keyless values (1, 'x'), (1, 'x'), (1, 'X'), (null, null), (null, null), (2, null);
    create table pair(a integer, b text not null, primary key (a, b));
    insert into pair values (null, 'x'), (null, 'x'), ('text', 'y'), (1, 'y'), (1, 'x');
    create table descending(id integer primary key desc, v);
    insert into descending values (null, 1), (null, 2), ('text', 3), (5, 4);
    create table ordered(a text collate nocase, b integer, primary key (b desc, a)) without rowid;
    insert into ordered values ('x', 1), ('Y', 1), ('z', 2), ('a', 'text');
    create table strict(k text primary key, i int, r real, b blob, a any) strict;
    insert into strict values ('é', 1, 1, x'', 1), ('e' || char(769), 2, 0.1, x'00', '1'), ('a', null, -9e999, null, 1.0),
      ('A', 9007199254740993, 9007199254740992, x'61', x'61');
    create table "odd ""name"" 表"("a b" integer, "select" text, "ключ" text, "-m" int);
    insert into "odd ""name"" 表" values (1, 'a', 'b', 2), (2, null, 'é', -2);
    create table generated(id integer primary key, a int, twice int as (a * 2));
    insert into generated(id, a) values (1, 1), (2, null), (3, 'z');
    create view upper as select id, upper(t) as t, r * 2 as r, x from loose;
    create view groups as select b, count(*) as n from keyless group by b;
    create view broken as select * from gone;
    """

  static func workshop() async throws -> Workshop { try await template.copy() }

  private static let template = Workshop.Template {
    let workshop = try Workshop()
    try workshop.write(definitions, to: "odd.sql")
    let made = try await workshop.shell("sqlite3 odd.sqlite < odd.sql")
    try #require(made.status == 0, "\(made.messages)")
    return workshop
  }

  static let queries: [(table: String, conditions: [String])] = [
    (
      "loose",
      [
        "i = 1", "i != 1", "not i > 0", "r >= 1", "r between 1 and 9e999", "t = 'a'", "t != 'A'", "t > 'a'",
        "n in (1, 'z', null)", "n not in (1, 'z')", "b = x'00ff'", "b = 'text'", "b = ''", "x = 1", "x = '1'",
        "x in (9007199254740993, '1')", "x > 9007199254740992", "r = 9007199254740992", "d = 2021", "d < 'a'",
        "d is null or d = x''", "t like 'A' ignoring case", "t contains ''", "b starts with 't'", "i = id", "x >= i",
        "n != r", "t < b", "not (t < b)",
      ]
    ),
    ("keyless", ["a = 1", "b = 'x'", "b = 'X'", "b > 'X'", "b is null", "a != 1", "b in ('x', null)"]),
    ("pair", ["a is null", "a = 1", "a = 'text'", "b = 'x'", "a < b"]),
    ("descending", ["id is null", "id > 1", "id = 'text'"]),
    ("ordered", ["a = 'X'", "a >= 'a'", "b = 1", "b > 1"]),
    (
      "strict", ["k = 'é'", "k > 'A'", "i = 9007199254740993", "r < 0.1", "b >= x''", "a = 1", "a != '1'", "a = x'61'"]
    ),
    (
      "odd \"name\" 表",
      ["\"a b\" = 1", "\"select\" = 'a'", "\"ключ\" contains 'é'", "\"-m\" < 0", "\"select\" is null"]
    ),
    ("generated", ["twice = 2", "twice is null", "twice = a"]),
    ("upper", ["t = 'A'", "r > 2", "x = 1", "id != 3"]),
    ("groups", ["n > 1", "b is null", "b = 'x'"]),
  ]

  @Test("give both engines the same rows in the same order", .tags(.slow), arguments: queries)
  func engines(table: String, conditions: [String]) async throws {
    let workshop = try await Self.workshop()
    for condition in ["true"] + conditions {
      let arguments = ["query", "odd.sqlite", table, condition, "--format", "ndjson"]
      let stored = try await workshop.run(arguments)
      #expect(stored.status == 0, "\(condition): \(stored.messages)")
      #expect(try await workshop.run(arguments + ["--engine", "memory"]) == stored, "\(condition)")
    }
  }

  @Test("take blobs and odd names from CSV")
  func append() async throws {
    let workshop = try await Self.workshop()
    for table in ["loose", "strict", "odd \"name\" 表", "keyless"] {
      let csv = try await workshop.run(["query", "odd.sqlite", table, "--format", "csv"]).output
      let mode = ["loose", "strict"].contains(table) ? "--upsert" : "--append"
      // The loose table holds texts where numbers belong, which its columns refuse from a file.
      let outcome = try await workshop.run(["import", "odd.sqlite", table, "-", mode], input: csv)
      #expect(outcome.status == (table == "loose" ? 1 : 0), "\(outcome.messages)")
    }
  }

  @Test("are listed though a view has no end, and take no rows where they are views")
  func views() async throws {
    let workshop = try Workshop()
    try workshop.execute("v.sqlite", "CREATE TABLE t (a INTEGER CHECK (a > 0))")
    try workshop.execute(
      "v.sqlite", "CREATE VIEW v AS WITH RECURSIVE n(a) AS (SELECT 1 UNION ALL SELECT a + 1 FROM n) SELECT a FROM n")
    let list = try await workshop.run(["tables", "v.sqlite", "--format", "csv"])
    #expect(list.output.split(separator: "\n").last == "v,view,,")
    let insert = try await workshop.run(["insert", "v.sqlite", "v", "a=1", "--yes"])
    #expect(insert.status == 1 && insert.messages.hasPrefix("error: can't change rows of v\n"))
    _ = try await workshop.shell(
      "sqlite3 v.sqlite 'PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (-1), (-2)'")
    let check = try await workshop.run(["check", "v.sqlite"])
    #expect(check.status == 1 && check.output == "CHECK constraint failed in t\nCHECK constraint failed in t\n")
    #expect(
      check.messages
        == "error: v.sqlite has 2 problems\n  correct or delete the rows that break a rule of their table\n")
    #expect(try await workshop.run(["backup", "v.sqlite", "copy.sqlite"]).status == 0)
  }

  @Test("are written as statements that leave out what the database computes", arguments: ["query", "export"])
  func statements(command: String) async throws {
    let workshop = try await Self.workshop()
    let file = command == "export" ? ["-"] : []
    let sql = try await workshop.run([command, "odd.sqlite", "generated"] + file + ["--format", "sql"])
    #expect(sql.messages == "note: the database computes twice, so the statements omit this column\n")
    try workshop.write(sql.output, to: "rows.sql")
    let made = "create table generated(id integer primary key, a int, twice int as (a * 2))"
    _ = try await workshop.shell("sqlite3 copy.sqlite '\(made)'; sqlite3 copy.sqlite < rows.sql")
    let rows = ["generated", "--format", "csv"]
    #expect(
      try await workshop.run(["query", "copy.sqlite"] + rows).output
        == workshop.run(["query", "odd.sqlite"] + rows).output)
    let chosen = ["--columns", "id,twice", "--format", "sql"]
    #expect(
      try await workshop.run([command, "odd.sqlite", "generated", "id = 1"] + file + chosen).output
        == "INSERT INTO \"generated\" (\"id\", \"twice\") VALUES (1, 2);\n")
  }

  @Test("are not replaced where they are views")
  func replace() async throws {
    let workshop = try await Self.workshop()
    #expect(
      try await workshop.run(["import", "odd.sqlite", "upper", "-", "--replace"], input: "id\n2\n")
        == Outcome(
          status: 1, output: "",
          messages:
            "error: odd.sqlite: upper is a view, not a table\n  the rows of a view belong to the tables that the view reads\n"
        ))
  }

  @Test("are all described, but for a view whose table is gone")
  func schema() async throws {
    let workshop = try await Self.workshop()
    let outcome = try await workshop.run(["schema", "odd.sqlite"])
    #expect(outcome.status == 0)
    #expect(outcome.output.contains("broken\n  repokit can't describe this table: "))
    #expect(outcome.output.contains("\nodd \"name\" 表\n  a b     integer  may be null, declared INTEGER\n"))
    #expect(outcome.output.contains("\npair\n  a  integer  indexed, may be null"))
  }

  @Test(
    "hold decimals as a model keeps them, which no number is compared with as a text",
    arguments: [
      ("price > 9.5", "9.5", "'001 9.5'"), ("price > '9.5'", "'9.5'", "'001 9.5'"),
      ("id = 1 or not price = 3", "3", "'001 3'"),
      ("price in ('001 9.99', '10')", "'10'", "'002 10'"),
    ])
  func decimals(query: String, value: String, decimal: String) async throws {
    let workshop = try Workshop()
    try workshop.execute(
      "p.sqlite", "CREATE TABLE item (id INTEGER PRIMARY KEY, price TEXT, code TEXT) STRICT",
      "INSERT INTO item VALUES (1, '001 9.99', '9.5'), (2, '003 125.5', '001 1'), (3, NULL, NULL)")
    let refused = try await workshop.runUnchanged(["query", "p.sqlite", "item", query])
    #expect(refused.status == 2 && refused.output == "")
    #expect(
      refused.messages.hasPrefix(
        "error: can't compare price with \(value): price stores decimals as text such as \(decimal)"))
    #expect(refused.messages.contains("\n  write \(decimal)\n"), "\(refused.messages)")
    let right = try await workshop.run(["query", "p.sqlite", "item", "price > '001 9.5'", "--columns", "id"])
    #expect(right.output == "id\n1\n2\n")
    // Other texts may look like numbers.
    #expect(try await workshop.run(["count", "p.sqlite", "item", "code = '9.5'"]).output == "1\n")
  }

  @Test("can be read after a program was stopped amid a change")
  func unfinishedChange() async throws {
    let workshop = try await Workshop.withPokemon()
    // A copy of the database and its journal while a change is under way, as a crash would leave them.
    let made = try await workshop.shell(
      """
      sqlite3 p.sqlite "pragma cache_size = 1; begin; create table t(x); insert into t select hex(randomblob(4000)) \
        from pokemon, pokemon, pokemon; update pokemon set weight = 0;" \
        ".system cp p.sqlite crashed.sqlite; cp p.sqlite-journal crashed.sqlite-journal"
      """)
    try #require(made.status == 0, "\(made.messages)")
    #expect(try workshop.files().contains("crashed.sqlite-journal"))
    #expect(try await workshop.rows("crashed.sqlite") == workshop.rows("p.sqlite"))
  }
}
