import Query
import Testing
@testable import repokit

@Suite("Formats")
struct FormatTests {
  @Test("print a table that is aligned by the width of its characters")
  func table() throws {
    #expect(
      try printed(.table, Golden.columns, Golden.rows) == """
                          id  name            weight  note
        ────────────────────  ──────────────  ──────  ─────────
                           1  Bulbasaur          6.9  null
                           2  フシギソウ       100.0
         9223372036854775807  e\u{301}é               9e999  null
        -9223372036854775808  👨‍👩‍👧🇯🇵❤️          -9e999  a|b\\c<br>
                          -1  a␉b␊c␍␊d           0.1  ␛[31m␀␡\u{FFFD}
                           0  "quoted", 'so'    -0.0  x'00ff'
                        null  x''             5e-324  \u{FFFD}x\u{FFFD}

        """)
  }

  @Test("dim null in a table where that is possible, at the same place")
  func dimNull() throws {
    let rows: [[Value]] = [[.null, .null], [12345, "text"]]
    let columns = [ColumnHeading("number", isNumeric: true), ColumnHeading("x")]
    let dim = "\u{1B}[2mnull\u{1B}[0m"
    #expect(
      try printed(.table, columns, rows, Golden.escapes)
        == "number  x\n──────  ────\n  \(dim)  \(dim)\n 12345  text\n")
    let colorless = TextStyle(isTerminal: true, hasColor: false)
    #expect(try printed(.table, columns, rows, colorless) == "number  x\n──────  ────\n  null  null\n 12345  text\n")
  }

  @Test("print CSV")
  func csv() throws {
    #expect(
      try printed(.csv, Golden.columns, Golden.rows) == """
        id,name,weight,note
        1,Bulbasaur,6.9,
        2,フシギソウ,100.0,""
        9223372036854775807,e\u{301}é,9e999,null
        -9223372036854775808,👨‍👩‍👧🇯🇵❤️,-9e999,a|b\\c<br>
        -1,"a\tb\nc\r\nd",0.1,\u{1B}[31m\u{0}\u{7F}\u{9B}
        0,\"""quoted"", 'so'",-0.0,x'00ff'
        ,x'',5e-324,\u{202E}x\u{2028}

        """)
  }

  @Test("print lines of fields between tabs")
  func tsv() throws {
    #expect(
      try printed(.tsv, Golden.columns, Golden.rows) == """
        id\tname\tweight\tnote
        1\tBulbasaur\t6.9\t\\N
        2\tフシギソウ\t100.0\t
        9223372036854775807\te\u{301}é\t9e999\tnull
        -9223372036854775808\t👨‍👩‍👧🇯🇵❤️\t-9e999\ta|b\\\\c<br>
        -1\ta\\tb\\nc\\r\\nd\t0.1\t\u{1B}[31m\u{0}\u{7F}\u{9B}
        0\t"quoted", 'so'\t-0.0\tx'00ff'
        \\N\tx''\t5e-324\t\u{202E}x\u{2028}

        """)
  }

  static let objects = [
    #"{"id":1,"name":"Bulbasaur","weight":6.9,"note":null}"#,
    #"{"id":2,"name":"フシギソウ","weight":100.0,"note":""}"#,
    "{\"id\":9223372036854775807,\"name\":\"e\u{301}é\",\"weight\":\"Infinity\",\"note\":\"null\"}",
    #"{"id":-9223372036854775808,"name":"👨‍👩‍👧🇯🇵❤️","weight":"-Infinity","note":"a|b\\c<br>"}"#,
    #"{"id":-1,"name":"a\tb\nc\r\nd","weight":0.1,"note":"\u001b[31m\u0000\u007f\u009b"}"#,
    #"{"id":0,"name":"\"quoted\", 'so'","weight":-0.0,"note":"AP8="}"#,
    #"{"id":null,"name":"","weight":5e-324,"note":"\u202ex\u2028"}"#,
  ]

  @Test("print one JSON array")
  func json() throws {
    #expect(
      try printed(.json, Golden.columns, Golden.rows) == "[\n\(Self.objects.joined(separator: ",\n"))\n]\n")
  }

  @Test("print JSON objects, one a line")
  func ndjson() throws {
    #expect(
      try printed(.ndjson, Golden.columns, Golden.rows) == Self.objects.map { $0 + "\n" }.joined())
  }

  @Test("print a table in Markdown")
  func markdown() throws {
    #expect(
      try printed(.markdown, Golden.columns, Golden.rows) == """
        | id | name | weight | note |
        | ---: | --- | ---: | --- |
        | 1 | Bulbasaur | 6.9 | *null* |
        | 2 | フシギソウ | 100.0 |  |
        | 9223372036854775807 | e\u{301}é | 9e999 | null |
        | -9223372036854775808 | 👨‍👩‍👧🇯🇵❤️ | -9e999 | a\\|b\\\\c\\<br> |
        | -1 | a␉b<br>c<br>d | 0.1 | ␛[31m␀␡\u{FFFD} |
        | 0 | "quoted", 'so' | -0.0 | x'00ff' |
        | *null* | x'' | 5e-324 | \u{FFFD}x\u{FFFD} |

        """)
  }

  @Test("print a table in HTML")
  func html() throws {
    #expect(
      try printed(.html, Golden.columns, Array(Golden.rows[3...6])) == """
        <table>
        <thead>
        <tr><th style="text-align: right">id</th><th>name</th><th style="text-align: right">weight</th><th>note</th></tr>
        </thead>
        <tbody>
        <tr><td style="text-align: right">-9223372036854775808</td><td>👨‍👩‍👧🇯🇵❤️</td>\
        <td style="text-align: right">-9e999</td><td>a|b\\c&lt;br&gt;</td></tr>
        <tr><td style="text-align: right">-1</td><td>a␉b<br>c<br>d</td><td style="text-align: right">0.1</td>\
        <td>␛[31m␀␡\u{FFFD}</td></tr>
        <tr><td style="text-align: right">0</td><td>&quot;quoted&quot;, 'so'</td><td style="text-align: right">-0.0</td>\
        <td>x'00ff'</td></tr>
        <tr><td><i>null</i></td><td>x''</td><td style="text-align: right">5e-324</td><td>\u{FFFD}x\u{FFFD}</td></tr>
        </tbody>
        </table>

        """)
  }

  @Test("print INSERT statements")
  func sql() throws {
    let insert = #"INSERT INTO "a ""b""" ("id", "name", "weight", "note") VALUES "#
    let options = FormatOptions(table: "a \"b\"")
    #expect(
      try printed(.sql, Golden.columns, Array(Golden.rows.dropLast()), .plain, options) == """
        \(insert)(1, 'Bulbasaur', 6.9, NULL);
        \(insert)(2, 'フシギソウ', 100.0, '');
        \(insert)(9223372036854775807, 'e\u{301}é', 9e999, 'null');
        \(insert)((-9223372036854775807 - 1), '👨‍👩‍👧🇯🇵❤️', -9e999, 'a|b\\c<br>');
        \(insert)(-1, 'a\tb\nc' || char(13) || '\nd', 0.1, '\u{1B}[31m' || char(0) || '\u{7F}\u{9B}');
        \(insert)(0, '"quoted", ''so''', -0.0, x'00ff');

        """)
    let terminal = TextStyle(isTerminal: true, hasColor: false)
    #expect(
      try printed(.sql, Golden.columns, [Golden.rows[4]], terminal, options)
        == insert + "(-1, 'a' || char(9) || 'b' || char(10) || 'c' || char(13, 10) || 'd', 0.1, "
        + "char(27) || '[31m' || char(0, 127, 155));\n")
  }

  @Test(
    "print bytes as they are wanted",
    arguments: [
      (.csv, nil, "b\nx'00ff'\n"), (.csv, .hex, "b\nx'00ff'\n"), (.csv, .base64, "b\nAP8=\n"),
      (.tsv, .base64, "b\nAP8=\n"), (.table, .base64, "b\n────\nAP8=\n"), (.line, .base64, "b = AP8=\n"),
      (.markdown, .base64, "| b |\n| --- |\n| AP8= |\n"), (.ndjson, nil, "{\"b\":\"AP8=\"}\n"),
      (.ndjson, .hex, "{\"b\":\"x'00ff'\"}\n"), (.json, .base64, "[\n{\"b\":\"AP8=\"}\n]\n"),
      (.sql, .base64, "INSERT INTO \"result\" (\"b\") VALUES (x'00ff');\n"),
    ] as [(FormatName, BlobEncoding?, String)])
  func blobs(format: FormatName, form: BlobEncoding?, text: String) throws {
    let row: [Value] = [.blob([0x00, 0xFF])]
    #expect(try printed(format, [ColumnHeading("b")], [row], .plain, FormatOptions(blobs: form)) == text)
  }

  @Test("print a line for each value")
  func line() throws {
    #expect(
      try printed(.line, Golden.columns, Array(Golden.rows[3...5])) == """
        id     = -9223372036854775808
        name   = 👨‍👩‍👧🇯🇵❤️
        weight = -9e999
        note   = a|b\\c<br>

        id     = -1
        name   = a␉b␊c␍␊d
        weight = 0.1
        note   = ␛[31m␀␡\u{FFFD}

        id     = 0
        name   = "quoted", 'so'
        weight = -0.0
        note   = x'00ff'

        """)
  }

  @Test(
    "print the header of an empty result where they have one",
    arguments: [
      (.table, "id  name  weight  note\n──  ────  ──────  ────\n"), (.csv, "id,name,weight,note\n"),
      (.tsv, "id\tname\tweight\tnote\n"), (.json, "[]\n"), (.ndjson, ""),
      (.markdown, "| id | name | weight | note |\n| ---: | --- | ---: | --- |\n"), (.line, ""), (.sql, ""),
      (
        .html,
        "<table>\n<thead>\n<tr><th style=\"text-align: right\">id</th><th>name</th><th style=\"text-align: right\">weight"
          + "</th><th>note</th></tr>\n</thead>\n<tbody>\n</tbody>\n</table>\n"
      ),
    ] as [(FormatName, String)])
  func empty(format: FormatName, text: String) throws {
    #expect(try printed(format, Golden.columns, []) == text)
  }

  @Test("send a terminal no control character of the data", arguments: FormatName.allCases)
  func terminal(format: FormatName) throws {
    let controls = (0..<0x20).map { $0 } + (0x7F..<0xA0).map { $0 }
    let text = String(String.UnicodeScalarView(controls.compactMap(Unicode.Scalar.init)))
    let style = TextStyle(isTerminal: true, hasColor: false)
    let output = try printed(format, [ColumnHeading("a\(text)")], [[.text(text)]], style)
    // What the formats themselves write: line ends, and TSV's tabs.
    let sent = output.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
    #expect(sent.isEmpty)
    switch format {
    case .json, .ndjson: #expect(output.contains("\\u001b"))
    case .sql: #expect(output.contains("char(0, 1, 2, "))
    case .table, .csv, .tsv, .markdown, .html, .line, .raw: #expect(output.contains("␛"))
    }
  }

  @Test("align numbers at the right in a column of mixed values")
  func mixed() throws {
    let rows: [[Value]] = [["text", 1], [12, "y"], [.null, .null]]
    #expect(
      try printed(.table, [ColumnHeading("any"), ColumnHeading("x")], rows)
        == "any   x\n────  ────\ntext     1\n  12  y\nnull  null\n")
  }

  @Test(
    "write Base64",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func base64(text: String, encoded: String) {
    // The examples of RFC 4648, section 10.
    #expect(Base64.text(Array(text.utf8)) == encoded)
  }

  @Test("write every byte in Base64")
  func base64Alphabet() {
    let text = Base64.text([0x00, 0x10, 0x83, 0x10, 0x51, 0x87, 0x20, 0x92, 0x8B, 0xFB, 0xF0, 0xFF])
    #expect(text == "ABCDEFGHIJKL+/D/")
  }
}
