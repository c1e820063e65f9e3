import Testing

/// What becomes of all that names a table in whose place an import puts another.
@Suite("repokit import --replace")
struct ImportReplacementTests {
  private static let statements = [
    "create table p (id integer primary key, name text, weight real)",
    "create index by_name on p (name)",
    "create unique index heavy on p (weight desc) where weight > 3",
    "create table log (text)",
    "create trigger logged after insert on p begin insert into log values (new.name); end",
    "create view names as select name from p",
    "create table caught (p references p (id) on delete cascade)",
    "insert into p values (1, 'a', 2), (2, 'b', 4)",
    "insert into caught values (1)",
  ]

  private func workshop(_ statements: String...) async throws -> Workshop {
    let workshop = try Workshop()
    for statement in Self.statements + statements { try workshop.execute("r.sqlite", statement) }
    return workshop
  }

  private func replace(_ workshop: Workshop, _ csv: String, _ options: String...) async throws -> Outcome {
    try await workshop.run(["import", "r.sqlite", "p", "-", "--replace", "--key=id"] + options, input: csv)
  }

  @Test("keeps indexes, triggers, views and the references of others")
  func keeping() async throws {
    let workshop = try await workshop()
    let outcome = try await replace(workshop, "name,id,weight\nc,1,5\nd,3,6\n")
    #expect(
      outcome.messages
        == "imported 2 rows into p (new table: name text, id integer, weight integer; 2 rows dropped)\n")
    let schema = try await workshop.run(["schema", "r.sqlite", "p"]).output
    #expect(
      schema.hasSuffix(
        "\n  indexes\n    by_name: name\n    heavy: unique weight desc where weight > 3\n  triggers\n    logged\n"),
      "\(schema)")
    // The trigger saw the rows that were there before, and none of the file's.
    #expect(try await workshop.run(["query", "r.sqlite", "log"]).output == "text\na\nb\n")
    try workshop.execute("r.sqlite", "insert into p (id, name, weight) values (4, 'e', 7)")
    #expect(try await workshop.run(["count", "r.sqlite", "log"]).output == "3\n")
    #expect(try await workshop.run(["count", "r.sqlite", "names"]).output == "3\n")
    #expect(try await workshop.run(["delete", "r.sqlite", "p", "id = 1", "--yes"]).status == 0)
    #expect(try await workshop.run(["count", "r.sqlite", "caught"]).output == "0\n")
    #expect(try await workshop.run(["check", "r.sqlite"]).status == 0)
  }

  @Test(
    "names what is in the way, and changes nothing",
    arguments: [
      (
        "id,weight\n1,2\n", "drop view names; drop trigger logged",
        "r.sqlite: the index by_name prevents replacing p", "no such column: name"
      ),
      (
        "id,weight\n1,2\n", "drop view names; drop trigger logged; drop index by_name; create index q on p (\"name\")",
        "r.sqlite: the index q prevents replacing p", "no such column: name"
      ),
      (
        "id,weight\n1,2\n", "drop index by_name; drop trigger logged",
        "r.sqlite: the view names prevents replacing p", "no such column: name"
      ),
      (
        "id,weight\n1,2\n", "drop index by_name; drop view names",
        "r.sqlite: the trigger on insert of p prevents replacing p", "no such column: new.name"
      ),
      (
        "id,name,weight\n7,x,1\n", "", "r.sqlite: 1 row of caught would refer to missing rows of p",
        "foreign keys are checked once all rows are written"
      ),
      (
        "id,name,weight\n1,x,5\n2,y,5\n", "",
        "standard input, line 3: another row of p has the same unique values",
        "UNIQUE constraint failed: p.weight"
      ),
    ])
  func inTheWay(csv: String, statements: String, summary: String, reason: String) async throws {
    let workshop = try await workshop()
    for statement in statements.split(separator: ";") { try workshop.execute("r.sqlite", String(statement)) }
    let before = try await workshop.run(["schema", "r.sqlite", "--sql"])
    for option in ["--dry-run", "--skip-bad"] where !summary.hasPrefix("standard") {
      let outcome = try await replace(workshop, csv, option)
      #expect(
        outcome.status == 1 && outcome.messages.hasPrefix("error: \(summary)\n") && outcome.messages.contains(reason),
        "\(outcome.messages)")
    }
    let outcome = try await replace(workshop, csv)
    #expect(
      outcome.status == 1 && outcome.messages.hasPrefix("error: \(summary)\n") && outcome.messages.contains(reason),
      "\(outcome.messages)")
    #expect(try await workshop.run(["schema", "r.sqlite", "--sql"]) == before)
    #expect(try await workshop.run(["count", "r.sqlite", "p"]).output == "2\n")
    #expect(try await workshop.run(["count", "r.sqlite", "caught"]).output == "1\n")
    try workshop.execute("r.sqlite", "delete from p where id = 1")
  }

  @Test("tells that references to other tables are gone with the rows")
  func lostReferences() async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(
      ["import", "r.sqlite", "caught", "-", "--replace", "--dry-run"], input: "p\n1\n")
    #expect(
      outcome.messages
        == "would have imported 1 row into caught (new table: p integer; 1 row dropped, and a reference to p); repokit changed nothing\n"
    )
  }

  @Test("is refused where the new table lacks the key that others refer to")
  func missingKey() async throws {
    let workshop = try await workshop()
    let csv = "id,name,weight\n1,x,1\n"
    let outcome = try await workshop.run(["import", "r.sqlite", "p", "-", "--replace"], input: csv)
    #expect(
      outcome.status == 1
        && outcome.messages.hasPrefix("error: r.sqlite: the reference of caught prevents replacing p\n")
        && outcome.messages.contains("\n  id of p is not unique\n"),
      "\(outcome.messages)")
    #expect(try await workshop.run(["count", "r.sqlite", "caught"]).output == "1\n")
  }
}
