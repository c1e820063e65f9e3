import Testing

@Suite("repokit import of JSON")
struct ImportJSONTests {
  @Test(
    "finds out what columns hold",
    arguments: [
      (#"[{"id":1,"a":"x"},{"id":2,"a":null}]"#, "id integer, a text", "1,x\n2,\n"),
      ("{\"a\":1}\n{\"b\":2.5}\n", "a integer, b real", "1,\n,2.5\n"),
      (#"[{"a":1},{"a":"1"},{"a":1.5}]"#, "a any", "1\n1\n1.5\n"),
      (#"[{"a":true},{"a":false}]"#, "a integer", "1\n0\n"),
      (#"[{"a":1.5},{"a":"Infinity"},{"a":"-Infinity"}]"#, "a real", "1.5\n9e999\n-9e999\n"),
      (#"[{"a":"Infinity"}]"#, "a text", "Infinity\n"),
      (#"[{"a":[1, {"b": "]"}]},{"a":{}}]"#, "a text", "\"[1, {\"\"b\"\": \"\"]\"\"}]\"\n{}\n"),
      (
        #"[{"a":9223372036854775807},{"a":9223372036854775808}]"#, "a text",
        "9223372036854775807\n9223372036854775808\n"
      ),
      (#"[{"a":9007199254740993},{"a":0.5}]"#, "a any", "9007199254740993\n0.5\n"),
      (#"[{"a":0.12345678901234567890}]"#, "a text", "0.12345678901234567890\n"),
      (#"[{"a":"\u00e9\ud83d\ude00\n\"\\\/\b\f\r\t"}]"#, "a text", "\"é😀\n\"\"\\/\u{8}\u{C}\r\t\"\n"),
      ("\u{FEFF} [ { \"a\" : 1 } ] \n", "a integer", "1\n"), ("{\"a\":1}{\"a\":2}", "a integer", "1\n2\n"),
      (#"[{},{"a":1}]"#, "a integer", "\n1\n"),
    ])
  func detection(json: String, columns: String, rows: String) async throws {
    let workshop = try Workshop()
    try workshop.write(json, to: "t.json")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "t.json"])
    #expect(outcome.messages.hasSuffix("into t (new table: \(columns))\n"), "\(outcome.messages)")
    let output = try await workshop.run(["query", "t.sqlite", "t", "--format", "csv"]).output
    // Without a key, rows come in the order of their values.
    #expect(output.split(separator: "\n").dropFirst().sorted() == rows.split(separator: "\n").sorted(), "\(output)")
  }

  @Test(
    "tells which number makes a column of texts",
    arguments: [
      (#"[{"a":1},{"a":12345678901234567890}]"#, "\"12345678901234567890\" in line 1 of t.json exceeds 64 bits"),
      (#"[{"a":0.12345678901234567890}]"#, "\"0.12345678901234567890\" in line 1 of t.json would lose digits"),
      ("{\"a\":\"x\"}\n{\"a\":-1e400}", "\"-1e400\" in line 2 of t.json exceeds the largest number"),
    ])
  func unstorableNumber(json: String, reason: String) async throws {
    let workshop = try Workshop()
    try workshop.write(json, to: "t.json")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "t.json"])
    #expect(outcome.messages.hasPrefix("note: a is text, because \(reason)\n"), "\(outcome.messages)")
  }

  @Test(
    "refuses what is not JSON or no row, with its place",
    arguments: [
      ("[{\"a\":1},\n {\"a\":}]", "line 2, column 7: expected a value, found `}`"),
      ("[{\"a\":1},]", "line 1, column 10: expected an object, such as {\"id\": 1}, found `]`"),
      ("[{\"a\":1}", "line 1, column 9: the file ends within the array"),
      ("[{\"a\":1", "line 1, column 8: the file ends within an object"),
      ("[{\"é\":1} 2]", "line 1, column 10: expected `,` or `]`, found `2`"),
      ("[{\"a\":1}] x", "line 1, column 11: expected the end of the file, found `x`"),
      ("[1]", "line 1, column 2: expected an object, such as {\"id\": 1}, found `1`"),
      ("{\"a\":1,\"a\":2}", "line 1, column 8: the name \"a\" occurs twice"),
      ("{\"a\":01}", "line 1, column 6: a number has a leading zero"),
      ("{\"a\":1.}", "line 1, column 8: expected a digit, found `}`"),
      ("{\"a\":\"x\ny\"}", "line 1, column 8: a string contains an unescaped control character"),
      ("{\"a\":\"\\ud83d\"}", "line 1, column 7: half of a surrogate pair is not a character"),
      ("{\"a\":\"\\x\"}", "line 1, column 7: this is not an escape"),
      ("{\"a\":[1,]}", "line 1, column 9: expected a value, found `]`"),
      ("{'a':1}", "line 1, column 2: expected a name"),
      ("{\"a\":NaN}", "line 1, column 6: expected a value, found `NaN`"),
      ("{\"a\\u0000b\":1}", "line 1: the name \"a␀b\" contains a NUL"),
      ("[]", " has no object with a column"),
      ("", " has no object with a column"),
    ])
  func refusal(json: String, message: String) async throws {
    let workshop = try Workshop()
    try workshop.write(json, to: "t.json")
    let outcome = try await workshop.run(["import", "t.sqlite", "t", "t.json"])
    #expect(outcome.status == 1)
    let place = message.hasPrefix("line") ? "t.json, " : message.hasPrefix(" ") ? "t.json" : "t.json: "
    #expect(outcome.messages.hasPrefix("error: \(place)\(message)"), "\(outcome.messages)")
    #expect(try workshop.files() == ["t.json"])
  }

  @Test("adds objects to a table, whatever the order of their names")
  func append() async throws {
    let workshop = try await Workshop.withPokemon()
    let more = #"{"weight":9,"id":7,"name":"Squirtle","japanese_name":"ゼニガメ","type1":"water"}"#
    #expect(
      try await workshop.run(["import", "p.sqlite", "pokemon", "-", "--append", "--from", "ndjson"], input: more)
        == Outcome(status: 0, output: "", messages: "appended 1 row to pokemon\n"))
    for (json, message) in [
      (#"{"id":8,"nmae":"x"}"#, "line 1, column 9: no column nmae in pokemon\n  did you mean name?"),
      (#"{"id":8}"#, "line 1, in name: the field is empty\n  name may not be null"),
      (
        #"{"id":1.5,"name":"x","japanese_name":"x","type1":"x","weight":1}"#,
        "line 1, in id: \"1.5\" is not a whole number"
      ),
      (
        #"{"id":8,"name":"x","japanese_name":"x","type1":"x","weight":"heavy"}"#,
        "line 1, in weight: \"heavy\" is not a number"
      ),
    ] {
      let outcome = try await workshop.run(
        ["import", "p.sqlite", "pokemon", "-", "--append", "--from", "json"], input: json)
      #expect(outcome.messages.hasPrefix("error: standard input, \(message)"), "\(outcome.messages)")
      #expect(outcome.status == 1)
    }
  }

  @Test("writes each object by its own names, and true and false to texts as these words")
  func ownNames() async throws {
    let workshop = try Workshop()
    try workshop.execute("t.sqlite", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT DEFAULT 'd')")
    let objects = """
      {"id":1,"a":true,"b":"x"}
      {"id":2,"a":false}
      {"id":3,"b":null}
      {"id":4,"a":"y","b":"z"}
      """
    let outcome = try await workshop.run(
      ["import", "t.sqlite", "t", "-", "--append", "--from", "ndjson"], input: objects)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "--format", "csv"]).output
        == "id,a,b\n1,true,x\n2,false,d\n3,,\n4,y,z\n")
  }

  @Test("leaves out bad lines, and goes on behind them")
  func skipping() async throws {
    let workshop = try Workshop()
    try workshop.write("{\"a\":1}\n{\"a\":}\nfoo\n{\"a\":2,\"a\":3}\n{\"a\":4}\n{\"a\":5", to: "t.ndjson")
    #expect(
      try await workshop.run(["import", "t.sqlite", "t", "t.ndjson", "--skip-bad"])
        == Outcome(
          status: 0, output: "",
          messages: """
            skipped: t.ndjson, line 2, column 6: expected a value, found `}`
            skipped: t.ndjson, line 3, column 1: expected an object, such as {"id": 1}, found `foo`
            skipped: t.ndjson, line 4, column 8: the name "a" occurs twice
            skipped: t.ndjson, line 6, column 7: the file ends within an object
            skipped 4 bad rows
            imported 2 rows into t (new table: a integer)

            """))
  }

  @Test("reads an object that is larger than what is in memory at once")
  func large() async throws {
    let workshop = try Workshop()
    let long = String(repeating: "é\\n", count: 300_000)
    try workshop.write("[{\"a\":1,\"b\":\"\(long)\"},{\"a\":2,\"b\":\"x\"}]", to: "t.json")
    #expect(try await workshop.run(["import", "t.sqlite", "t", "t.json", "--key", "a"]).status == 0)
    #expect(
      try await workshop.run(["query", "t.sqlite", "t", "a = 1", "--format", "json"]).output.utf8.count
        == long.utf8.count + "[\n{\"a\":1,\"b\":\"\"}\n]\n".utf8.count)
  }
}
