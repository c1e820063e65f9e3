import Query
import Repository
import TestSupport
import Testing
@testable import repokit

/// Messages that say which value, row or argument is at fault, and what to write instead.
@Suite("Messages")
struct MessageTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let arguments: [String]
    let status: Int32
    let messages: String
    var testDescription: String { arguments.joined(separator: " ") }

    /// - Parameter lines: how the message begins.
    init(_ arguments: String..., status: Int32 = 2, lines: String...) {
      (self.arguments, self.status, messages) = (arguments, status, lines.joined(separator: "\n  "))
    }
  }

  static let mistakes = [
    Case(
      "query", "m.sqlite", "track", "--sort", "name", "desc", lines: "error: unexpected argument \"desc\"",
      "write --sort 'name desc'"),
    Case(
      "group", "m.sqlite", "track", "--by=genre_id", "--sort=count", "ASC", lines: "error: unexpected argument \"ASC\"",
      "write --sort 'count ASC'"),
    Case(
      "export", "m.sqlite", "track", "-", "--sort", "name", "desc", lines: "error: unexpected argument \"desc\"",
      "write --sort 'name desc'"),
    Case(
      "group", "m.sqlite", "track", "--by", "genre", lines: "error: no column genre in track", "genre", "^",
      "did you mean genre_id.name?"),
    Case(
      "count", "m.sqlite", "track", "Genre = 'Rock'", lines: "error: no column Genre in track", "Genre = 'Rock'", "^",
      "did you mean genre_id.name?"),
    Case(
      "count", "m.sqlite", "track", "id > 0 and done = true",
      lines: "error: can't compare done, which stores text, with a number", "id > 0 and done = true", "           ^",
      "write 'true'"),
    Case(
      "count", "m.sqlite", "track", "done != false",
      lines: "error: can't compare done, which stores text, with a number", "done != false", "^", "write 'false'"),
    Case(
      "count", "m.sqlite", "track", "done = 1", lines: "error: can't compare done, which stores text, with a number",
      "done = 1", "^", "put the number in quotes"),
    Case(
      "delete", "m.sqlite", "track", "--yes", lines: "error: WHERE is missing", "write a condition; true means all rows"
    ),
    Case("delete", "m.sqlite", "track", "id = 1", "--all", "--yes", lines: "error: --all requires the condition true"),
    Case(
      "set", "m.sqlite", "track", "id = 1", "genre_id=7", "--yes", status: 1, lines: "error: no genre has id 7",
      "genre_id refers to genre: add the row of genre first\n"),
    Case(
      "set", "m.sqlite", "track", "id = 1", "id=2", "--yes", status: 1, lines: "error: a row with id 2 already exists",
      "id is unique\n"),
    Case(
      "insert", "m.sqlite", "track", "name=Two", "--yes", status: 1,
      lines: "error: a row with name \"Two\" already exists",
      "name is unique\n"),
    Case(
      "insert", "m.sqlite", "pair", "a=1", "b=x", "--yes", status: 1,
      lines: "error: a row with a 1 and b \"x\" already exists", "a and b are unique together\n"),
  ]

  @Test("name the mistake and what to write", arguments: mistakes)
  func mistake(of test: Case) async throws {
    let workshop = try Self.workshop()
    let outcome = try await workshop.run(test.arguments)
    #expect(
      outcome.status == test.status && outcome.output == "" && outcome.messages.hasPrefix(test.messages), "\(outcome)")
  }

  @Test("name the values of a bad row, and its line")
  func rows() async throws {
    let workshop = try Self.workshop()
    for (csv, options, message) in [
      (
        "id,name,genre_id\n5,Five,1\n6,Six,9\n", ["--append"],
        "t.csv, line 3: no genre has id 9\n  genre_id refers to genre"
      ),
      ("id,name\n5,Five\n5,Six\n", ["--append"], "t.csv, line 3: a row with id 5 already exists\n  id is unique"),
      ("id,name\n5,Two\n", ["--append"], "t.csv, line 2: a row with name \"Two\" already exists\n  name is unique"),
      (
        "id,done\n1,x\n8,x\n", ["--upsert"],
        "t.csv, line 3: id 8 is new, and a new row needs name\n  add the column name"
      ),
    ] {
      try workshop.write(csv, to: "t.csv")
      let outcome = try await workshop.run(["import", "m.sqlite", "track", "t.csv"] + options)
      #expect(outcome.status == 1 && outcome.messages.hasPrefix("error: \(message)"), "\(outcome)")
    }
  }

  @Test("take the only table, list several tables, and name the kind of a file that is no database")
  func missingTable() async throws {
    let workshop = try Self.workshop()
    try workshop.execute("one.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try workshop.write("{\"a\": 1}\n{\"a\": 2}\n", to: "app.log")
    try workshop.write("[{\"a\": 1}]", to: "quakes.geojson")
    try workshop.write(Array("PAR1".utf8) + [0x15, 4, 0, 0], to: "rows.parquet")
    #expect(try await workshop.run(["count", "one.sqlite"]) == Outcome(status: 0, output: "0\n", messages: ""))
    for (arguments, advice) in [
      (["query", "m.sqlite"], "the tables are genre, pair, track"), (["set", "one.sqlite"], "the table is t"),
      (
        ["count", "app.log"], "app.log looks like JSON: --from ndjson reads one object a line; --from json --path NAME"
      ),
      (["count", "quakes.geojson"], "quakes.geojson looks like JSON: --from json reads an array of objects\n"),
      (["query", "rows.parquet"], "rows.parquet is a Parquet file: convert the file to CSV"),
    ] {
      let outcome = try await workshop.run(arguments)
      #expect(outcome.status == 2 && outcome.messages.hasPrefix("error: TABLE is missing\n  \(advice)"), "\(outcome)")
      #expect(!outcome.messages.contains("usage:"))
    }
  }

  @Test("take the condition of an export before or behind the file")
  func export() async throws {
    let workshop = try Self.workshop()
    for (number, order) in [["id = 2", "a.csv"], ["b.csv", "id = 2"]].enumerated() {
      #expect(try await workshop.run(["export", "m.sqlite", "genre"] + order).status == 0)
      #expect(
        String(decoding: try workshop.read(number == 0 ? "a.csv" : "b.csv"), as: UTF8.self) == "id,name\n2,Jazz\n")
    }
    #expect(try await workshop.run(["export", "m.sqlite", "genre", "-", "id = 2"]).output == "id\tname\n2\tJazz\n")
  }

  @Test("accept the deletion of all rows without a condition")
  func deletion() async throws {
    let workshop = try Self.workshop()
    let outcome = try await workshop.run(["delete", "m.sqlite", "track", "--all", "--yes"])
    #expect(outcome == Outcome(status: 0, output: "", messages: "deleted 2 rows of track\n"))
  }

  @Test("have no words of the library")
  func words() {
    for error in [
      RepositoryError(
        .schemaMismatch, "table film differs from the schema", reason: "column a is missing",
        suggestion: "change the schema, or copy the table in a migration with `rebuild`"),
      RepositoryError(
        .unsupported, "a repository can't use column t of film",
        reason: "the library can't compare values of the type xml",
        suggestion: "omit the column from the schema, or read the column with SQL as ::text"),
      RepositoryError(.foreignKeyViolation, "a row refers to a row that does not exist"),
      RepositoryError(.schemaMismatch, "film has another form"),
      RepositoryError(.invalidSchema, "the schema of sqlite_a is not valid", reason: "the name is reserved"),
    ] {
      let failure = Failure(error)
      let text = ([failure.summary] + failure.details).joined(separator: "\n")
      for word in ["schema", "repository", "migration", "the library", "save "] {
        #expect(!text.contains(word), "\(text)")
      }
    }
  }

  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE genre (id INTEGER PRIMARY KEY, name TEXT)",
      """
      CREATE TABLE track (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, done TEXT, \
      genre_id INTEGER REFERENCES genre)
      """,
      "CREATE TABLE pair (a INTEGER, b TEXT, UNIQUE (a, b))", "INSERT INTO pair VALUES (1, 'x')",
      "INSERT INTO genre VALUES (1, 'Rock'), (2, 'Jazz')",
      "INSERT INTO track VALUES (1, 'One', 'true', 1), (2, 'Two', 'false', 2)",
    ] { try workshop.execute("m.sqlite", statement) }
    return workshop
  }
}
