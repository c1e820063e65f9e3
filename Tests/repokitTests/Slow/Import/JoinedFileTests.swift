import Testing

@testable import repokit

/// Files of rows beside a database.
@Suite("Files beside a database")
struct JoinedFileTests {
  private static let statements = [
    "CREATE TABLE region (id integer PRIMARY KEY, name text)",
    "CREATE TABLE town (id integer PRIMARY KEY, name text, zip text, region integer REFERENCES region (id))",
    "CREATE TABLE apart (id integer PRIMARY KEY)",
    "INSERT INTO region VALUES (1, 'north'), (2, 'south')",
    "INSERT INTO town VALUES (1, 'Ahl', 'a1', 1), (2, 'Bex', 'b2', 2), (3, 'Cul', 'b2', NULL)",
  ]

  /// Runs a test beside a file, and beside a server if there is one.
  private func withDatabases(_ body: (Workshop, String) async throws -> Void) async throws {
    let workshop = try Workshop()
    try workshop.write("code,people\na1,500\nb2,70\nc3,0\n", to: "zips.csv")
    try workshop.write("town,visits\n1,4\n1,3\n9,1\n", to: "visits.csv")
    for statement in Self.statements { try workshop.execute("p.sqlite", statement) }
    try await body(workshop, "p.sqlite")
    guard TestSchema.connection != nil else { return }
    try await TestSchema.with { schema in
      for statement in Self.statements { try await schema.execute(statement) }
      try await body(workshop, schema.uri)
    }
  }

  @Test(
    "are joined by any declared pair of columns, in both directions",
    arguments: [
      (
        [
          "town", "zip.people > 100", "--with", "zips.csv", "--reference", "zip=zips.code", "--columns",
          "name,zip.people",
        ],
        "name\tzip.people\nAhl\t500\n"
      ),
      (
        [
          "town", "--with", "zips.csv", "--reference", "zip=zips.code", "--columns", "name,zip.people,region.name",
          "--sort", "id",
        ],
        "name\tzip.people\tregion.name\nAhl\t500\tnorth\nBex\t70\tsouth\nCul\t70\t\\N\n"
      ),
      (
        ["visits", "--with", "visits.csv", "--reference", "visits.town=town.id", "--columns", "visits,town.name"],
        "visits\ttown.name\n4\tAhl\n3\tAhl\n1\t\\N\n"
      ),
      (
        [
          "town", "--with", "visits.csv", "--reference", "visits.town=town.id", "--columns",
          "name,sum(visits of visits) as n", "--sort", "id",
        ],
        "name\tn\nAhl\t7\nBex\t0\nCul\t0\n"
      ),
      (
        [
          "visits", "--with", "visits.csv", "--with", "zips.csv", "--reference", "visits.town=town.id", "--reference",
          "town.zip=zips.code", "--columns", "visits,town.zip.people",
        ],
        "visits\ttown.zip.people\n4\t500\n3\t500\n1\t\\N\n"
      ),
      (
        [
          "zips", "--with", "v=zips.csv", "--with", "zips.csv", "--reference", "v.code=region.name", "--columns",
          "code",
        ],
        "code\na1\nb2\nc3\n"
      ),
    ])
  func joined(arguments: [String], output: String) async throws {
    try await withDatabases { workshop, database in
      let outcome = try await workshop.runUnchanged(["query", database] + arguments)
      #expect(outcome.output == output, "\(outcome)")
    }
  }

  @Test(
    "Columns of a server that become text are noted",
    .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
  func notes() async throws {
    let workshop = try Workshop()
    try workshop.write("code\n1\n", to: "codes.csv")
    try await TestSchema.with { schema in
      try await schema.execute(
        "CREATE TABLE price (id int PRIMARY KEY, n numeric(20,2))", "INSERT INTO price VALUES (1, 9.5)")
      let outcome = try await workshop.run(["query", schema.uri, "price", "--with", "codes.csv"])
      #expect(
        outcome.messages.contains("note: price, read beside the file: n becomes text, to keep its digits"), "\(outcome)"
      )
    }
  }

  @Test(
    "Mistakes name the table or the column",
    arguments: [
      (["town", "--with", "zips.csv", "--reference", "zip=zips.cod"], "no column cod"),
      (["town", "--with", "zips.csv", "--reference", "zi=zips.code"], "no column zi in town"),
      (["town", "--with", "zips.csv", "--reference", "zip=nothing.code"], "has no table nothing"),
      (["nothing", "--with", "zips.csv", "--reference", "zips.code=town.zip"], "has no table nothing"),
      (
        ["town", "--with", "zips.csv", "--reference", "zips.code=town.zip"],
        "rows of town have the same zip, so a path could lead to several rows"
      ),
      (["town", "--with", "apart=zips.csv"], "already has a table apart"),
      (["town", "--with", "none.csv"], "there is no file none.csv"),
    ])
  func mistakes(arguments: [String], message: String) async throws {
    try await withDatabases { workshop, database in
      let outcome = try await workshop.runUnchanged(["query", database] + arguments)
      #expect(outcome.status != 0 && outcome.messages.contains(message), "\(outcome)")
    }
  }
}
