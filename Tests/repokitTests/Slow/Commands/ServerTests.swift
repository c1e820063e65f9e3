import Foundation
import PostgresStore
import Query
import TestSupport
import Testing
@testable import repokit

@Suite("On a server", .tags(.slow), .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
struct ServerTests {
  /// Commands whose results are those on a file, `DB` being the database. Each goes on where the one before has ended.
  static let calls: [[String]] = [
    ["import", "DB", "pokemon", "pokemon.csv", "--key", "id"],
    ["import", "DB", "pokemon", "pokemon.csv", "--key", "id"],
    ["tables", "DB", "--names"],
    ["schema", "DB"],
    ["schema", "DB", "pokemn"],
    ["query", "DB", "pokemon"],
    ["query", "DB", "pokemon", "weight > 8 and type2 is null", "--sort=-weight,name", "--format", "json"],
    ["query", "DB", "pokemon", "name starts with 'Char' or note like '%100\\%'", "--columns", "id,name,note"],
    ["query", "DB", "pokemon", "japanese_name contains 'ビ' ignoring case", "--format", "table"],
    ["query", "DB", "pokemon", "name in ('CHARizard', 'MEW') ignoring case or type1 = 'GRASS' ignoring case"],
    ["query", "DB", "pokemon", "--sort=-name ignoring case", "--columns", "name", "--limit", "3"],
    ["group", "DB", "pokemon", "--by", "type1 ignoring case", "--count"],
    ["view", "create", "DB", "heavy", "pokemon", "weight > 50 and name starts with 'Ch'", "--dry-run"],
    ["view", "create", "DB", "heavy", "pokemon", "weight > 50", "--columns", "id, name, weight * 2 as pounds"],
    ["view", "create", "DB", "heavy", "pokemon"],
    ["query", "DB", "heavy", "pounds > 100", "--sort", "id"],
    ["view", "create", "DB", "first", "pokemon", "--top", "1", "--by", "type1", "--sort=-weight", "--columns", "name"],
    ["query", "DB", "first", "--sort", "name"],
    ["view", "drop", "DB", "first", "--yes"],
    ["view", "drop", "DB", "pokemon", "--yes"],
    ["view", "drop", "DB", "heavy", "--yes"],
    ["query", "DB", "pokemon", "id in (1, 4, 6, 25, 99, 143) and not type1 in ('grass')", "--sort", "type1 desc, id"],
    ["query", "DB", "pokemon", "note = :note", "--param", "note=007"],
    ["query", "DB", "pokemon", "--columns", "type1,type2", "--distinct"],
    ["query", "DB", "pokemon", "--page", "2", "--sort", "weight"],
    ["query", "DB", "pokemon", "--limit", "2", "--offset", "2", "--sort", "type2 nulls last"],
    ["query", "DB", "pokemon", "wieght > 1"],
    ["query", "DB", "pokemon", "type1 = 'fier'"],
    ["query", "DB", "nothing"],
    ["count", "DB", "pokemon", "weight between 6.9 and 100"],
    ["count", "DB", "pokemon", "--columns", "type1", "--distinct"],
    ["group", "DB", "pokemon", "--by", "type1", "--count", "--avg", "weight", "--min", "name", "--sort=-count"],
    ["group", "DB", "pokemon", "--sum", "weight", "--max", "note", "--format", "json"],
    ["describe", "DB", "pokemon", "--format", "json"],
    ["describe", "DB", "pokemon", "weight > 7", "--columns", "weight,type2", "--format", "line"],
    ["index", "add", "DB", "pokemon", "type1", "weight", "--yes"],
    ["index", "add", "DB", "pokemon", "type1", "--unique", "--dry-run"],
    ["index", "drop", "DB", "pokemon.type1.weight", "--yes"],
    ["export", "DB", "pokemon", "type1 = 'fire'", "-", "--format", "csv"],
    ["insert", "DB", "pokemon", "id=7", "name=Squirtle", "japanese_name=ゼニガメ", "type1=water", "weight=9", "--dry-run"],
    ["insert", "DB", "pokemon", "id=7", "name=Squirtle", "japanese_name=ゼニガメ", "type1=water", "weight=9", "--yes"],
    ["insert", "DB", "pokemon", "id=7", "name=x", "japanese_name=x", "type1=x", "weight=1", "--yes"],
    ["insert", "DB", "pokemon", "id=8", "--yes"],
    ["set", "DB", "pokemon", "type1 = 'fire'", "weight=100", "note=null", "--dry-run", "--format", "csv"],
    ["set", "DB", "pokemon", "type1 = 'fire'", "weight=100", "note=null", "--yes"],
    ["set", "DB", "pokemon", "id = 7", "id=1", "--yes"],
    ["set", "DB", "pokemon", "id = 7", "name=null", "--yes"],
    ["delete", "DB", "pokemon", "id = 7", "--dry-run"],
    ["delete", "DB", "pokemon", "id = 7", "--yes"],
    ["delete", "DB", "pokemon", "id = 7", "--yes"],
    ["import", "DB", "pokemon", "more.csv", "--upsert"],
    ["import", "DB", "pokemon", "more.csv", "--append"],
    ["import", "DB", "pokemon", "bad.csv", "--append"],
    ["import", "DB", "pokemon", "bad.csv", "--append", "--skip-bad", "--dry-run"],
    ["import", "DB", "pokemon", "bad.csv", "--append", "--skip-bad"],
    ["query", "DB", "pokemon"],
    ["import", "DB", "pokemon", "more.csv", "--replace", "--key", "id", "--dry-run"],
    ["import", "DB", "pokemon", "more.csv", "--replace", "--types", "id=text"],
    ["import", "DB", "pokemon", "more.csv", "--upsert"],
    ["query", "DB", "pokemon"],
    ["query", "DB", "pokemon", "--page", "1"],
    ["import", "DB", "objects", "objects.ndjson", "--types", "b=blob,d=text"],
    ["query", "DB", "objects", "--format", "json", "--blobs", "base64"],
    ["schema", "DB", "objects"],
    ["shell", "DB"],
  ]

  @Test("a command comes to the same as on a file")
  func parity() async throws {
    let workshop = try Workshop()
    try workshop.write(Workshop.pokemon, to: "pokemon.csv")
    try workshop.write(
      "id,name,japanese_name,type1,type2,weight,note\n6,Charizard,x,fire,,1e2,\n150,Mewtwo,y,psychic,,122,\n",
      to: "more.csv")
    try workshop.write(
      "id,name,japanese_name,type1,type2,weight,note\n2,Ivysaur,x,grass,,13,\n6,again,x,fire,,1,\n3,,x,x,,1,\n9,x,x,x,,heavy,\n"
        + "12,Butterfree,x,bug,flying,32,\n", to: "bad.csv")
    try workshop.write("{\"a\":1,\"b\":\"AP8=\",\"c\":true,\"d\":[1]}\n{\"a\":2.5,\"c\":null}\n", to: "objects.ndjson")
    try await TestSchema.with { schema in
      for call in Self.calls {
        let input =
          call[0] == "shell" ? "tables --names\ncount pokemon\nobjects a > 1 --columns a,c\ncount nothing\n" : ""
        let onFile = try await workshop.run(call.map { $0 == "DB" ? "p.sqlite" : $0 }, input: input)
        let onServer = try await workshop.run(call.map { $0 == "DB" ? schema.uri : $0 }, input: input)
        #expect(onServer == onFile, "\(call.joined(separator: " "))")
        guard ["query", "count", "group"].contains(call[0]) else { continue }
        let inMemory = try await workshop.run(
          call.map { $0 == "DB" ? schema.uri : $0 } + ["--engine", "memory"])
        #expect(inMemory == onFile, "\(call.joined(separator: " ")) --engine memory")
      }
    }
  }

  @Test("what other programs have made is described, and the rest of it is left out of queries")
  func foreignTables() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE trainer (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE, born date[])",
        """
        CREATE TABLE note (id serial PRIMARY KEY, trainer bigint NOT NULL REFERENCES trainer ON DELETE CASCADE, \
        text varchar(5) CHECK (text <> ''), length int GENERATED ALWAYS AS (char_length(text)) STORED)
        """,
        "CREATE INDEX short ON note (lower(text) DESC) WHERE length < 3",
        "CREATE VIEW names AS SELECT name FROM trainer",
        "INSERT INTO trainer (name, born) VALUES ('Ash', '{1997-04-01}'), ('Misty', NULL)",
        "INSERT INTO note (trainer, text) VALUES (1, 'a'), (1, 'b'), (2, 'c')")
      let workshop = try Workshop()
      func run(_ command: String, _ arguments: String...) async throws -> Outcome {
        try await workshop.run(command.split(separator: " ").map(String.init) + [schema.uri] + arguments)
      }
      let tables = try await run("tables", "--format", "csv", "--count-views")
      #expect(tables.output.contains("names,view,2,\n") && tables.output.contains("note,table,3,"))
      #expect(
        try await run("schema", "note").output == """
          note
            id       integer  key, default nextval('note_id_seq'::regclass)
            trainer  integer
            text     text     may be null
            length   integer  stored as char_length((text)::text), may be null
            references
              trainer → trainer (id), when deleted cascade
            checks
              ((text)::text <> ''::text)
            indexes
              short: lower(text::text) desc where length < 3

          """)
      #expect(
        try await run("index list", "note", "--format", "csv").output.split(separator: "\n").map {
          $0.split(separator: ",").dropLast().joined(separator: ",")
        } == [
          "name,table,columns,unique,made_by,rows", "note_pkey,note,id,yes,key,all",
          "short,note,(expression),no,index,some",
        ])
      #expect(
        try await run("query", "trainer")
          == Outcome(status: 0, output: "id\tname\tborn\n1\tAsh\t{1997-04-01}\n2\tMisty\t\\N\n", messages: ""))
      #expect(try await run("count", "trainer", "born is null").output == "1\n")
      for arguments in [["count", "born = '{}'"], ["query", "--sort", "born"], ["group", "--by", "born"]] {
        let refused = try await workshop.run([arguments[0], schema.uri, "trainer"] + arguments[1...])
        #expect(
          refused.status == 2 && refused.messages.hasPrefix("error: queries can't compare, sort or group by born\n"),
          "\(refused)")
      }
      #expect(
        try await run("delete", "trainer", "name = 'Ash'", "--dry-run", "--format", "csv")
          == Outcome(
            status: 0, output: "id,name,born\n1,Ash,{1997-04-01}\n",
            messages: "would delete 1 of 2 rows of trainer\n  2 rows of note would be deleted with it\n"))
      #expect(
        try await run("insert", "note", "trainer=2", "text=four", "--yes")
          == Outcome(status: 0, output: "4\n", messages: "inserted 1 row into note\n"))
      let long = try await run("insert", "note", "trainer=2", "text=longer", "--yes")
      #expect(long.status == 1 && long.messages.contains("value too long for type character varying(5)"))
      let numbered = try await run("insert", "trainer", "id=9", "name=Brock", "--yes")
      #expect(numbered == Outcome(status: 0, output: "9\n", messages: "inserted 1 row into trainer\n"))
      try workshop.write("id,name\n10,Oak\n", to: "numbered.csv")
      #expect(try await run("import", "trainer", "numbered.csv", "--append").status == 0)
      try workshop.write("name\nSurge\n", to: "unnumbered.csv")
      #expect(try await run("import", "trainer", "unnumbered.csv", "--append").status == 0)
      #expect(try await run("query", "trainer", "name = 'Surge'", "--columns", "id").output == "id\n11\n")
      let replaced = try await run("insert", "note", "trainer=2", "length=3", "--yes")
      #expect(
        replaced.status == 2 && replaced.messages.contains("the database computes this column from other columns"))
      try workshop.write("name\nx\n", to: "names.csv")
      let depended = try await run("import", "trainer", "names.csv", "--replace")
      #expect(depended.status == 1 && depended.messages.contains("view names depends on table trainer"))
      let view = try await run("import", "names", "names.csv", "--replace")
      #expect(view.status == 1 && view.messages.contains("names is a view, not a table"))
    }
  }

  @Test("what PostgreSQL can't keep is refused, and a row of it is left out")
  func unkeepable() async throws {
    try await TestSchema.with { schema in
      let workshop = try Workshop()
      try workshop.write("[{\"a\":1},{\"a\":\"x\"}]", to: "any.json")
      try workshop.write("a\nb\nx\0y\nc\n", to: "nul.csv")
      try workshop.write("\(String(repeating: "x", count: 64))\n1\n", to: "long.csv")
      let any = try await workshop.run(["import", schema.uri, "t", "any.json"])
      #expect(any.status == 1 && any.messages.contains("PostgreSQL can't store column a of t"))
      #expect(any.messages.hasSuffix("--types sets the types of the new columns\n"))
      let long = try await workshop.run(["import", schema.uri, "t", "long.csv"])
      #expect(long.status == 1 && long.messages.contains("the name has 64 bytes, but the database accepts 63"))
      let refused = try await workshop.run(["import", schema.uri, "t", "nul.csv"])
      #expect(
        refused.status == 1 && refused.messages.hasPrefix("error: nul.csv, line 3: PostgreSQL can't store U+0000"))
      #expect(try await workshop.run(["tables", schema.uri, "--names"]).output.isEmpty)
      let skipped = try await workshop.run(["import", schema.uri, "t", "nul.csv", "--skip-bad"])
      #expect(skipped.status == 0 && skipped.messages.contains("skipped 1 bad row\nimported 2 rows into t"))
      #expect(try await workshop.run(["query", schema.uri, "t"]).output == "a\nb\nc\n")
      let typed = try await workshop.run(["import", schema.uri, "u", "any.json", "--types", "a=text"])
      #expect(typed.status == 0)
    }
  }

  @Test("a table is replaced with its indexes, its triggers and the references to it")
  func replacement() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE p (id int PRIMARY KEY, name text COLLATE \"C\")",
        "CREATE INDEX by_name ON p (lower(name)) WHERE id > 1",
        "CREATE TABLE caught (p int NOT NULL CONSTRAINT of_p REFERENCES p ON DELETE CASCADE)",
        "CREATE FUNCTION suffix() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.name := new.name || '!'; RETURN new; END $$",
        "CREATE TRIGGER suffixed BEFORE INSERT ON p FOR EACH ROW EXECUTE FUNCTION suffix()",
        "INSERT INTO p VALUES (1, 'a'), (2, 'b')", "INSERT INTO caught VALUES (1)")
      let workshop = try Workshop()
      func replace(_ csv: String, _ options: String...) async throws -> Outcome {
        try await workshop.run(["import", schema.uri, "p", "-", "--replace"] + options, input: csv)
      }
      for (csv, message) in [
        ("id\n1\n", "the index by_name prevents replacing p\n"),
        ("id,name\n2,b\n", "the foreign key of_p of caught prevents replacing p\n"),
      ] {
        let refused = try await replace(csv, "--key=id")
        #expect(refused.status == 1 && refused.messages.contains(message), "\(refused.messages)")
      }
      let keyless = try await replace("id,name\n1,b\n")
      #expect(keyless.status == 1 && keyless.messages.contains("the foreign key of_p of caught prevents"))
      #expect(try await workshop.run(["count", schema.uri, "p"]).output == "2\n")
      let replaced = try await replace("id,name\n1,b\n", "--key=id")
      #expect(replaced.status == 0, "\(replaced.messages)")
      #expect(
        try await workshop.run(["schema", schema.uri, "p"]).output.hasSuffix(
          "  indexes\n    by_name: lower(name) where id > 1\n  triggers\n    suffixed\n"))
      #expect(try await workshop.run(["insert", schema.uri, "p", "id=3", "name=c", "--yes"]).status == 0)
      #expect(try await workshop.run(["query", schema.uri, "p"]).output == "id\tname\n1\tb\n3\tc!\n")
      #expect(try await workshop.run(["delete", schema.uri, "p", "id = 1", "--yes"]).status == 0)
      #expect(try await workshop.run(["count", schema.uri, "caught"]).output == "0\n")
    }
  }

  @Test("many rows are imported in their order, whatever becomes of some")
  func manyRows() async throws {
    try await TestSchema.with { schema in
      let workshop = try Workshop()
      let rows = (0..<2_500).map { "\($0),name \($0)" } + ["7,again"] + (2_500..<5_000).map { "\($0),name \($0)" }
      try workshop.write((["id,name"] + rows).joined(separator: "\n") + "\n", to: "rows.csv")
      let refused = try await workshop.run(["import", schema.uri, "t", "rows.csv", "--key", "id"])
      #expect(refused.messages.hasPrefix("error: rows.csv, line 2502: a row with id 7 already exists"))
      let skipped = try await workshop.run(["import", schema.uri, "t", "rows.csv", "--key", "id", "--skip-bad"])
      #expect(skipped.messages.contains("skipped 1 bad row\nimported 5000 rows into t"))
      let upserted = try await workshop.run(["import", schema.uri, "t", "rows.csv", "--upsert"])
      #expect(upserted.messages == "imported 5001 rows into t by id: 0 new, 5001 replaced\n")
      let rest = try await workshop.run(["query", schema.uri, "t", "id < 9", "--sort=-id", "--limit", "3"])
      #expect(rest.output == "id\tname\n8\tname 8\n7\tagain\n6\tname 6\n")
    }
  }

  @Test(
    "a row that the server refuses is told before a later one that is no row, has another type or breaks the file off",
    arguments: ["7", "x,c", "\"7"])
  func refusedRow(last: String) async throws {
    try await TestSchema.with { schema in
      let workshop = try Workshop()
      try workshop.write("id,name\n5,a\n", to: "first.csv")
      try workshop.write("id,name\n6,a\n6,b\n\(last)\n", to: "rows.csv")
      _ = try await workshop.run(["import", schema.uri, "t", "first.csv", "--key", "id"])
      let append = ["import", schema.uri, "t", "rows.csv", "--append"]
      let strict = try await workshop.run(append)
      #expect(
        strict.messages.hasPrefix("error: rows.csv, line 3: a row with id 6 already exists"), "\(strict.messages)")
      let tolerant = try await workshop.run(append + ["--skip-bad", "--dry-run"])
      let lines = tolerant.messages.matches(of: #/rows\.csv, line (\d)/#).map { String($0.1) }
      #expect(lines == ["3", "4"], "\(tolerant.messages)")
    }
  }

  @Test("rows are shown anew whichever program has changed them")
  func watch() async throws {
    try await TestSchema.with { schema in
      try await schema.execute("CREATE TABLE t (a int PRIMARY KEY)", "INSERT INTO t VALUES (1)")
      let workshop = try Workshop()
      let watching = Task { try await workshop.run(["watch", schema.uri, "t", "--times", "2"]) }
      // Another program: what it changes before the first result is a part of that.
      let changing = Task {
        for number in 2... {
          // Ends the loop when the task is cancelled.
          try await Task.sleep(for: .milliseconds(100))
          _ = try await schema.store.sql.query("INSERT INTO t VALUES (\(number)) RETURNING a", as: Int.self)
        }
      }
      let outcome = try await watching.value
      changing.cancel()
      _ = try? await changing.value
      let results = outcome.output.split(separator: "a\n", omittingEmptySubsequences: true)
      #expect(outcome.status == 0 && outcome.messages.isEmpty && results.count == 2 && results.first != results.last)
    }
  }

  @Test("names and values are completed")
  func completion() async throws {
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE pokemon (id int PRIMARY KEY, type text)", "INSERT INTO pokemon VALUES (1, 'fire')")
      let names = DatabaseNames(DatabaseLocation(schema.uri), timeLimit: .seconds(60))
      #expect(names.tables == ["pokemon"] && names.columns(of: "pokemon").map(\.name) == ["id", "type"])
      #expect(await names.values(of: "type", in: "pokemon") == ["fire"])
    }
  }

  @Test("a plan is told in the server's words")
  func explain() async throws {
    try await TestSchema.with { schema in
      try await schema.execute("CREATE TABLE t (a int PRIMARY KEY, b text COLLATE \"C\")")
      let outcome = try await Workshop().run(["explain", schema.uri, "t", "b in ('u', 'v', 'w', 'x', 'y') and a > 2"])
      #expect(outcome.status == 0 && outcome.messages.isEmpty)
      #expect(outcome.output.contains("\nvalues  'u', 'v', 'w', 'x', 'y'\n        2\nplan    "))
      #expect(outcome.output.contains("Scan") && !outcome.output.contains("advice"))
    }
  }
}
