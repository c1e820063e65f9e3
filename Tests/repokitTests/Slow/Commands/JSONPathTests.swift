import Testing

@Suite("Paths into JSON")
struct JSONPathTests {
  private func workshop() throws -> Workshop {
    let workshop = try Workshop()
    for statement in [
      "CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, data JSON)",
      #"INSERT INTO person VALUES (1, 'Ann', '{"age": 41, "address": {"city": "Rome"}, "tags": ["x", "y"], "a/b": {"~1": 1}}')"#,
      #"INSERT INTO person VALUES (2, 'Ben', '{"age": 7.5, "address": {"city": "Bern"}, "tags": []}')"#,
      #"INSERT INTO person VALUES (3, 'Cy', '{"age": "old", "address": null}'), (4, 'Di', NULL), (5, 'Ed', 'no JSON')"#,
      "CREATE TABLE visit (id INTEGER PRIMARY KEY, person INTEGER REFERENCES person (id), info TEXT)",
      #"INSERT INTO visit VALUES (1, 1, '{"day": "2024-05-01"}'), (2, 2, '{"day": "2023-01-01"}')"#,
      "CREATE TABLE list (id INTEGER PRIMARY KEY, tags JSON)",
      #"INSERT INTO list VALUES (1, '["x", 5]'), (2, '["y", 7]'), (3, '["x", 1]')"#,
    ] { try workshop.execute("p.sqlite", statement) }
    return workshop
  }

  private static let note =
    "note: 1 of the first 4 values of data is not JSON, such as 'no JSON': a path into such a value gives null\n"

  private static let engines = [[], ["--engine", "memory"]]
  private static let questions: [([String], String)] = [
    (["query", "person", "data.address.city = 'Rome'", "--columns", "id"], "id\n1\n"),
    (["query", "person", "data.age > 5 and data.age < ''", "--columns", "id"], "id\n1\n2\n"),
    (["query", "person", "data.age > 5", "--columns", "id"], "id\n1\n2\n3\n"),
    (["query", "person", "data.tags.0 = 'x' or data.tags[1] = 'z'", "--columns", "id"], "id\n1\n"),
    (["query", "person", "data.address.city is null", "--columns", "id"], "id\n3\n4\n5\n"),
    (["query", "person", #"data."a/b"."~1" = 1"#, "--columns", "id"], "id\n1\n"),
    (
      ["query", "person", "--columns", "id, data.address.city as city, data.tags", "--sort=-city", "--limit", "2"],
      "id\tcity\tdata.tags\n1\tRome\t[\"x\", \"y\"]\n2\tBern\t[]\n"
    ),
    (["query", "person", "--columns", "id", "--sort", "data.age desc", "--limit", "2"], "id\n3\n1\n"),
    (
      ["group", "person", "--by", "data.address.city", "--count", "--aggregate", "max(data.age)"],
      "data.address.city\tcount\tmax(data.age)\n\\N\t3\told\nBern\t1\t7.5\nRome\t1\t41\n"
    ),
    (["group", "person", "--sum", "data.age"], "sum(data.age)\n48.5\n"),
    (["group", "list", "--by", "tags[0]", "--sum", "tags[1]"], "tags[0]\tsum(tags[1])\nx\t6\ny\t7\n"),
    (["group", "list", "--by", #""tags"[0]"#, "--max", "tags[1]"], "tags[0]\tmax(tags[1])\nx\t5\ny\t7\n"),
    (["query", "visit", "person.data.age > 40", "--columns", "id, person.data.tags[0] as tag"], "id\ttag\n1\tx\n"),
    (["query", "visit", "year(info.day) = 2023", "--columns", "id"], "id\n2\n"),
    (["count", "person", "any visit (info.day > '2024')"], "1\n"),
  ]

  @Test(
    "are columns of every clause, by either engine",
    arguments: questions, engines)
  func answers(question: ([String], String), engine: [String]) async throws {
    let (words, output) = question
    let outcome = try await workshop().run([words[0], "p.sqlite"] + words.dropFirst() + engine)
    #expect(outcome.output == output && outcome.status == 0, "\(outcome)")
  }

  @Test(
    "tell what leads nowhere",
    arguments: [
      (["count", "person", "data.address.city = 'Rome'"], Self.note),
      (["count", "visit", "info.day < ''"], ""),
      (
        ["count", "visit", "info.day = ''"], "hint: info.day has no ''; the values are '2023-01-01', '2024-05-01'\n"
      ),
      (
        ["count", "visit", "info.dai = ''"],
        "hint: none of the first 2 values of info has info.dai; did you mean info.day?\n"
      ),
      (
        ["count", "visit", "info.day.year = 2024"],
        "hint: none of the first 2 values of info has info.day.year\n"
      ),
      (
        ["count", "visit", "info.place.city = ''"],
        "hint: none of the first 2 values of info has info.place; the fields are day\n"
      ),
      (
        ["count", "visit", "info.day = '2024-05-02'"],
        "hint: info.day has no '2024-05-02'; did you mean '2024-05-01'?\n"
      ),
      (
        ["count", "person", "data.age = '41'"],
        "\(Self.note)hint: data.age has no '41'; did you mean the number 41, without quotes?\n"
      ),
      (
        ["query", "person", "data.address.city = 'rome'"],
        "\(Self.note)hint: data.address.city has no 'rome'; did you mean 'Rome'?\n"
      ),
      (
        ["group", "person", "--sum", "data.age"],
        "\(Self.note)note: sum(data.age) ignores values that are not numbers: 1 of the first 3 values of data.age, such as 'old'\n"
      ),
      (
        ["group", "visit", "--aggregate", "average(info.day where id > 0)"],
        "note: average(info.day where id > 0) ignores values that are not numbers: 2 of the first 2 values of info.day, such as '2024-05-01'\n"
      ),
    ] as [([String], String)])
  func notes(words: [String], messages: String) async throws {
    let outcome = try await workshop().run([words[0], "p.sqlite"] + words.dropFirst())
    #expect(outcome.messages == messages && outcome.status == 0, "\(outcome)")
  }

  @Test(
    "are refused where they are none",
    arguments: [
      (
        "name.city = 'Rome'",
        "error: name of person does not refer to another table\n  name.city = 'Rome'\n  ^\n  and no value of the column is a JSON object or array\n"
      ),
      ("id.city = 'Rome'", "error: id of person does not refer to another table\n  id.city = 'Rome'\n  ^\n"),
      (
        "data.in.a = 1",
        "error: expected a key, found `in`\n  data.in.a = 1\n       ^\n  put a name that is a keyword in double quotes: data.\"in\".a\n"
      ),
      ("data[x] = 1", "error: expected a position from 0 on, found `x`\n"),
      ("data[-1] = 1", "error: expected a position from 0 on, found `-1`\n"),
      ("data[0 = 1", "error: expected `]`, found `=`\n"),
    ])
  func refusals(query: String, message: String) async throws {
    let outcome = try await workshop().run(["query", "p.sqlite", "person", query])
    #expect(outcome.messages.hasPrefix(message) && outcome.status == 2, "\(outcome)")
  }

  @Test("are refused where no reference is declared, with what declares one")
  func undeclared() async throws {
    let workshop = try workshop()
    try workshop.execute("p.sqlite", "CREATE TABLE ZTRACK (Z_PK INTEGER PRIMARY KEY, ZALBUM INTEGER)")
    let advice = "or with --reference ZALBUM=TARGET.KEY for a file of rows\n"
    for (path, column) in [("ZALBUM.ZTITLE", "ZALBUM"), ("album.ZTITLE", "COLUMN")] {
      let outcome = try await workshop.run(["query", "p.sqlite", "ZTRACK", "\(path) = 'x'"])
      #expect(
        outcome.messages.hasSuffix(
          "\n  ZTRACK has no references: declare one with repokit column reference DATABASE ZTRACK \(column) TARGET, "
            + advice.replacing("ZALBUM", with: column)) && outcome.status == 2, "\(outcome)")
    }
  }

  @Test("are worked out of an update's rows, and have no place in a view of SQLite's own")
  func changes() async throws {
    let workshop = try workshop()
    let changed = try await workshop.run(["set", "p.sqlite", "person", "id = 1", "name = data.address.city", "--yes"])
    #expect(changed.status == 0, "\(changed)")
    #expect(
      try await workshop.run(["query", "p.sqlite", "person", "id = 1", "--columns", "name"]).output == "name\nRome\n")
    let view = try await workshop.run(["view", "create", "p.sqlite", "v", "person", "data.address.city = 'Rome'"])
    #expect(view.status != 0 && view.messages.contains("paths into JSON"), "\(view)")
  }
}
