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
    try workshop.write("Client,Montant\nDupont,\"1\u{202F}234,50\"\nNoël,\"2\u{A0}000\"\n", to: "fr.csv")
    _ = try await workshop.run(["import", "x.sqlite", "fr", "fr.csv", "--decimal-comma"])
    #expect(try await workshop.lines("fr", "Montant", in: "x.sqlite") == ["1234.5", "2000.0"])
    let wrong = try await workshop.run(["import", "x.sqlite", "us", "de.csv", "--date-order", "mdy"])
    #expect(
      wrong.messages.contains(
        """
        error: de.csv, line 3: 17.12.2023 8:30 in Datum is no date in the order mdy
          d is the day, m the month and y the year: dmy, mdy or ymd

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
        "note: version stays as it is, \"10.4.19\" too, because \"10.11\" in line 3 of v.csv is no date\n"),
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
    #expect(appended.status == 0 && appended.messages.contains("note: version stays as it is"), "\(appended)")
    #expect(try await workshop.lines("v", "version,day,phone,checked", in: "x.sqlite") == rows + rows)
  }

  @Test("are told of where their dates are compared as texts")
  func note() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "x.sqlite", "t", "-"], input: "id,day\n1,17.12.2023\n2,05.03.2024\n")
    let outcome = try await workshop.run(["count", "x.sqlite", "t", "day > '2024-01-01'"])
    #expect(outcome.messages.hasPrefix("note: the dates of day are written as '17.12.2023', and compared as texts;"))
  }

  @Test("have names and mails in any case")
  func groups() async throws {
    let workshop = try Workshop()
    _ = try await workshop.run(["import", "x.sqlite", "t", "-"], input: "id,mail\n1,a@x.org\n2,A@X.org\n3,é\n4,É\n")
    let outcome = try await workshop.run(["group", "x.sqlite", "t", "--by", "mail ignoring case", "--count"])
    #expect(outcome.output == "folded(mail)\tcount\na@x.org\t2\né\t2\n")
  }
}
