import Foundation
import Testing

/// Tables as other programs make them, which need SQLite's own shell to be made.
@Suite("Looking at odd tables", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct OddLookTests {
  static let definitions = """
    create table "na""me
    nl"("a ""b" integer primary key, "c
    d" text collate nocase default 'x''y', e int check (e > 0 and e < (10)), f generated always as (e * 2) virtual,
      g text as ("c
    d" || '!') stored);
    insert into "na""me
    nl"("a ""b", "c
    d", e) values (1, 'a', 1), (2, 'A', 2), (3, null, 3);
    create index partial on "na""me
    nl"("c
    d" collate binary desc, e) where e > 1;
    create index expression on "na""me
    nl"(lower("c
    d"), abs(e + 1) desc);
    create table small(a text, b int, c any, primary key(a, b)) strict, without rowid;
    insert into small values ('x', 1, 1), ('x', 2, 't'), ('y', 1, x'00'), ('y', 2, 1.0);
    create table empty(a, b text);
    create virtual table words using fts5(body, title);
    insert into words values ('hello world', 'x'), ('other', 'y');
    create view seen as select a, count(*) as n from small group by a;
    create view broken as select * from gone;
    create table parent(id integer primary key, k text unique, u int, v int, unique(u, v));
    create table child(id integer primary key, p int references parent on delete cascade on update set null, q text,
      foreign key (q) references parent(k) deferrable initially deferred);
    create trigger watcher after insert on child begin select 1; end;
    create table loose(x, r real);
    insert into loose values (1, 1), (1.0, 'text'), ('1', null), (x'31', x''), (9e999, 1e308), (-9e999, -1e308),
      (cast(x'ff41' as text), 0.5);
    """

  static func workshop() async throws -> Workshop { try await template.copy() }

  private static let template = Workshop.Template {
    let workshop = try Workshop()
    try workshop.write(definitions, to: "odd.sql")
    let made = try await workshop.shell("sqlite3 odd.sqlite < odd.sql")
    try #require(made.status == 0, "\(made.messages)")
    return workshop
  }

  static let odd = "na\"me\nnl"

  @Test("tells what each of them is")
  func tables() async throws {
    let workshop = try await Self.workshop()
    let outcome = try await workshop.run(["tables", "odd.sqlite", "--count-views", "--format", "table"])
    #expect(
      outcome.output == """
        table          kind     rows     size
        ─────────────  ───────  ────  ───────
        broken         view     null     null
        child          table       0  4.0 KiB
        empty          table       0  4.0 KiB
        loose          table       7  4.0 KiB
        na"me␊nl       table       3   12 KiB
        parent         table       0   12 KiB
        seen           view        2     null
        small          table       4  4.0 KiB
        words          virtual     2   20 KiB
        words_config   shadow      1     null
        words_content  shadow      2     null
        words_data     shadow      3     null
        words_docsize  shadow      2     null
        words_idx      shadow      1     null

        """)
  }

  @Test("describes keys, rules, indexes and what is worked out")
  func schema() async throws {
    let workshop = try await Self.workshop()
    #expect(
      try await workshop.run(["schema", "odd.sqlite", Self.odd]).output == """
        na"me␊nl
          a "b  integer  key
          c␊d   text     may be null, default 'x''y', collation nocase, declared TEXT
          e     integer  may be null, declared INT
          f     any      computed as e * 2, may be null, declared without a type
          g     text     stored as "c␊d" || '!', may be null, declared TEXT
          checks
            e > 0 and e < (10)
          indexes
            expression: lower("c␊d"), abs(e + 1) desc
            partial: c␊d collation BINARY desc, e where e > 1

        """)
    #expect(
      try await workshop.run(["schema", "odd.sqlite", "child"]).output == """
        child
          id  integer  key
          p   integer  may be null, declared INT
          q   text     may be null, declared TEXT
          references
            p → parent, when deleted cascade, when changed set null
            q → parent (k), checked at the end of a transaction
          triggers
            watcher

        """)
    #expect(
      try await workshop.run(["schema", "odd.sqlite", "parent"]).output.hasSuffix("  unique together\n    u, v\n"))
    #expect(
      try await workshop.run(["schema", "odd.sqlite", "small"]).output.hasPrefix("small  (without rowid)\n"))
    #expect(try await workshop.run(["schema", "odd.sqlite", "words"]).output.hasPrefix("words  (virtual table)\n"))
    #expect(try await workshop.run(["schema", "odd.sqlite", "seen"]).output.hasPrefix("seen  (view)\n"))
  }

  @Test("gives back the statements, from which the same tables can be made")
  func sql() async throws {
    let workshop = try await Self.workshop()
    for table in [Self.odd, "small", "parent", "child", "seen"] {
      let first = try await workshop.run(["schema", "odd.sqlite", table, "--sql"])
      try workshop.write(first.output, to: "again.sql")
      if table == "seen" {
        // It can't be described without the table that it reads.
        #expect(first.output.hasPrefix("CREATE VIEW seen "), "\(first.output)")
        continue
      }
      let made = try await workshop.shell("rm -f again.sqlite; sqlite3 again.sqlite < again.sql")
      #expect(made.status == 0, "\(made.messages)")
      #expect(try await workshop.run(["schema", "again.sqlite", table, "--sql"]).output == first.output)
    }
  }

  @Test("gives columns to programs")
  func columns() async throws {
    let workshop = try await Self.workshop()
    let outcome = try await workshop.run(["schema", "odd.sqlite", "child", "--format", "csv"])
    #expect(
      outcome.output == """
        table,column,type,declared,nullable,key,unique,indexed,default,generated,collation,references
        child,id,integer,INTEGER,0,1,0,0,,,,
        child,p,integer,INT,1,,0,0,,,,parent
        child,q,text,TEXT,1,,0,0,,,,parent.k

        """)
    // The view that can't be described is no row, and no reason to fail.
    let all = try await workshop.run(["schema", "odd.sqlite", "--format", "ndjson"])
    #expect(all.status == 0)
    #expect(!all.output.contains("broken"))
  }

  @Test("shows the values of each of them, and fails for a view whose table is gone")
  func describe() async throws {
    let workshop = try await Self.workshop()
    for table in [Self.odd, "small", "empty", "words", "seen", "parent", "loose", "words_data"] {
      for format in ["table", "json", "csv", "line", "markdown"] {
        let outcome = try await workshop.run(["describe", "odd.sqlite", table, "--format", format])
        #expect(outcome.status == 0, "\(table) \(format): \(outcome.messages)")
        #expect(!outcome.output.isEmpty)
      }
    }
    let broken = try await workshop.run(["describe", "odd.sqlite", "broken"])
    #expect(broken.status != 0)
    #expect(broken.output == "")
    #expect(broken.messages.contains("gone"))
  }

  @Test("tells what a loose column mixes")
  func mixture() async throws {
    let workshop = try await Self.workshop()
    let outcome = try await workshop.run(["describe", "odd.sqlite", "loose", "--format", "table"])
    #expect(
      outcome.output == """
        loose: 7 rows

        column  type                                            nulls  distinct  min      max     mean  spread        most common
        ──────  ──────────────────────────────────────────────  ─────  ────────  ───────  ─────  ─────  ────────────  ───────────
        x       integer 1, real 3, text 2, blob 1, 1 not UTF-8      0         6  -9e999   x'31'         1 long        1 2
        r       real 4, text 1, blob 1                              1         6  -1e+308  x''    0.375  ▄     █    ▄

        """)
  }

  @Test("explains queries about each of them")
  func explain() async throws {
    let workshop = try await Self.workshop()
    for (table, query) in [
      (Self.odd, "e = 1"), ("small", "c = 1"), ("empty", "b = 'x'"), ("words", "body = 'x'"), ("seen", "n > 1"),
      ("loose", "x = 1"),
    ] {
      let outcome = try await workshop.run(["explain", "odd.sqlite", table, query])
      #expect(outcome.status == 0, "\(table): \(outcome.messages)")
      #expect(outcome.output.contains("\nplan "))
    }
  }
}
