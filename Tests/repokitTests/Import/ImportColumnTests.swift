import Testing

/// Which columns of a table an import writes, where the file names some of them.
@Suite("repokit import of some columns")
struct ImportColumnTests {
  private static let statements = [
    "create table t (id integer primary key, a text, b text default 'new', c text not null default 'there', d int)",
    "insert into t values (1, 'x', 'kept', 'kept', 3)",
    "create table loose (a, b, twice as (a * 2))",
    "create table defaults (a default 1, b default 2)",
    "create table keyed (k text primary key, v)",
    "create table pair (a text not null, b text, v, primary key (a, b))",
    "create table keyless (a)",
  ]

  private func workshop() async throws -> Workshop {
    let workshop = try Workshop()
    for statement in Self.statements { try workshop.execute("t.sqlite", statement) }
    return workshop
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let mode: String
    let files: [(name: String, text: String)]
    let rows: String

    init(_ name: String, _ mode: String, _ files: [(String, String)], _ rows: String...) {
      (testDescription, self.mode, self.files) = (name, mode, files)
      self.rows = rows.joined(separator: "\n")
    }
  }

  static let cases = [
    Case(
      "objects that name different columns", "--upsert",
      [("t.json", #"[{"id":1,"a":"p"},{"id":2,"a":"q"},{"id":3,"b":null},{"id":4,"c":"z","b":"y"},{"id":5}]"#)],
      "1,p,kept,kept,3", "2,q,new,there,", "3,,,there,", "4,,y,z,", "5,,new,there,"),
    Case(
      "objects that name different columns", "--append",
      [("t.ndjson", "{\"id\":2,\"a\":\"q\"}\n{\"id\":3,\"b\":null}\n{\"a\":\"r\",\"id\":4}\n{\"id\":5}\n")],
      "1,x,kept,kept,3", "2,q,new,there,", "3,,,there,", "4,r,new,there,", "5,,new,there,"),
    Case(
      "null, which is another thing than no name", "--upsert", [("t.json", #"[{"id":1,"a":null,"d":null}]"#)],
      "1,,kept,kept,"),
    Case(
      "the key alone", "--upsert", [("t.json", #"[{"id":1},{"id":2}]"#)],
      "1,x,kept,kept,3", "2,,new,there,"),
    Case(
      "files of different headers", "--upsert", [("1.csv", "id,a\n1,p\n2,q\n"), ("2.csv", "b,id\n,2\ny,3\n")],
      "1,p,kept,kept,3", "2,q,,there,", "3,,y,there,"),
    Case(
      "files of different formats", "--append", [("1.csv", "id,a\n2,q\n"), ("2.json", #"{"id":3,"b":"y"}"#)],
      "1,x,kept,kept,3", "2,q,new,there,", "3,,y,there,"),
    Case(
      "keys that the table numbers", "--append",
      [("1.csv", "a\nq\n"), ("2.json", #"[{"a":"r"},{"id":7,"a":"s"},{"a":"t"}]"#)],
      "1,x,kept,kept,3", "2,q,new,there,", "3,r,new,there,", "7,s,new,there,", "8,t,new,there,"),
    Case(
      "a file that lacks a column which may not be null", "--append", [("1.csv", "id,d\n2,5\n")],
      "1,x,kept,kept,3", "2,,new,there,5"),
  ]

  @Test("leaves what a record does not name to the table", arguments: cases)
  func unnamed(example: Case) async throws {
    let workshop = try await workshop()
    for file in example.files { try workshop.write(file.text, to: file.name) }
    let outcome = try await workshop.run(["import", "t.sqlite", "t"] + example.files.map(\.name) + [example.mode])
    #expect(outcome.status == 0, "\(outcome.messages)")
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "--format", "csv"]).output == "id,a,b,c,d\n\(example.rows)\n")
  }

  @Test("adds a row for an object without names where a table without defaults takes it")
  func emptyObject() async throws {
    let workshop = try await workshop()
    let loose = try await workshop.run(
      ["import", "t.sqlite", "loose", "-", "--append", "--from=json"], input: "[{\"a\":1},{}]")
    #expect(loose.messages == "appended 2 rows to loose\n")
    let defaults = try await workshop.run(
      ["import", "t.sqlite", "defaults", "-", "--append", "--from=json", "--skip-bad"], input: "[{\"a\":7},\n{}]")
    #expect(
      defaults.messages
        == "skipped: standard input, line 2: the object names no column\nskipped 1 bad row\nappended 1 row to defaults\n"
    )
    #expect(try await workshop.run(["query", "t.sqlite", "defaults", "--format", "csv"]).output == "a,b\n7,2\n")
  }

  @Test("writes records whose names change all the time, and more sets of names than it keeps statements for")
  func manySetsOfNames() async throws {
    let workshop = try Workshop()
    let columns = (0..<10).map { "c\($0) default \($0)" }.joined(separator: ", ")
    try workshop.execute("t.sqlite", "create table t (id integer primary key, \(columns))")
    let objects = (0..<1_024).map { set in
      let fields = (0..<10).filter { set & (1 << $0) != 0 }.map { ",\"c\($0)\":-1" }.joined()
      return "{\"id\":\(set)\(fields)}"
    }
    try workshop.write((objects + objects).joined(separator: "\n"), to: "t.ndjson")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "t.ndjson", "--upsert"])
    // A key alone changes nothing of a row that is there.
    #expect(outcome.messages == "inserted or replaced 2047 rows of t by id\n")
    let given = (0..<10).map { "c\($0) = iif(id >> \($0) & 1, -1, \($0))" }.joined(separator: " and ")
    try workshop.execute("t.sqlite", "create view wrong as select * from t where not (\(given))")
    #expect(try await workshop.run(["count", "t.sqlite", "wrong"]).output == "0\n")
  }

  @Test(
    "says which columns do not fit",
    arguments: [
      ("t", "--append", "id,zzz\n1,2\n", 1, "standard input: no column zzz in t", "its columns are id, a, b, c, d"),
      (
        "t", "--append", "x,y\n1,2\n", 1, "standard input: none of its columns is one of t",
        "it has x, y\n  t has id, a, b, c, d"
      ),
      (
        "loose", "--append", "x\n1\n", 1, "standard input: none of its columns is one of loose",
        "it has x\n  loose has a, b, twice"
      ),
      (
        "loose", "--append", "twice\n1\n", 1, "standard input: there is no column to be written",
        "loose computes twice itself"
      ),
      ("t", "--upsert", "a\n1\n", 1, "standard input: there is no column id", "id of t tells rows apart"),
      (
        "pair", "--append", "b\n1\n", 1, "standard input: there is no column a",
        "a of pair may not be null, and has no default"
      ),
      (
        "keyed", "--upsert", "k,v\n1,2\n", 2, "the primary key of keyed may be null: k",
        "any number of rows may have null there, so it does not tell rows apart\n"
          + "  --upsert replaces the row with the same key\n  --append adds rows without looking for one"
      ),
      (
        "pair", "--upsert", "a,b\n1,2\n", 2, "the primary key of pair may be null: b",
        "any number of rows may have null there"
      ),
      (
        "keyless", "--upsert", "a\n1\n", 2, "keyless has no primary key",
        "--upsert replaces the row with the same key\n  --append adds rows without looking for one"
      ),
    ] as [(String, String, String, Int32, String, String)])
  func misfit(
    table: String, mode: String, csv: String, status: Int32, summary: String, details: String
  ) async throws {
    let workshop = try await workshop()
    let outcome = try await workshop.run(["import", "t.sqlite", table, "-", mode], input: csv)
    #expect(outcome.status == status)
    #expect(outcome.messages.hasPrefix("error: \(summary)\n  \(details)"), "\(outcome.messages)")
  }

  @Test("lists some of many columns")
  func manyColumns() async throws {
    let workshop = try await workshop()
    let header = (1...40).map { "x\($0)" }.joined(separator: ",")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "-", "--append"], input: header + "\n")
    #expect(outcome.messages.contains("x32 and 8 more\n"), "\(outcome.messages)")
  }
}
