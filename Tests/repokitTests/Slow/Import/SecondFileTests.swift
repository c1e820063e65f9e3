import Foundation
import TestSupport
import Testing

@Suite("The second file")
struct SecondFileTests {
  /// What becomes of a table, step by step: a call of the tool, and what it says and shows.
  struct Step: Sendable {
    var arguments: [String]
    var input: String?
    let expected: String
    var status: Int32 = 0
  }

  static let january = "id,amount,note\n1,5,a\n2,7,b\n"

  @Test("may lack what the first one had")
  func nullable() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: Self.january)
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--append"], input: "amount,id\n,3\n")
    #expect(outcome == Outcome(status: 0, output: "", messages: "appended 1 row to t\n"))
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "id = 3", "--format", "csv"]).output == "id,amount,note\n3,,\n")
  }

  @Test(
    "widens the table on request, and says so",
    arguments: [
      ("id,amount\n3,1.5\n", "note: changed amount of t from integer to real\n", "3,1.5,"),
      (
        "id,amount\n3,n/a\n",
        "note: changed amount of t from integer to text, because \"n/a\" in line 2 of standard input is not a number\n",
        "3,n/a,"
      ),
      ("id,amount,region\n3,8,North\n", "note: added the column region (text) to t\n", "3,8,,North"),
      ("id,amount\n3,\n", "", "3,,"),
      ("id,note\n3,4\n", "", "3,,4"),
    ])
  func widens(csv: String, notes: String, row: String) async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "t.sqlite", "t", "-"], input: Self.january)
    let arguments = ["import", "t.sqlite", "t", "-", "--append"]
    let dryRun = try await workshop.run(arguments + ["--widen", "--dry-run"], input: csv)
    #expect(dryRun.messages == notes + "would have appended 1 row to t; repokit changed nothing\n")
    let before = try await workshop.run(["schema", "t.sqlite"]).output
    if !notes.isEmpty {
      let refused = try await workshop.run(arguments, input: csv)
      #expect(refused.status == 1)
      // No advice makes all numbers of a column texts.
      #expect(refused.messages.contains("\n  --widen ") != notes.contains(" to text"), "\(refused.messages)")
    }
    #expect(try await workshop.run(["schema", "t.sqlite"]).output == before)
    let outcome = try await workshop.run(arguments + ["--widen"], input: csv)
    #expect(outcome.messages == notes + "appended 1 row to t\n")
    let rows = try await workshop.run(["query", "t.sqlite", "t", "id = 3", "--format", "csv"]).output
    #expect(rows.split(separator: "\n").last == Substring(row))
    #expect(try await workshop.run(["count", "t.sqlite", "t", "id < 3 and amount is not null"]).output == "2\n")
  }

  @Test("has its words for true and false read in a column of Booleans")
  func booleans() async throws {
    let workshop = try Workshop()
    try workshop.execute("t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, b BOOLEAN)")
    try workshop.write("id,b\n1,TRUE\n2,f\n3,Yes\n4,off\n5,1\n6,\n", to: "a.csv")
    try workshop.write("{\"id\":7,\"b\":true}\n{\"id\":8,\"b\":\"no\"}\n", to: "a.ndjson")
    for file in ["a.csv", "a.ndjson"] {
      let outcome = try await workshop.run(["import", "t.sqlite", "t", file, "--append"])
      #expect(outcome.status == 0 && !outcome.messages.contains("note"), "\(outcome)")
    }
    #expect(try await workshop.run(["set", "t.sqlite", "t", "id = 6", "b=T", "--yes"]).status == 0)
    let rows = try await workshop.run(["query", "t.sqlite", "t", "--columns", "b", "--format", "csv"])
    #expect(rows.output == "b\n1\n0\n1\n0\n1\n1\n1\n0\n")
    // What is there already, and is not 1 or 0, is told.
    try workshop.execute("t.sqlite", "UPDATE t SET b = 'true'")
    try workshop.write("id,b\n9,false\n", to: "b.csv")
    let noted = try await workshop.run(["import", "t.sqlite", "t", "b.csv", "--append"])
    #expect(
      noted.messages
        == "note: b of t has values such as \"true\", but import writes 1 and 0 in a column of booleans\nappended 1 row to t\n"
    )
  }

  @Test("refuses numbers whose digits a column would not keep")
  func roundedNumbers() async throws {
    let workshop = try Workshop()
    try workshop.execute("t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, n NUMERIC, d DECIMAL(20,2))")
    for column in ["r", "n", "d"] {
      for number in ["99999999999999.99", "12345678901234567890.123"] {
        try workshop.write("id,\(column)\n1,\(number)\n", to: "a.csv")
        try workshop.write("{\"id\":1,\"\(column)\":\(number)}\n", to: "a.ndjson")
        for arguments in [
          ["import", "t.sqlite", "t", "a.csv", "--append"], ["import", "t.sqlite", "t", "a.ndjson", "--append"],
          ["import", "t.sqlite", "t", "a.csv", "--upsert"],
          ["insert", "t.sqlite", "t", "\(column)=\(number)", "--yes"],
        ] {
          let refused = try await workshop.run(arguments)
          #expect(refused.status != 0 && refused.messages.contains(column), "\(arguments) \(refused)")
        }
      }
      let kept = try await workshop.run(["insert", "t.sqlite", "t", "\(column)=0.10000000000000001", "--yes"])
      #expect(kept.status == 0, "\(kept)")
    }
    // A new column of such numbers is text.
    let new = try await workshop.run(["import", "t.sqlite", "new", "-"], input: "a\n1.5\n99999999999999.99\n")
    #expect(new.status == 0 && new.messages.contains("would lose digits"), "\(new)")
  }

  @Test(
    "is told of where its dates and Booleans are written otherwise than those of the table",
    arguments: [
      ("2024-12-31", "30.12.2024", "dates", "; --date-order dmy reads the date"),
      ("2024-12-31 10:00:00", "1/2/2024", "dates", "; --date-order dmy or mdy reads the date"),
      ("31.12.2024", "2024-12-30", "dates", ""), ("31.12.2024", "30/12/2024", "dates", ""),
      ("true", "yes", "values", ""), ("True", "false", "values", ""), ("31.12.2024", "30.12.2023", nil, ""),
      ("2024-12-31", "2024-12-30T10:00:00Z", nil, ""), ("true", "false", nil, ""), ("true", "maybe", nil, ""),
      ("2024-12-31", "yes", nil, ""), ("n/a", "30.12.2024", nil, ""), ("yes", "1", "values", ""),
    ] as [(String, String, String?, String)])
  func forms(present: String, added: String, noun: String?, advice: String) async throws {
    let workshop = try Workshop()
    let start = try await workshop.run(
      ["import", "t.sqlite", "t", "-", "--types", "a=text"], input: "id,a\n1,\(present)\n2,\n3,\(present)\n")
    #expect(start.status == 0, "\(start)")
    try workshop.write("a,id\n,4\n\(added),5\n", to: "b.csv")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "b.csv", "--append"])
    let note = noun.map {
      "note: a of t has \($0) such as \"\(present)\", but \"\(added)\" in line 3 of b.csv has another form\(advice)\n"
    }
    #expect(outcome == Outcome(status: 0, output: "", messages: (note ?? "") + "appended 2 rows to t\n"))
    if advice.contains("dmy reads") {
      let read = try await workshop.run(["import", "t.sqlite", "t", "b.csv", "--append", "--date-order", "dmy"])
      #expect(!read.messages.contains("otherwise"), "\(read)")
    }
  }

  @Test("leaves everything else of a widened table as it is")
  func keepsTheRest() async throws {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE shop (id INTEGER PRIMARY KEY)", "INSERT INTO shop VALUES (1)",
      """
      CREATE TABLE "sale" (id INTEGER PRIMARY KEY AUTOINCREMENT, shop INT REFERENCES shop ON DELETE CASCADE, -- a, b
      [sum] DECIMAL(10, 2) NOT NULL DEFAULT (1+1) CHECK ("sum" > 0), name TEXT COLLATE NOCASE UNIQUE, "count" INT,
      twice AS (sum * 2), CHECK (name <> 'sum'))
      """,
      "CREATE INDEX \"by sum\" ON sale (sum DESC) WHERE sum > 1", "CREATE VIEW sums AS SELECT sum(sum) AS s FROM sale",
      "CREATE TRIGGER t AFTER DELETE ON sale BEGIN SELECT 1; END",
      "INSERT INTO sale (id, shop, sum, name, \"count\") VALUES (7, 1, 2.5, 'Ann', 3)", "DELETE FROM sale WHERE id = 9",
      "UPDATE sqlite_sequence SET seq = 20",
    ] { try workshop.execute("t.sqlite", statement) }
    let before = try await workshop.run(["schema", "t.sqlite", "--sql"]).output
    let outcome = try await workshop.run(
      ["import", "t.sqlite", "sale", "-", "--append", "--widen"], input: "shop,sum,name,count\n1,x,Ben,1.5\n")
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      try await workshop.run(["schema", "t.sqlite", "--sql"]).output
        == before.replacing("[sum] DECIMAL(10, 2)", with: "[sum] TEXT").replacing(
          "\"count\" INT", with: "\"count\" REAL"))
    #expect(
      try await workshop.run(["query", "t.sqlite", "sale", "--columns", "id,shop,sum,name,count", "--format", "csv"])
        .output
        == "id,shop,sum,name,count\n7,1,2.5,Ann,3.0\n21,1,x,Ben,1.5\n")
    let broken = try await workshop.run(
      ["import", "t.sqlite", "sale", "-", "--append", "--widen"], input: "shop,sum,name,count\n9,1,Cy,many\n")
    #expect(broken.status == 1)
    #expect(broken.messages.contains("would refer to missing rows of shop"), "\(broken.messages)")
    #expect(try await workshop.run(["count", "t.sqlite", "sale"]).output == "2\n")
  }

  static let upserts: [(csv: String, by: String, status: Int32, message: String, rows: String)] = [
    (
      "email,age\na@x,30\nc@x,5\n", "email", 1,
      "error: standard input, line 3: email \"c@x\" is new, and a new row needs name\n", "1,a@x,Ann,1\n2,b@x,Ben,2\n"
    ),
    (
      "email,age\nb@x,30\na@x,\n", "email", 0, "imported 2 rows into p by email: 0 new, 2 replaced\n",
      "1,a@x,Ann,\n2,b@x,Ben,30\n"
    ),
    (
      "email,name,id\nb@x,Bob,9\nc@x,Cy,8\n", "email", 0, "imported 2 rows into p by email: 1 new, 1 replaced\n",
      "1,a@x,Ann,1\n2,b@x,Bob,2\n8,c@x,Cy,\n"
    ),
    ("id,age\n2,77\n", "id", 0, "imported 1 row into p by id: 0 new, 1 replaced\n", "1,a@x,Ann,1\n2,b@x,Ben,77\n"),
    ("email\nb@x\n", "email", 0, "imported 0 rows into p by email: 0 new, 0 replaced\n", "1,a@x,Ann,1\n2,b@x,Ben,2\n"),
    (
      "email,age\nb@x,30\n", "age", 2, "error: several rows of p can have the same age\n", "1,a@x,Ann,1\n2,b@x,Ben,2\n"
    ),
    ("age\n30\n", "email", 1, "error: standard input has no column email\n", "1,a@x,Ann,1\n2,b@x,Ben,2\n"),
    (
      "age\n30\n", "emial", 2, "error: --by: no column emial in p\n  did you mean email?\n",
      "1,a@x,Ann,1\n2,b@x,Ben,2\n"
    ),
  ]

  @Test("replaces rows by any unique columns, and names those alone that it sets", .tags(.slow), arguments: upserts)
  func upsert(csv: String, by: String, status: Int32, message: String, rows: String) async throws {
    let workshop = try Workshop()
    let create = "CREATE TABLE p (id INTEGER PRIMARY KEY, email TEXT UNIQUE, name TEXT NOT NULL, age INTEGER) STRICT"
    let insert = "INSERT INTO p VALUES (1, 'a@x', 'Ann', 1), (2, 'b@x', 'Ben', 2)"
    for statement in [create, insert] { try workshop.execute("t.sqlite", statement) }
    try await check("t.sqlite", workshop, csv: csv, by: by, status: status, message: message, rows: rows)
    guard TestSchema.connection != nil else { return }
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE p (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, email text UNIQUE, name text NOT NULL, age bigint)",
        insert)
      try await check(schema.uri, workshop, csv: csv, by: by, status: status, message: message, rows: rows)
    }
  }

  private func check(
    _ database: String, _ workshop: Workshop, csv: String, by: String, status: Int32, message: String, rows: String
  ) async throws {
    let outcome = try await workshop.run(["import", database, "p", "-", "--upsert", "--by", by], input: csv)
    #expect(outcome.status == status)
    #expect(outcome.messages.hasPrefix(message), "\(outcome.messages)")
    let found = try await workshop.run(["query", database, "p", "--format", "csv"])
    #expect(found.output == "id,email,name,age\n" + rows)
  }

  @Test("widens a table on a server", .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func server() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      _ = try await workshop.run(["import", schema.uri, "t", "-", "--key", "id"], input: Self.january)
      let outcome = try await workshop.run(
        ["import", schema.uri, "t", "-", "--upsert", "--widen"], input: "id,amount,region\n2,n/a,North\n3,1.5,\n")
      #expect(outcome.status == 0, "\(outcome.messages)")
      #expect(
        try await workshop.run(["query", schema.uri, "t", "--format", "csv"]).output
          == "id,amount,note,region\n1,5,a,\n2,n/a,b,North\n3,1.5,,\n")
    }
  }

  @Test("asks for nothing that makes no sense")
  func usage() async throws {
    let workshop = try Workshop()
    for (options, problem) in [
      (["--widen"], "--widen requires --append or --upsert"),
      (["--by", "id"], "--by requires --upsert"),
      (["--append", "--by", "id"], "--by requires --upsert"),
      (["--replace", "--widen"], "--widen and --replace can't be combined"),
    ] {
      let outcome = try await workshop.run(["import", "t.sqlite", "t", "-"] + options, input: Self.january)
      #expect(outcome.status == 2)
      #expect(outcome.messages.hasPrefix("error: \(problem)\n"), "\(outcome.messages)")
    }
  }
}
