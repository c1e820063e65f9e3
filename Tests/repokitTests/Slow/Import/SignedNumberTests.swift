import TestSupport
import Testing

@Suite("Numbers with a sign around them")
struct SignedNumberTests {
  @Test(
    "stay texts until an option names their column, which a note says", .tags(.slow),
    arguments: [
      ("$1,234.50\n$5.00", "--numbers a with --thousands-comma", ["1234.5", "5.0"]),
      ("5 EUR\n-7.5 EUR", "--numbers a", ["5.0", "-7.5"]), ("CHF 5\nCHF 6", "--numbers a", ["5", "6"]),
      ("12%\n12.5 %", "--numbers a", ["12.0", "12.5"]), ("(5)\n7", "--numbers a", ["-5", "7"]),
      ("100\n(50)", "--numbers a", ["100", "-50"]), ("$(5)\n-$6", "--numbers a", ["-5", "-6"]),
      ("1.\n2.5", "--numbers a", ["1.0", "2.5"]),
      ("5-\n6", "--numbers a", ["-5", "6"]), ("£5\n€6", nil, []), ("100\n$6", "--numbers a", ["100", "6"]),
      ("5\n6%", nil, []), ("ABC5\nABC6", nil, []),
      ("CHF 5.-\nCHF -6.–", "--numbers a", ["5", "-6"]), ("5,- Kč\n(6,—) Kč", "--numbers a", ["5", "-6"]),
      ("5 €\n0\n7", "--numbers a", ["5", "0", "7"]),
      ("5,00 €\n-   €\n(3,00) €", "--numbers a with --decimal-comma", ["5.0", "0.0", "-3.0"]),
      ("$5\n$ -\n -$ ", "--numbers a", ["5", "0", "0"]), ("€5\n–€\n€(6)", "--numbers a", ["5", "0", "-6"]),
      ("12%\n0\n5", nil, []), ("12%\n0", "--numbers a", ["12", "0"]), ("5 €\n-", nil, []), ("5 €\n-- €", nil, []),
      ("5 €\n(6 €", nil, []), ("5 €\n€(6) €", nil, []),
      ("5,- Kč\n-6,— Kč", "--numbers a", ["5", "-6"]), ("5.- CHF\n6.50 CHF", "--numbers a", ["5.0", "6.5"]),
      ("Fr. 1'234.-\nFr. 5.50", "--numbers a with --thousands-comma", ["1234.0", "5.5"]),
      ("1.234,- €\n5,50 €", "--numbers a with --decimal-comma", ["1234.0", "5.5"]),
      ("+5 €\n-6 €", "--numbers a", ["5", "-6"]), ("5.50.- €\n6 €", nil, []), ("5.-- €\n6 €", nil, []),
      ("5 €\n+-5 €", nil, []), ("5 €\n++6 €", nil, []), ("5 €\n-+6 €", nil, []), ("5 €\n(+6 €)", nil, []),
      ("5 €\n+6- €", nil, []), ("5 €\nCHF.-", nil, []), ("(-5)\n(6)", nil, []), ("$\n$5", nil, []),
      ("$5\nn/a", nil, []),
    ] as [(String, String?, [String])])
  func columns(rows: String, options: String?, values: [String]) async throws {
    let workshop = try Workshop()
    let fields = rows.split(separator: "\n").map { "\"\($0)\"" }
    try workshop.write("a,b\n" + fields.map { "\($0),x\n" }.joined(), to: "a.csv")
    let plain = try await workshop.run(["import", "x.sqlite", "plain", "a.csv"])
    #expect(plain.messages.contains("new table: a text"), "\(plain)")
    guard let options else {
      #expect(!plain.messages.contains("--numbers"), "\(plain)")
      return
    }
    let example = fields.first { !$0.contains("100") } ?? ""
    #expect(
      plain.messages.hasPrefix("note: a is text; \(options) reads the numbers, such as \(example) in line "), "\(plain)"
    )
    let words = options.split(separator: " ").map(String.init).filter { $0 != "with" }
    let read = try await workshop.run(["import", "x.sqlite", "t", "a.csv"] + words)
    #expect(read.status == 0 && !read.messages.contains("a text"), "\(read)")
    #expect(try await workshop.lines("t", "a", in: "x.sqlite") == values)
  }

  @Test("have the comma of their country, and one unit in a column")
  func units() async throws {
    let workshop = try Workshop()
    try workshop.write("kunde;umsatz\nAnn;1.234,50 €\nBob;-5,00 €\n", to: "de.csv")
    let german = ["import", "x.sqlite", "de", "de.csv", "--numbers", "umsatz", "--decimal-comma"]
    #expect(try await workshop.run(german).status == 0)
    #expect(try await workshop.lines("de", "umsatz", in: "x.sqlite") == ["1234.5", "-5.0"])
    try workshop.write("a,b\n$5,1\n€6,2\n", to: "two.csv")
    let mixed = try await workshop.run(["import", "x.sqlite", "two", "two.csv", "--numbers", "a"])
    #expect(
      mixed.messages.hasPrefix(
        "error: two.csv, line 3: \"€6\" in a has the unit €, but \"$5\" in line 2 of two.csv has the unit $\n  a column of numbers needs one unit: remove a from --numbers to keep the text, or split the column by unit\n"
      )
        && mixed.status == 1,
      "\(mixed)")
    for (text, reason) in [
      ("n/a", "remove a from --numbers to keep the text"),
      ("$1,000", "--thousands-comma or --decimal-comma reads the number"),
    ] {
      try workshop.write("a,b\n$5,1\n\"\(text)\",2\n", to: "text.csv")
      let refused = try await workshop.run(["import", "x.sqlite", "text", "text.csv", "--numbers", "a"])
      #expect(
        refused.messages == "error: text.csv, line 3: \"\(text)\" in a is not a number\n  \(reason)\n"
          && refused.status == 1,
        "\(refused)")
    }
    let unknown = try await workshop.run(["import", "x.sqlite", "two", "two.csv", "--numbers", "c"])
    #expect(
      unknown.messages.hasPrefix("error: --numbers: no column c in two.csv\n") && unknown.status == 2, "\(unknown)")
    #expect(
      try await workshop.run(["query", "de.csv", "umsatz > 0", "--numbers", "umsatz", "--decimal-comma"]).status == 0)
  }

  @Test(
    "have one unit in all files of a column", .tags(.slow),
    arguments: [
      ("$5", "6 €", "\"6 €\" in a has the unit €, but \"$5\" in line 2 of 1.csv has the unit $"),
      ("0.5", "6 %", "\"6 %\" in a has the unit %, but \"0.5\" in line 2 of 1.csv has no unit"),
      ("6%", "5", "\"5\" in a has no unit, but \"6%\" in line 2 of 1.csv has the unit %"), ("5 €", "6 €", nil),
      ("5", "6 €", nil), ("0", "6%", nil), ("-  €", "0", nil),
    ] as [(String, String, String?)])
  func unitsOfFiles(first: String, second: String, problem: String?) async throws {
    let workshop = try Workshop()
    try workshop.write("a,b\n\(first),1\n", to: "1.csv")
    try workshop.write("b,a\n1,\(second)\n", to: "2.csv")
    try workshop.execute("x.sqlite", "CREATE TABLE old (a REAL, b INTEGER)")
    for arguments in [["t", "1.csv", "2.csv"], ["old", "1.csv", "2.csv", "--append"]] {
      let outcome = try await workshop.run(["import", "x.sqlite"] + arguments + ["--numbers", "a"])
      #expect(outcome.status == (problem == nil ? 0 : 1), "\(outcome)")
      if let problem { #expect(outcome.messages.hasPrefix("error: 2.csv, line 2: \(problem)\n"), "\(outcome)") }
    }
    #expect(try await workshop.run(["count", "x.sqlite", "old"]).output == (problem == nil ? "2\n" : "0\n"))
  }

  @Test(
    "are added to a column of numbers by their option, with a note about their unit", .tags(.slow),
    arguments: [
      ("6 $", "--numbers a reads the number, if the existing rows have the unit $ too", "the unit $"),
      ("(6)", "--numbers a reads the number", nil), ("n/a", nil, nil),
    ] as [(String, String?, String?)])
  func addedNumbers(text: String, advice: String?, unit: String?) async throws {
    let workshop = try Workshop()
    try workshop.write("a\n\(text)\n", to: "2.csv")
    let start = try await workshop.run(["import", "x.sqlite", "t", "-"], input: "a\n5\n")
    #expect(start.status == 0)
    let refused = try await workshop.run(["import", "x.sqlite", "t", "2.csv", "--append"])
    // A text among numbers is no reason to make all of them texts.
    #expect(advice.map { refused.messages.hasSuffix("\n  \($0)\n") } ?? !refused.messages.contains("--"), "\(refused)")
    let added = try await workshop.run(["import", "x.sqlite", "t", "2.csv", "--append", "--numbers", "a"])
    #expect(added.status == (text == "n/a" ? 1 : 0), "\(added)")
    let note = unit.map {
      "note: a of t stores numbers without a unit, but the numbers of 2.csv have \($0), such as \"\(text)\" in line 2\n"
    }
    if added.status == 0 { #expect(added.messages == (note ?? "") + "appended 1 row to t\n") }
  }

  @Test("are beside rows without a value at the end, which are told and left out")
  func emptyRows() async throws {
    let workshop = try Workshop()
    try workshop.write("a,b\n1,x\n,\n2,y\n,\n,\n", to: "a.csv")
    let plain = try await workshop.run(["import", "x.sqlite", "plain", "a.csv"])
    #expect(
      plain.messages
        == "note: the last 2 records of a.csv have no value and become rows of nulls; --pad skips the records\nimported 5 rows into plain (new table: a integer, b text)\n"
    )
    let padded = try await workshop.run(["import", "x.sqlite", "padded", "a.csv", "--pad"])
    #expect(
      padded.messages
        == "note: skipped 3 records of a.csv without a value\nimported 2 rows into padded (new table: a integer, b text)\n"
    )
    try workshop.write("b,a\n,\ny,3\n", to: "b.csv")
    let appended = try await workshop.run(["import", "x.sqlite", "padded", "b.csv", "--append", "--pad"])
    #expect(
      appended.messages == "note: skipped 1 record of b.csv without a value\nappended 1 row to padded\n")
  }

  @Test("are beside objects without a value, for which no option of delimited text is advised")
  func emptyObjects() async throws {
    let workshop = try Workshop()
    try workshop.write("{\"a\":1,\"b\":\"x\"}\n{\"a\":null,\"b\":null}\n", to: "a.ndjson")
    let outcome = try await workshop.run(["import", "x.sqlite", "t", "a.ndjson"])
    #expect(outcome.messages == "imported 2 rows into t (new table: a integer, b text)\n")
  }
}
