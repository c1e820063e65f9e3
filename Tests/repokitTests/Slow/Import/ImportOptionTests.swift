import Testing

@Suite("Options of repokit import")
struct ImportOptionTests {
  @Test("Types are given for some columns, and found for the others")
  func types() async throws {
    let workshop = try Workshop()
    let csv = "id,code,photo,x\n1,7,x'00ff',1\n2,8,,2\n"
    #expect(
      try await workshop.run(
        ["import", "t.sqlite", "t", "-", "--types", "code=text, photo=blob,x=any", "--key=id"], input: csv
      ).messages == "imported 2 rows into t (new table: id integer, code text, photo blob, x any)\n")
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "--format", "json"]).output == """
        [
        {"id":1,"code":"7","photo":"AP8=","x":1},
        {"id":2,"code":"8","photo":null,"x":2}
        ]

        """)
  }

  @Test(
    "A type that makes no sense is refused",
    arguments: [
      ("id=txt", 2, "--types: unknown type \"txt\"\n  did you mean text?"),
      ("id", 2, "--types: \"id\" lacks the column or the type\n  write a column, = and the type: code=text"),
      ("=text", 2, "--types: \"=text\" lacks the column or the type"),
      ("id=text,id=real", 2, "--types: id is given twice"),
      ("idd=text", 2, "--types: no column idd in standard input\n  did you mean id?"),
      ("name=integer", 1, "standard input, line 2, in name: \"x\" is not a whole number"),
    ] as [(String, Int32, String)])
  func wrongTypes(types: String, status: Int32, message: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--types", types], input: "id,name\n1,x\n")
    #expect(outcome.status == status)
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == [])
  }

  @Test("Several files make one table, by all of their lines, in any order of columns")
  func severalFiles() async throws {
    let workshop = try Workshop()
    try workshop.write("id,a\n1,2\n", to: "1.csv")
    try workshop.write("a\tid\n2.5\t2\n\\N\t3\n", to: "2.tsv")
    #expect(
      try await workshop.run(["import", "t.sqlite", "t", "1.csv", "2.tsv", "--key", "id"])
        == Outcome(status: 0, output: "", messages: "imported 3 rows into t (new table: id integer, a real)\n"))
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "--format", "csv"]).output == "id,a\n1,2.0\n2,2.5\n3,\n")
  }

  @Test(
    "Several files are imported all or none",
    arguments: [
      ("id\n2\n", "2.csv has no column a\n  1.csv has this column"),
      ("id,a,b\n2,3,4\n", "2.csv has an additional column b\n  1.csv lacks this column"),
      ("id,a\n1,3\n", "2.csv, line 2: a row with id 1 already exists"),
      ("id,a\n3\n", "2.csv, line 2, column 2: the record has 1 field, the header has 2"),
    ])
  func severalFilesFail(second: String, message: String) async throws {
    let workshop = try Workshop()
    try workshop.write("id,a\n1,2\n", to: "1.csv")
    try workshop.write(second, to: "2.csv")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "1.csv", "2.csv", "--key", "id"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == ["1.csv", "2.csv"])
  }

  @Test("Bad rows are left out, told and counted")
  func skipBad() async throws {
    let workshop = try await Workshop.withPokemon()
    let csv = """
      id,name,japanese_name,type1,weight
      7,Squirtle,ゼニガメ,water,9
      8
      9,"Blas"toise,カメックス,water,85.5
      1,Fushigidane,フシギダネ,grass,6.9
      10,,キャタピー,bug,2.9
      11,Metapod,トランセル,bug,heavy
      12,Butterfree,バタフリー,bug,32

      """
    let outcome = try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--append", "--skip-bad"], input: csv)
    #expect(
      outcome
        == Outcome(
          status: 0, output: "",
          messages: """
            skipped: standard input, line 3, column 2: the record has 1 field, the header has 5
            skipped: standard input, line 4, column 9: text follows a closing quote
            skipped: standard input, line 5: a row with id 1 already exists
            skipped: standard input, line 6, in name: the field is empty
            skipped: standard input, line 7, in weight: "heavy" is not a number
            skipped 5 bad rows
            appended 2 rows to pokemon

            """))
    #expect(
      try await workshop.run(["query", "p.sqlite", "pokemon", "id between 2 and 12", "--columns=id"]).output
        == "id\n4\n6\n7\n12\n")
  }

  @Test("Of many bad rows, ten are told, and all are counted")
  func manyBadRows() async throws {
    let workshop = try Workshop()
    let csv = "a,b\n" + String(repeating: "1\n", count: 25) + "1,2\n"
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--skip-bad"], input: csv)
    let lines = outcome.messages.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.suffix(2) == ["skipped 25 bad rows", "imported 1 row into t (new table: a integer, b integer)"])
  }

  @Test("A quote that is never closed ends it, also where bad rows are left out")
  func skipBadIsNoHelp() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--skip-bad"], input: "a\n1\n\"2\n3\n")
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: standard input, line 3, column 1: the quoted field is not closed\n"))
    #expect(try workshop.files() == [])
  }

  @Test(
    "A dryRun says what would come of it, and changes nothing",
    arguments: [
      (["new", "more.csv"], "would have imported 1 row into new (new table: id integer, name text)"),
      (
        ["pokemon", "more.csv", "--replace"],
        "would have imported 1 row into pokemon (new table: id integer, name text; 5 rows dropped)"
      ),
      (["names", "more.csv", "--append"], "would have appended 1 row to names"),
      (["names", "more.csv", "--upsert"], "would have imported 1 row into names by id: 1 new, 0 replaced"),
    ])
  func dryRun(arguments: [String], message: String) async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.write("id,name\n7,Squirtle\n", to: "more.csv")
    _ = try await workshop.run(["import", "p.sqlite", "names", "-", "--key=id"], input: "id,name\n1,Bulbasaur\n")
    let before = try workshop.read("p.sqlite")
    #expect(
      try await workshop.run(["import", "p.sqlite"] + arguments + ["--dry-run"])
        == Outcome(status: 0, output: "", messages: message + "; repokit changed nothing\n"))
    #expect(try workshop.read("p.sqlite") == before)
    #expect(try workshop.files() == ["more.csv", "p.sqlite", "pokemon.csv"])
  }

  @Test("A dryRun makes no database, and fails where the import would")
  func dryRunWithoutDatabase() async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--dry-run"], input: "a\n1\n")
    #expect(outcome.messages == "would have imported 1 row into t (new table: a integer); repokit changed nothing\n")
    let failure = try await workshop.run(
      ["import", "t.sqlite", "t", "-", "--dry-run", "--key=a"], input: "a\n1\n1\n")
    #expect(failure.status == 1)
    #expect(try workshop.files() == [])
  }

  @Test("To make a table and nothing else is what it does anyway")
  func createOnly() async throws {
    let workshop = try await Workshop.withPokemon()
    let outcome = try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--create-only"], input: "a\n1\n")
    #expect(outcome.messages.hasPrefix("error: the table pokemon already exists\n"))
    #expect(try await workshop.run(["import", "p.sqlite", "t", "-", "--create-only"], input: "a\n1\n").status == 0)
  }

  @Test(
    "A file's name tells its format, unless an option does",
    arguments: [
      ("t.tsv", "a\tb\n1\t\\N\n", nil), ("t.TAB", "a\tb\n1\t\\N\n", nil), ("t.json", "[{\"a\":1,\"b\":null}]", nil),
      ("t.jsonl", "{\"a\":1,\"b\":null}", nil), ("t.ndjson", "{\"a\":1,\"b\":null}", nil), ("t.txt", "a,b\n1,\n", nil),
      ("t", "a,b\n1,\n", nil), ("t.json", "a,b\n1,\n", "csv"), ("t.csv", "a\tb\n1\t\\N\n", "tsv"),
    ] as [(String, String, String?)])
  func formats(name: String, text: String, format: String?) async throws {
    let workshop = try Workshop()
    try workshop.write(text, to: name)
    let outcome = try await workshop.run(
      ["import", "t.sqlite", "t", name] + (format.map { ["--from", $0] } ?? []))
    #expect(outcome.messages == "imported 1 row into t (new table: a integer, b text)\n")
  }
}
