import TestSupport
import Testing

@Suite("An import of a file with another layout than a header and rows")
struct ImportLayoutTests {
  @Test("name many columns with the same reason in one note")
  func manyColumns() async throws {
    let workshop = try Workshop()
    let rows = "a,b,c,d,e\n1,1,1,1,1\n2,2,2,2,x\nq,r,s,t,3\n"
    #expect(
      try await workshop.run(["import", "t.sqlite", "t", "-"], input: rows).messages.hasPrefix(
        """
        note: 5 columns are text because of values that are not numbers, such as "q" in line 4 of standard input; \
        the columns are a, b, c, d, e
        imported 3 rows
        """))
    let numbers = "a;b;c;d\n1,5;2,5;3,5;4,5\n1,5;2,5;3,5;4,5\n"
    #expect(
      try await workshop.run(["import", "t.sqlite", "u", "-"], input: numbers).messages.contains(
        """
        note: 4 columns are text; --decimal-comma reads the numbers, such as "1,5" in line 2 of standard input; \
        the columns are a, b, c, d

        """))
  }

  @Test("notes a first line that looks like a row")
  func header() async throws {
    let cases = [
      ("1,2,3\n4,5,6\n", "\"1\""), ("id,\\N\n4,5\n", "\"\\N\""), ("12.5,Ash\n1,Misty\n", "\"12.5\""),
      ("2024-01-01 ERROR foo\n2024-01-02 ERROR\n", "\"2024-01-01 ERROR foo\""),
      ("[10/Oct/2000:13:55:36 -0700],x\n1,2\n", "\"[10/Oct/2000:13:55:36 -0700]\""),
      ("12:30:00,x\n1,2\n", "\"12:30:00\""), ("price in 2024-01,x\n1,2\n", nil),
      ("id,name\n1,2\n", nil), ("country,2019,2020\nDE,1,2\n", nil), ("a1,b 2\n1,2\n", nil),
    ]
    let workshop = try Workshop()
    for (text, name) in cases {
      let outcome = try await workshop.run(["import", "x.db", "t", "-", "--replace"], input: text)
      let note = name.map {
        "note: the header of standard input has the value \($0); --no-header reads the first line as a row\n"
      }
      #expect(outcome.messages.hasPrefix(note ?? "imported 1 row"), "\(outcome.messages)")
      let withoutHeader = try await workshop.run(["import", "x.db", "t", "-", "--replace", "--no-header"], input: text)
      #expect(withoutHeader.messages.contains("imported 2 rows"), "\(withoutHeader.messages)")
    }
  }

  @Test("reads the texts of --null as null, and names the words that keep columns of numbers from being numbers")
  func nulls() async throws {
    let workshop = try Workshop()
    let text = "id,a,b,c,d,name\n1,NA,-,,x,NA\n2,1,2.5,\"\",NA,b\n3,2,-,7,1,c\n4,N/A,1,8,y,-\n"
    let plain = try await workshop.run(["import", "x.db", "t", "-"], input: text)
    #expect(
      plain.messages == """
        note: a, b, c are text because of "",-,N/A,NA; --null '"",-,N/A,NA' reads these texts as null
        imported 4 rows into t (new table: id integer, a text, b text, c text, d text, name text)

        """)
    let read = try await workshop.run(["import", "x.db", "u", "-", "--null=-,N/A,NA,\"\""], input: text)
    #expect(
      read.messages
        == "imported 4 rows into u (new table: id integer, a integer, b real, c integer, d text, name text)\n")
    let rows = try await workshop.run(["query", "x.db", "u", "--format", "csv"])
    #expect(rows.output == "id,a,b,c,d,name\n1,,,,x,\n2,1,2.5,,,b\n3,2,,7,1,c\n4,,1.0,8,y,\n")
    let four = try await workshop.run(["import", "x.db", "v", "-"], input: "a,b,c,d\n1,1,1,1\n?,?,?,?\n")
    #expect(four.messages.hasPrefix("note: 4 columns are text because of ?; --null '?' reads ? as null\n"))
    // Not a column of texts with a few numbers, such as streets.
    let titles = try await workshop.run(["import", "x.db", "w", "-"], input: "title\n10 Street\n300\nLife\n12\nUp\n")
    #expect(titles.messages == "imported 5 rows into w (new table: title text)\n")
  }

  @Test("removes blanks around names and fields with --trim, and skips the last lines with --skip-end")
  func trimming() async throws {
    let workshop = try Workshop()
    let text = " id , name ,x\n 1 , a b ,\t\n2,\"  \", 5\n\nTotal,2\n \n"
    let trimmed = try await workshop.shell(
      "printf '%s' '\(text)' | $repokit import x.db t - --trim --skip-end 2 && $repokit query x.db t --format csv")
    #expect(trimmed.output == "id,name,x\n1,a b,\n2,\"\",5\n", "\(trimmed)")
    let unnamed = try await workshop.run(["import", "x.db", "u", "-", "--trim"], input: "id, ,x\n1,2,3\n")
    #expect(unnamed.status == 1 && unnamed.messages.contains("column 2 of the header has no name"), "\(unnamed)")
    let renamed = try await workshop.run(
      ["import", "x.db", "u", "-", "--trim", "--rename-columns"], input: "id, ,x\n1,2,3\n")
    #expect(renamed.messages.hasSuffix("(new table: id integer, column2 integer, x integer)\n"), "\(renamed)")
    let json = try await workshop.run(["import", "x.db", "v", "-", "--from", "json"], input: #"[{"": 1}]"#)
    #expect(
      json.status == 1 && json.messages.hasPrefix("error: standard input has a column without a name\n"), "\(json)")
    for (count, rows) in [("0", "5"), ("1", "4"), ("3", "1"), ("4", "0"), ("9", nil)] as [(String, String?)] {
      let outcome = try await workshop.shell(
        "printf 'id\\n1\\n2\\n\\n3\\r\\n4' > a.csv; $repokit import x.db w a.csv --skip-end \(count) --replace "
          + "&& $repokit count x.db w")
      #expect(rows.map { outcome.output == "\($0)\n" } ?? (outcome.status != 0), "\(count) \(outcome)")
    }
  }

  @Test("finds the header below lines of another kind")
  func title() async throws {
    let rows = "Date;Text;Amount\n2024-01-01;a;1\n2024-01-02;b;2\n2024-01-03;c;3\n2024-01-04;d;4\n"
    let cases = [
      ("Report\n", 1, "line 1 differs"),
      ("Account;DE12\nFrom;2024-01-01\nTo;2024-01-31\n", 3, "the lines above differ"),
      ("Account;DE12\n\nBalance of all;1\nx\n", 4, "the lines above differ"),
      (String(repeating: "a line of terms\n", count: 20), 20, "the lines above differ"),
    ]
    let workshop = try Workshop()
    for (title, count, words) in cases {
      let outcome = try await workshop.run(["import", "x.db", "t", "-", "--replace"], input: title + rows)
      #expect(
        outcome.messages.hasPrefix(
          "error: standard input: from line \(count + 1) on, the lines have 3 fields, separated by semicolons; \(words)\n"
            + "  --skip-lines \(count) skips "), "\(outcome.messages)")
      let again = try await workshop.run(
        ["import", "x.db", "t", "-", "--skip-lines", "\(count)", "--replace"], input: title + rows)
      #expect(again.messages.contains("imported 4 rows into t (new table: Date text, Text text, Amount integer"))
    }
  }

  @Test("takes the table's name from the file")
  func names() async throws {
    let workshop = try Workshop()
    for name in ["jan", "feb"] { try workshop.write("id\n1\n", to: "\(name).csv") }
    let one = try await workshop.run(["import", "a.db", "jan.csv"])
    #expect(one.messages == "imported 1 row into jan (new table: id integer)\n")
    let two = try await workshop.run(["import", "b.db", "jan.csv", "feb.csv"])
    #expect(two.status == 2 && two.messages.hasPrefix("error: jan.csv is a file, and TABLE is missing\n"))
    let input = try await workshop.run(["import", "b.db", "-"], input: "id\n1\n")
    #expect(input.status == 2 && input.messages.hasPrefix("error: TABLE is missing\n"))
    let each = try await workshop.shell(
      "mkdir rows && cp jan.csv feb.csv rows && echo x > rows/readme.txt && $repokit import b.db --table-per-file rows "
        + "&& $repokit tables b.db --format csv")
    #expect(
      each.messages
        == "imported 1 row into feb (new table: id integer)\nimported 1 row into jan (new table: id integer)\n")
    #expect(each.output.contains("feb,table,1") && each.output.contains("jan,table,1"))
    for (arguments, message) in [
      (["rows"], "rows is a directory, not a CSV file\n  --table-per-file imports"),
      (["--table-per-file", "rows", "jan.csv"], "rows/jan.csv and jan.csv have the same table name, jan"),
      (["--table-per-file", "jan.csv", "--append"], "--table-per-file and --append can't be combined"),
    ] {
      let outcome = try await workshop.run(["import", "c.db"] + arguments)
      #expect(outcome.status != 0 && outcome.messages.hasPrefix("error: \(message)"), "\(outcome.messages)")
    }
  }
}
