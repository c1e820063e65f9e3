import Testing
@testable import repokit

@Suite("A file of rows in the place of a database")
struct DataFileTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    try workshop.write("id,customer_id,amount\n1,7,5\n2,8,15.5\n3,9,20\n", to: "sales.csv")
    try workshop.write("[{\"id\":7,\"name\":\"Ann\"},{\"id\":8,\"name\":\"Ben\"}]", to: "customers.json")
    try workshop.write("{\"a\":1}\n{\"a\":2}\n", to: "lines.ndjson")
    try workshop.write("a;b\n1;2\n", to: "odd.txt")
    return workshop
  }

  private static let joined = ["--with", "customers.json", "--reference", "customer_id=customers.id"]

  @Test(
    "is a table called after it",
    arguments: [
      (["query", "sales.csv", "amount > 10"], "id\tcustomer_id\tamount\n2\t8\t15.5\n3\t9\t20.0\n"),
      (["query", "sales.csv", "sales", "amount > 10", "--columns=id"], "id\n2\n3\n"),
      (["query", "sales.csv", "--sort=-amount", "--limit", "1", "--columns", "id"], "id\n3\n"),
      (["query", "lines.ndjson", "a = 2", "--engine", "memory"], "a\n2\n"),
      (["query", "odd.txt", "--from", "csv", "b = 2"], "a\tb\n1\t2\n"),
      (["count", "sales.csv", "amount > 10"], "2\n"),
      (
        ["group", "sales.csv", "--by", "customer_id", "--sum", "amount", "--limit=1"],
        "customer_id\tsum(amount)\n7\t5.0\n"
      ),
      (["describe", "lines.ndjson", "--columns", "a", "--format", "tsv"], nil),
      (["export", "sales.csv", "id = 1", "-", "--format", "csv"], "id,customer_id,amount\n1,7,5.0\n"),
      (["export", "lines.ndjson", "-", "--format", "csv"], "a\n1\n2\n"),
      (["tables", "sales.csv", "--names"], "sales\n"),
      (["tables", "sales.csv", "--names", "--with", "c=customers.json"], "c\nsales\n"),
      (["schema", "lines.ndjson"], "lines\n  a  integer  may be null\n"),
      (["schema", "lines.ndjson", "--types", "a=text"], "lines\n  a  text     may be null\n"),
      (["query", "sales.csv", "customer_id.name = 'Ben'", "--columns=id"] + joined, "id\n2\n"),
      (
        ["query", "sales.csv", "--columns", "id, customer_id.name as who"] + joined,
        "id\twho\n1\tAnn\n2\tBen\n3\t\\N\n"
      ),
      (["query", "sales.csv", "customers", "any sales (amount > 10)"] + joined, "id\tname\n8\tBen\n"),
    ] as [([String], String?)])
  func table(arguments: [String], output: String?) async throws {
    let outcome = try await workshop().run(arguments)
    #expect(outcome.status == 0, "\(outcome.messages)")
    if let output { #expect(outcome.output == output) } else { #expect(outcome.output.hasPrefix("column\t")) }
  }

  @Test("may be the standard input, and be packed")
  func streams() async throws {
    let workshop = try workshop()
    let script = """
      cat sales.csv | $repokit count - "amount > 10"
      $repokit query - --from ndjson --columns a --format csv < lines.ndjson
      gzip -c sales.csv > packed.csv.gz && $repokit count packed.csv.gz "amount > 10"
      """
    #expect(try await workshop.shell(script).output == "2\na\n1\n2\n2\n")
  }

  @Test(
    "is told from a database",
    arguments: [
      (
        ["set", "sales.csv", "sales", "true", "amount=1", "--yes", "--all"], 1,
        "sales.csv is a file of rows, not a database"
      ),
      (["watch", "sales.csv", "sales"], 1, "sales.csv is a file of rows, not a database"),
      (["count", "none.csv"], 1, "there is no file none.csv"),
      (
        ["count", "p.sqlite", "t", "--delimiter", ";"], 2,
        "--delimiter requires a file of rows, but p.sqlite is a database"
      ),
      (["count", "sales.csv", "--with", "sales.csv"], 2, "two files would become the table sales"),
      (["count", "sales.csv", "--reference", "id"], 2, "--reference: \"id\" is not a reference"),
      (["count", "sales.csv", "amout > 1"], 2, "no column amout in sales"),
      (
        ["count", "../sales.xlsx"], 2,
        "TABLE is missing\n  save the spreadsheet as CSV, and read ../sales.csv"
      ),
      (
        ["count", "odd.txt"], 2, "TABLE is missing\n  write --from csv, tsv or ndjson to read odd.txt as a file of rows"
      ),
      (
        ["count", "sales.csv", "--with", "customers.json", "--reference", "x=customers.id"], 2,
        "--reference: no column x in sales.csv"
      ),
    ] as [([String], Int32, String)])
  func refusals(arguments: [String], status: Int32, problem: String) async throws {
    let outcome = try await workshop().run(arguments)
    #expect(outcome.status == status)
    #expect(outcome.messages.hasPrefix("error: \(problem)\n"), "\(outcome.messages)")
  }

  @Test("is taken for a database by its name alone, and then told how it would be read")
  func unnamed() async throws {
    let workshop = try Workshop()
    try workshop.write(String(repeating: "id,amount\n", count: 100), to: "sales")
    let (read, changed) = (
      try await workshop.run(["count", "sales", "t"]),
      try await workshop.run(["set", "sales", "t", "id=1", "a=1", "--yes"])
    )
    let advice = "  --from csv, tsv, json or ndjson reads a file of rows\n"
    for outcome in [read, changed] {
      #expect(outcome.messages.hasPrefix("error: sales: the file is not an SQLite database\n"))
    }
    #expect(read.messages.hasSuffix(advice) && !changed.messages.contains(advice), "\(read) \(changed)")
  }

  @Test("refuses a key that several rows have")
  func ambiguousKey() async throws {
    let workshop = try workshop()
    try workshop.write("id,name\n7,Ann\n7,Eve\n", to: "customers.csv")
    let outcome = try await workshop.run(
      ["count", "sales.csv", "--with", "customers.csv", "--reference", "customer_id=customers.id"])
    #expect(outcome.status == 1)
    #expect(outcome.messages.contains("customers.csv, line 3: a row with id 7 already exists"), "\(outcome.messages)")
  }

  @Test("tells of a reference between numbers and texts, by which no row leads to another")
  func mismatch() async throws {
    let workshop = try workshop()
    try workshop.write("id,name\n007,Ann\n012,Eve\n", to: "customers.csv")
    let outcome = try await workshop.run(
      ["count", "sales.csv", "--with", "customers.csv", "--reference", "customer_id=customers.id"])
    #expect(
      outcome.messages.contains(
        "note: customer_id of sales is integer, but id of customers is text, so paths find no row; --types customer_id=text reads both as text\n"
      ), "\(outcome.messages)")
  }

  @Test("tells what was assumed of it, on the standard error")
  func notes() async throws {
    let outcome = try await workshop().run(["count", "odd.txt", "--from", "csv"])
    #expect(
      outcome
        == Outcome(status: 0, output: "1\n", messages: "note: odd.txt is delimited by semicolons\n"))
  }

  @Test("completes its columns")
  func completion() async throws {
    let workshop = try workshop()
    let engine = CompletionEngine(commands: CommandList.repokit.descriptions)
    let found = await engine.candidates(for: "am", after: ["query", "\(workshop.path)/sales.csv"])
    guard case .words(let words) = found else {
      Issue.record("no words")
      return
    }
    #expect(words.map(\.word) == ["amount "])
  }
}
