import Testing

@Suite("repokit import")
struct ImportTests {
  @Test(
    "finds out what columns hold",
    arguments: [
      ("id\n1\n2\n", "id integer"), ("id\n1\n2.5\n", "id real"), ("id\n1\nx\n", "id text"), ("id\n007\n", "id text"),
      ("id\n1\n\"\"\n", "id text"), ("id,x\n1,\n", "id integer, x text"), ("a,b\n", "a text, b text"),
      ("\u{FEFF}a,\"b\"\r\n1,2\r\n", "a integer, b integer"),
    ])
  func detection(csv: String, columns: String) async throws {
    let workshop = try Workshop()
    let rows = csv.split(whereSeparator: \.isNewline).count - 1
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-"], input: csv)
    #expect(outcome.status == 0)
    // A note may tell why a column is text.
    #expect(outcome.messages.hasSuffix("imported \(rows) row\(rows == 1 ? "" : "s") into t (new table: \(columns))\n"))
    #expect(try await workshop.run(["count", "t.sqlite", "t"]).output == "\(rows)\n")
  }

  @Test("tells null from the empty text, and keeps a type over the whole file")
  func values() async throws {
    let workshop = try Workshop()
    let lines = (1...5000).map { "\($0),\($0)" } + ["5001,x", "5002,", "5003,\"\""]
    let csv = "id,a\n" + lines.joined(separator: "\n")
    _ = try await workshop.run(["import", "t.sqlite", "t", "-", "--key=id"], input: csv)
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "id = 1 or id > 5000", "--format", "csv"]).output
        == "id,a\n1,1\n5001,x\n5002,\n5003,\"\"\n")
  }

  @Test("reads a pipe and another open file as it reads a file")
  func inputs() async throws {
    let workshop = try await Workshop.withPokemon()
    for line in [
      "cat pokemon.csv | $repokit import a.sqlite pokemon - --key id",
      "$repokit import b.sqlite pokemon - --key id < pokemon.csv",
      "mkfifo fifo && (cat pokemon.csv > fifo & $repokit import c.sqlite pokemon fifo --key id)",
    ] {
      #expect(try await workshop.shell(line).status == 0)
    }
    let rows = try await workshop.rows()
    for database in ["a.sqlite", "b.sqlite", "c.sqlite"] { #expect(try await workshop.rows(database) == rows) }
  }

  @Test("adds rows, their columns in any order, missing ones null")
  func append() async throws {
    let workshop = try await Workshop.withPokemon()
    let more = "weight,id,name,japanese_name,type1\n4.0,7,Squirtle,ゼニガメ,water\n"
    #expect(
      try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--append"], input: more)
        == Outcome(status: 0, output: "", messages: "appended 1 row to pokemon\n"))
    #expect(
      try await workshop.run(["query", "p.sqlite", "pokemon", "id = 7", "--format", "csv"]).output.split(
        separator: "\n"
      )
      .last == "7,Squirtle,ゼニガメ,water,,4.0,")
  }

  @Test("inserts or replaces rows by the table's key")
  func upsert() async throws {
    let workshop = try await Workshop.withPokemon()
    let more = "id,name,japanese_name,type1,weight\n4,Hitokage,ヒトカゲ,fire,8.5\n7,Squirtle,ゼニガメ,water,9\n"
    #expect(
      try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--upsert"], input: more)
        == Outcome(status: 0, output: "", messages: "imported 2 rows into pokemon by id: 1 new, 1 replaced\n"))
    #expect(
      try await workshop.run([
        "query", "p.sqlite", "pokemon", "id <= 7", "--columns", "id,name,note", "--format", "csv",
      ])
      .output
        == "id,name,note\n1,Bulbasaur,007\n4,Hitokage,\"\"\n6,Charizard,\"a \"\"quoted\"\", long\nnote\"\n7,Squirtle,\n"
    )
  }

  @Test("leaves what an upsert does not name, and gives it its default in new rows", .enabled(if: Workshop.hasShell))
  func partialUpsert() async throws {
    let workshop = try Workshop()
    let made = try await workshop.shell(
      "sqlite3 d.sqlite \"create table t (id integer primary key, a text, b text default 'new', n decimal(5, 2));"
        + " insert into t values (1, 'x', 'kept', 3)\"")
    #expect(made.status == 0)
    #expect(
      try await workshop.run(["import", "d.sqlite", "t", "-", "--upsert"], input: "id,a\n1,y\n2,z\n").status == 0)
    #expect(
      try await workshop.run(["query", "d.sqlite", "t", "--format", "csv"]).output
        == "id,a,b,n\n1,y,kept,3\n2,z,new,\n")
    // A decimal is a number, whatever SQLite would keep in its place.
    let wrong = try await workshop.run(["import", "d.sqlite", "t", "-", "--append"], input: "id,n\n3,\"12,5\"\n")
    #expect(wrong.messages.hasPrefix("error: standard input, line 2, in n: \"12,5\" is not a number"))
  }

  @Test("makes a table anew")
  func replace() async throws {
    let workshop = try await Workshop.withPokemon()
    for (name, former) in [("pokemon", 5), ("new", 0)] {
      #expect(
        try await workshop.run(["import", "p.sqlite", name, "-", "--replace"], input: "a,b\n1,x\n")
          == Outcome(
            status: 0, output: "",
            messages: "imported 1 row into \(name) (new table: a integer, b text; \(former) rows dropped)\n"))
      #expect(try await workshop.rows("p.sqlite", name) == "[\n{\"a\":1,\"b\":\"x\"}\n]\n")
    }
  }

  @Test("keeps the values of every type on the way through CSV")
  func blobs() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(
      ["import", "t.sqlite", "t", "-", "--key", "id"], input: "id,r\n1,0.1\n2,5e-324\n3,-1e300\n")
    #expect(
      try await workshop.run(["import", "t.sqlite", "t", "-", "--append"], input: "id,r\n4,9e999\n5,-9e999\n").status
        == 0)
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "--format", "csv"]).output
        == "id,r\n1,0.1\n2,5e-324\n3,-1e+300\n4,9e999\n5,-9e999\n")
  }

  struct Refusal: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let csv: String
    let arguments: [String]
    let status: Int32
    let messages: String

    init(_ name: String, _ csv: String, with arguments: [String] = [], status: Int32 = 1, says lines: String...) {
      testDescription = name
      (self.csv, self.arguments, self.status) = (csv, arguments, status)
      messages = lines.joined(separator: "\n  ")
    }
  }

  static let malformed = [
    Refusal("nothing", "", says: "t.csv, line 1, column 1: the input is empty"),
    Refusal("open quote", "a,b\n1,\"x\n", says: "t.csv, line 2, column 3: the quoted field is not closed"),
    Refusal("text after a quote", "a,b\n1,\"x\"y\n", says: "t.csv, line 2, column 6: text follows a closing quote"),
    Refusal(
      "quote in a field", "a,b\n1,x\"y\n", says: "t.csv, line 2, column 4: a field without quotes contains a quote"
    ),
    Refusal(
      "too few fields", "a,b\n1,2\n3\n", says: "t.csv, line 3, column 2: the record has 1 field, the header has 2"),
    Refusal(
      "too many fields", "a,b\n1,2,3\n", says: "t.csv, line 2, column 5: the record has 3 fields, the header has 2"),
    Refusal(
      "name twice", "a,a\n1,2\n", says: "t.csv, line 1, column 3: the header has two columns with the name \"a\""),
    Refusal("no name", "a,\n1,2\n", says: "t.csv, line 1, column 3: column 2 of the header has no name"),
    Refusal(
      "names that differ in case alone", "a,A\n1,2\n", says: "t.csv: the columns a and A have the same name",
      "databases ignore case in names", "rename one of the columns"),
    Refusal(
      "names of objects that differ in case alone", #"[{"Id":1,"id":2}]"#, with: ["--from=json"],
      says: "t.csv: the columns Id and id have the same name"),
    Refusal("NUL in a name", "a\u{0}b\n1\n", says: "t.csv, line 1: the name \"a␀b\" contains a NUL character"),
    Refusal(
      "unknown key", "id,b\n1,2\n", with: ["--key", "ids"], status: 2, says: "--key: no column ids in t.csv",
      "did you mean id?"),
    Refusal(
      "key in another case", "id,b\n1,2\n", with: ["--key", "ID"], status: 2, says: "--key: no column ID in t.csv",
      "did you mean id?"),
    Refusal(
      "unknown key of one letter", "a,b\n1,2\n", with: ["--key", "c"], status: 2, says: "--key: no column c in t.csv",
      "the columns are a, b"),
    Refusal(
      "more lines skipped than there are", "a,b\n1,2\n", with: ["--skip-lines", "100"],
      says: "t.csv has no line for the names of the columns", "--skip-lines 100 skips the whole file"),
    Refusal(
      "number beyond the greatest", "[{\"a\":1e400}]", with: ["--from", "json", "--types", "a=real"],
      says: "t.csv, line 1, in a: \"1e400\" exceeds the largest number", "write 9e999 for infinity"),
    Refusal(
      "one of two keys unknown", "id,b\n1,2\n", with: ["--key", "id,zzz"], status: 2,
      says: "--key: no column zzz in t.csv", "the columns are id, b"),
    Refusal(
      "empty key", "id,b\n1,2\n,3\n", with: ["--key", "id"],
      says: "t.csv, line 3, in id: the field is empty", "a key needs a value in every row"),
    Refusal(
      "same key twice", "id,b\n1,2\n2,x\n1,y\n", with: ["--key", "id"],
      says: "t.csv, line 4: a row with id 1 already exists", "id is unique"),
    Refusal(
      "same key of two columns twice", "a,b\nx,1\nx,2\nx,1\n", with: ["--key", "a,b"],
      says: "t.csv, line 4: a row with a \"x\" and b 1 already exists", "a and b are unique together"),
    Refusal(
      "append without a database", "a\n1\n", with: ["--append"], says: "there is no file t.sqlite",
      "repokit import creates a database"),
    Refusal(
      "upsert without a database", "a\n1\n", with: ["--upsert"], says: "there is no file t.sqlite",
      "repokit import creates a database"),
  ]

  @Test("draws no bar over rows that are typed")
  func typed() async throws {
    let workshop = try Workshop()
    let terminal = try workshop.terminal(["import", "t.sqlite", "t", "-", "--color", "never"])
    try terminal.send("a\r1\r\u{4}")
    #expect(try await terminal.finish() == 0)
    #expect(!terminal.transcript.contains("reading"), "\(terminal.transcript)")
    #expect(terminal.text.hasSuffix("imported 1 row into t (new table: a integer)\n"), "\(terminal.text)")
  }

  @Test("refuses a file and makes no database", arguments: malformed)
  func noDatabase(refusal: Refusal) async throws {
    let workshop = try Workshop()
    try workshop.write(refusal.csv, to: "t.csv")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "t.csv"] + refusal.arguments)
    #expect(outcome.status == refusal.status)
    #expect(outcome.output == "")
    #expect((outcome.messages + "\n").hasPrefix("error: \(refusal.messages)\n"), "\(outcome.messages)")
    #expect(try workshop.files() == ["t.csv"])
  }

  static let misfits = [
    Refusal(
      "table exists", Workshop.pokemon,
      says: "the table pokemon already exists", "--append adds the rows to the table",
      "--upsert adds the rows, or replaces rows with the same key", "--replace drops the table and creates it again"),
    Refusal(
      "key exists", "id,name,japanese_name,type1,weight\n7,a,b,c,1\n4,a,b,c,1\n", with: ["--append"],
      says: "t.csv, line 3: a row with id 4 already exists", "id is unique"),
    Refusal(
      "unknown column", "id,nmae\n7,x\n", with: ["--append"], says: "t.csv: no column nmae in pokemon",
      "did you mean name?"),
    Refusal(
      "missing column", "id,name\n7,x\n", with: ["--upsert"],
      says: "t.csv, line 2: id 7 is new, and a new row needs japanese_name",
      "add the column japanese_name to the file, or remove the new row"),
    Refusal(
      "empty field", "id,name,japanese_name,type1,weight\n7,a,b,c,1\n8,,b,c,1\n", with: ["--append"],
      says: "t.csv, line 3, in name: the field is empty", "name may not be null"),
    Refusal(
      "no number", "id,name,japanese_name,type1,weight\n7,a,b,c,1\n8,a,b,c,heavy\n", with: ["--append"],
      says: "t.csv, line 3, in weight: \"heavy\" is not a number"),
    Refusal(
      "no whole number", "id,name,japanese_name,type1,weight\n7.0,a,b,c,1\n", with: ["--upsert"],
      says: "t.csv, line 2, in id: \"7.0\" is not a whole number", "write 7 for the number"),
    Refusal(
      "leading zeros", "id,name,japanese_name,type1,weight\n007,a,b,c,1\n", with: ["--upsert"],
      says: "t.csv, line 2, in id: \"007\" is not the usual form of a whole number", "write 7 for the number"),
    Refusal(
      "malformed at its end", "id,name,japanese_name,type1,weight\n7,a,b,c,1\n8,\"a,b,c,1\n", with: ["--append"],
      says: "t.csv, line 3, column 3: the quoted field is not closed"),
    Refusal(
      "malformed, in place of a table", "id\n1\n2,3\n", with: ["--replace"],
      says: "t.csv, line 3, column 3: the record has 2 fields, the header has 1"),
    Refusal(
      "same key twice, in place of a table", "id\n1\n1\n", with: ["--replace", "--key", "id"],
      says: "t.csv, line 3: a row with id 1 already exists", "id is unique"),
  ]

  @Test("refuses a file and leaves the table as it was", arguments: misfits)
  func noChange(refusal: Refusal) async throws {
    let workshop = try await Workshop.withPokemon()
    try workshop.write(refusal.csv, to: "t.csv")
    let before = try await workshop.rows()
    let schema = try await workshop.run(["schema", "p.sqlite"])
    let outcome = try await workshop.run(["import", "p.sqlite", "pokemon", "t.csv"] + refusal.arguments)
    #expect(outcome.status == refusal.status)
    #expect(outcome.output == "")
    #expect((outcome.messages + "\n").hasPrefix("error: \(refusal.messages)\n"), "\(outcome.messages)")
    #expect(try await workshop.rows() == before)
    #expect(try await workshop.run(["schema", "p.sqlite"]) == schema)
    #expect(try workshop.files() == ["p.sqlite", "pokemon.csv", "t.csv"])
  }

  @Test("refuses text that is not UTF-8, with its place")
  func encoding() async throws {
    let workshop = try Workshop()
    try workshop.write(Array("id,name\n1,Pok".utf8) + [0xE9] + Array("mon\n".utf8), to: "t.csv")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "t.csv"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.hasPrefix("error: t.csv, line 2, column 6: the byte 0xe9 is not UTF-8\n"))
    #expect(try workshop.files() == ["t.csv"])
  }

  @Test("needs a key to insert or replace by")
  func keyless() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: "a\n1\n")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--upsert"], input: "a\n1\n")
    #expect(outcome.status == 2)
    #expect(outcome.messages.hasPrefix("error: t has no primary key\n"))
    #expect(try await workshop.run(["import", "t.sqlite", "t", "-", "--append"], input: "a\n1\n").status == 0)
  }

  @Test("undoes everything when it is interrupted", arguments: ["TERM", "HUP"])
  func interruption(signal: String) async throws {
    let workshop = try Workshop()
    // The pipe stays open, so the tool waits for more until the signal comes. It holds less than is written to it, so the
    // tool has begun to read once all is written. A shell makes its background jobs ignore SIGINT, so that is not tried
    // here.
    let outcome = try await workshop.shell(
      """
      mkfifo pipe
      "$repokit" import t.sqlite t - < pipe & tool=$!
      exec 3> pipe
      (echo id; yes 1 | head -n 200000) >&3
      kill -\(signal) $tool; wait $tool
      """)
    #expect(outcome.messages.contains("error: interrupted\n  repokit imported nothing\n"))
    #expect(outcome.status > 128)
    #expect(try workshop.files() == ["pipe"])
  }
}
