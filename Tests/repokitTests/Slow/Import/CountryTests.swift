import Testing

@Suite("Files of spreadsheets of several countries")
struct CountryTests {
  @Test("have dates and numbers of their own")
  func dates() async throws {
    let workshop = try Workshop()
    try workshop.write(
      "Kunde;Umsatz;Datum\nMüller;1.234,50;05.03.2024\nJäger;-99,00;17.12.2023 8:30\nEgger;1'000,5;\n", to: "de.csv")
    let german = ["import", "x.sqlite", "de", "de.csv", "--decimal-comma", "--date-order", "dmy"]
    #expect(try await workshop.run(german).messages.hasSuffix("(new table: Kunde text, Umsatz real, Datum text)\n"))
    #expect(
      try await workshop.lines("de", "Umsatz,Datum", in: "x.sqlite")
        == ["1234.5\t2024-03-05", "-99.0\t2023-12-17 08:30", "1000.5\t\\N"])
    try workshop.write("Client,Montant\nDupont,\"1\u{202F}234,50\"\nNoël,\"2\u{A0}000\"\nBrel,3 000\n", to: "fr.csv")
    _ = try await workshop.run(["import", "x.sqlite", "fr", "fr.csv", "--decimal-comma"])
    #expect(try await workshop.lines("fr", "Montant", in: "x.sqlite") == ["1234.5", "2000.0", "3000.0"])
    let wrong = try await workshop.run(["import", "x.sqlite", "us", "de.csv", "--date-order", "mdy"])
    #expect(
      wrong.messages.contains(
        """
        error: de.csv, line 3: 17.12.2023 8:30 in Datum is not a date in the order mdy
          d is the day, m the month, y the year: dmy, mdy or ymd

        """), "\(wrong)")
  }

  @Test("have columns that look like dates here and there, and stay as they are")
  func noDates() async throws {
    let workshop = try Workshop()
    try workshop.write(
      "version,day,phone,checked\n10.4.19,31.12.2024,123-45-6789,2024-05-06\n10.11,,987-65-4321,7.5.2024\n", to: "v.csv"
    )
    let command = ["import", "x.sqlite", "v", "v.csv", "--date-order", "dmy"]
    let outcome = try await workshop.run(command)
    #expect(
      outcome.messages.contains(
        "note: version stays text, including \"10.4.19\", because \"10.11\" in line 3 of v.csv is not a date\n"),
      "\(outcome)")
    let rows = ["10.4.19\t2024-12-31\t123-45-6789\t2024-05-06", "10.11\t\\N\t987-65-4321\t2024-05-07"]
    #expect(try await workshop.lines("v", "version,day,phone,checked", in: "x.sqlite") == rows)
    // A column is one of dates in all files, or in none.
    try workshop.write("version,day,phone,checked\n1.2.03,1.1.2024,,1.1.2024\n", to: "w.csv")
    #expect(
      try await workshop.run(["import", "x.sqlite", "both", "w.csv", "v.csv", "--date-order", "dmy"]).status == 0)
    #expect(
      try await workshop.lines("both", "version,day", in: "x.sqlite")
        == ["1.2.03\t2024-01-01", "10.4.19\t2024-12-31", "10.11\t\\N"])
    let appended = try await workshop.run(["import", "x.sqlite", "v", "v.csv", "--append", "--date-order", "dmy"])
    #expect(appended.status == 0 && appended.messages.contains("note: version stays text"), "\(appended)")
    #expect(try await workshop.lines("v", "version,day,phone,checked", in: "x.sqlite") == rows + rows)
  }

  @Test(
    "name the option by which a column of texts is one of numbers or dates",
    arguments: [
      ("a;b\n1;1.234,50\n2;-3,5\n", "b is text; --decimal-comma reads the numbers, such as \"1.234,50\" in line 2"),
      ("a;b\n1;12\n2;1,5\n", "b is text; --decimal-comma reads the numbers, such as \"1,5\" in line 3"),
      (
        "a,b\n1,\"1,234.50\"\n2,12.5\n",
        "b is text; --thousands-comma reads the numbers, such as \"1,234.50\" in line 2"
      ),
      (
        "a,b\n1,\"1,200\"\n2,300\n",
        "b is text; --thousands-comma or --decimal-comma reads the numbers, such as \"1,200\" in line 2"
      ),
      (
        "a,b\n1,31.12.2024\n2,01.02.2025\n",
        "b is text; --date-order dmy reads the dates, such as \"31.12.2024\" in line 2"
      ),
      (
        "a,b\n1,1/2/2025\n2,3/4/2025\n",
        "b is text; --date-order dmy or mdy reads the dates, such as \"1/2/2025\" in line 2"
      ),
      ("a,b\n1,1.5\n2,\"2,5\"\n", "b is text, because \"2,5\" in line 3"),
    ])
  func advice(file: String, note: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "x.sqlite", "t", "-"], input: file)
    #expect(outcome.messages.contains("note: \(note) of standard input"), "\(outcome)")
  }

  @Test(
    "name the one value for which a column is not one of numbers or dates, and numbers that may be a thousand times as many",
    arguments: [
      (
        "p,v\n$5.00,1\nfree,2\n$7.00,3\n", [],
        "p is text, because \"free\" in line 3 of standard input is not a number like \"$5.00\" in line 2 of standard input"
      ),
      (
        "a;b\n1;offen\n2;5,50\n3;6,00\n", [],
        "b is text, because \"offen\" in line 2 of standard input is not a number like \"5,50\" in line 3 of standard input"
      ),
      (
        "a;b\n1;offen\n2;5,50\n3;6,00\n", ["--decimal-comma"],
        "b is text, because \"offen\" in line 2 of standard input is not a number"
      ),
      (
        "a,b\n1,31.12.2024\n2,soon\n3,1.1.2025\n", [],
        "b is text, because \"soon\" in line 3 of standard input is not a date like \"31.12.2024\" in line 2 of standard input"
      ),
      (
        "a;b\nx;1.234\ny;12.000\n", [],
        "b is real, so 1.234 is a little more than 1; with --decimal-comma, the point separates thousands"
      ),
      ("a;b\nx;1.234\ny;12.5\n", [], nil), ("a,b\nx,1.234\n", [], nil), ("a;b\nx;0.234\n", [], nil),
      ("a;b\nx;+49 170 123 456\n", ["--decimal-comma"], nil), ("a,b\nx,+4930123456\n", [], nil),
      ("a,b\nx,2024-01-02T10:00:00Z\n", [], nil), ("a,b\n1,x\n2,y\n3,$5\n4,$6\n", [], nil),
    ] as [(String, [String], String?)])
  func misfits(file: String, options: [String], note: String?) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "x.sqlite", "t", "-"] + options, input: file)
    let told = outcome.messages.split(separator: "\n").filter { $0.hasPrefix("note: b") || $0.hasPrefix("note: p") }
    #expect(told.map(String.init) == (note.map { ["note: \($0)"] } ?? []), "\(outcome)")
  }

  @Test(
    "A telephone number stays a text however its digits are grouped", arguments: ["+49 170 123 456", "+49.170.123.456"])
  func telephones(number: String) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(
      ["import", "x.sqlite", "t", "-", "--decimal-comma"], input: "a;b\n1;\(number)\n")
    #expect(outcome.messages.contains("b text"), "\(outcome)")
    #expect(try await workshop.lines("t", "b", in: "x.sqlite") == [number])
  }

  @Test(
    "name no option where none reads the whole column, or where it is said what its values are",
    arguments: [
      ("a,b\n1,2024-12-31\n2,2025-01-01\n", []), ("a,b\n1,\"1,5\"\n2,x\n", []), ("a,b\n1,31.12.2024\n2,soon\n", []),
      ("a,b\n1,\"1,5\"\n", ["--types", "b=text"]), ("a,b\n1,\"1,5\"\n", ["--decimal-comma"]),
      ("a,b\n1,192.168.1.1\n", []),
    ] as [(String, [String])])
  func noAdvice(file: String, options: [String]) async throws {
    let workshop = try Workshop()
    let outcome = try await workshop.run(["import", "x.sqlite", "t", "-"] + options, input: file)
    #expect(outcome.status == 0 && !outcome.messages.contains("note: b"), "\(outcome)")
  }

  @Test("name their delimiter in a line before the names, and may be UTF-16 without a mark")
  func starts() async throws {
    let workshop = try Workshop()
    for (number, options) in [[], ["--delimiter", ";"], ["--skip-lines", "1"]].enumerated() {
      let outcome = try await workshop.run(
        ["import", "x.sqlite", "t\(number)", "-"] + options, input: "\u{FEFF}sep=;\r\nid;a,b\r\n1;x\r\n")
      #expect(outcome.status == 0, "\(outcome)")
      #expect(try await workshop.lines("t\(number)", "id", in: "x.sqlite") == ["1"])
    }
    let alone = try await workshop.run(["import", "x.sqlite", "alone", "-", "--delimiter", ","], input: "sep=;")
    #expect(alone.messages.contains("new table: sep=; text"), "\(alone)")
    for (order, start) in [("le", [0x69, 0]), ("be", [0, 0x69])] as [(String, [UInt8])] {
      let text = Array("id,name\n1,é\n".utf16).flatMap { unit in
        order == "le" ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      }
      #expect(text.starts(with: start))
      try workshop.write(text, to: "\(order).csv")
      let refused = try await workshop.run(["import", "x.sqlite", order, "\(order).csv"])
      #expect(
        refused.status == 2 && refused.messages.contains("  --encoding utf-16\(order) reads the file\n"), "\(refused)")
      _ = try await workshop.run(["import", "x.sqlite", order, "\(order).csv", "--encoding", "utf-16\(order)"])
      #expect(try await workshop.lines(order, "name", in: "x.sqlite") == ["é"])
    }
    let title = try await workshop.run(["import", "x.sqlite", "title", "-"], input: "Sales,\nid,name\n1,x\n")
    #expect(title.messages.contains("  --skip-lines skips lines before the header, such as a title\n"), "\(title)")
  }

  @Test("have signs, blanks and thousands")
  func numbers() async throws {
    let workshop = try Workshop()
    let file = "a,b,c,d\n+5,\u{A0}12,\"1,234.5\",+491711234\n-5, 13,\"-1,000,000\",+442079460\n"
    let outcome = try await workshop.run(["import", "x.sqlite", "t", "-", "--thousands-comma"], input: file)
    #expect(outcome.messages.hasSuffix("(new table: a integer, b integer, c real, d text)\n"), "\(outcome)")
    #expect(
      try await workshop.lines("t", "a,b,c,d", in: "x.sqlite")
        == ["5\t12\t1234.5\t+491711234", "-5\t13\t-1000000.0\t+442079460"])
  }

  @Test("are told of where their dates are compared as texts")
  func note() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "x.sqlite", "t", "-"], input: "id,day\n1,17.12.2023\n2,05.03.2024\n")
    let outcome = try await workshop.run(["count", "x.sqlite", "t", "day > '2024-01-01'"])
    #expect(outcome.messages.hasPrefix("note: day contains dates such as '17.12.2023', which compare as text;"))
  }

  @Test("have names and mails in any case")
  func groups() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "x.sqlite", "t", "-"], input: "id,mail\n1,a@x.org\n2,A@X.org\n3,é\n4,É\n")
    let outcome = try await workshop.run(["group", "x.sqlite", "t", "--by", "mail ignoring case", "--count"])
    #expect(outcome.output == "folded(mail)\tcount\na@x.org\t2\né\t2\n")
  }
}
