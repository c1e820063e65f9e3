import Query
import Testing
@testable import repokit

@Suite("Tables on a terminal")
struct TableTests {
  private static let columns = [
    ColumnHeading("id", isNumeric: true), ColumnHeading("name"), ColumnHeading("note"),
  ]
  private static let rows: [[Value]] = [
    [1, "Bulbasaur", "carries a seed on its back from birth"],
    [151, "ミュウ", .null],
    [25, "Pikachu", "😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀"],
    [.null, "e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", "a\nb"],
  ]

  private func table(width: Int?, wraps: Bool = false, _ columns: [ColumnHeading] = columns, _ rows: [[Value]] = rows)
    throws -> String
  {
    try printed(
      .table, columns, rows, TextStyle(isTerminal: true, hasColor: false, width: width), FormatOptions(wraps: wraps))
  }

  @Test("are as wide as what they hold where there is room")
  func whole() throws {
    #expect(
      try table(width: 80) == """
          id  name       note
        ────  ─────────  ────────────────────────────────────────
           1  Bulbasaur  carries a seed on its back from birth
         151  ミュウ     null
          25  Pikachu    😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀
        null  e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}     a␊b

        """)
  }

  @Test("show the values of a database's own types as the database does, and align its numbers")
  func ownTypes() throws {
    let columns = [
      ColumnHeading(ColumnSchema("ok", .integer).stored(as: .boolean)),
      ColumnHeading(ColumnSchema("price", .real).stored(as: .decimal(precision: 9, scale: 2))),
      ColumnHeading(ColumnSchema("n", .text).stored(as: .numeric(precision: nil, scale: 0))),
      ColumnHeading(ColumnSchema("s", .real).holdingSingles(true)),
      ColumnHeading(ColumnSchema("at", .text).stored(as: .timestamp(hasZone: true, digits: 6))),
    ]
    let rows: [[Value]] = [
      [1, 12.5, "020 12345678901234567890.125", 1.100000023841858, "2005-05-24T22:53:30.500000000Z"],
      [0, 7, "002 12.5", .real(.infinity), "infinity"], [.null, .null, .null, .null, .null],
    ]
    #expect(
      try table(width: 80, columns, rows) == """
        ok     price                         n      s  at
        ─────  ─────  ────────────────────────  ─────  ────────────────────────
        true   12.50  12345678901234567890.125    1.1  2005-05-24 22:53:30.5+00
        false   7.00                      12.5  9e999  infinity
        null    null                      null   null  null

        """)
    let json = try printed(.ndjson, columns, rows, TextStyle(isTerminal: false, hasColor: false, width: nil))
    #expect(
      json.split(separator: "\n").first
        == #"{"ok":true,"price":12.50,"n":12345678901234567890.125,"s":1.1,"at":"2005-05-24 22:53:30.5+00"}"#)
  }

  @Test("cut the widest column first, with a mark, and never amid a character")
  func cut() throws {
    #expect(
      try table(width: 32) == """
          id  name       note
        ────  ─────────  ───────────────
           1  Bulbasaur  carries a seed…
         151  ミュウ     null
          25  Pikachu    😀😀😀😀😀😀😀…
        null  e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}     a␊b

        """)
    #expect(
      try table(width: 24) == """
          id  name      note
        ────  ────────  ────────
           1  Bulbasa…  carries…
         151  ミュウ    null
          25  Pikachu   😀😀😀…
        null  e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}    a␊b

        """)
  }

  @Test("break texts into lines where that is wanted, also at their own line breaks")
  func wrapped() throws {
    let rows: [[Value]] = [
      [1, "Bulbasaur", "carries a seed on its back from birth"], [2, "ミュウツー", "one\r\ntwo, and so much more"],
    ]
    #expect(
      try table(width: 26, wraps: true, Self.columns, rows) == """
        id  name        note
        ──  ──────────  ──────────
         1  Bulbasaur   carries a
                        seed on
                        its back
                        from birth
         2  ミュウツー  one␍␊
                        two, and
                        so much
                        more

        """)
  }

  @Test("never cut dates")
  func dates() throws {
    let columns = [ColumnHeading("name"), ColumnHeading("born"), ColumnHeading("seen"), ColumnHeading("note")]
    let row: [Value] = ["Bulbasaur", "1996-02-27", "2024-05-06 07:08:09", "carries a seed on its back"]
    #expect(
      try table(width: 60, columns, [row]) == """
        name       born        seen                 note
        ─────────  ──────────  ───────────────────  ────────────────
        Bulbasaur  1996-02-27  2024-05-06 07:08:09  carries a seed …

        """)
    #expect(
      try table(width: 48, columns, [row]) == """
        name       born        seen                 …
        ─────────  ──────────  ───────────────────  ─
        Bulbasaur  1996-02-27  2024-05-06 07:08:09  …

        """)
  }

  @Test("leave out columns that would be too narrow, and say so")
  func tooManyColumns() throws {
    let columns = (1...10).map { ColumnHeading("column number \($0)") }
    let row = (1...10).map { Value.text("value number \($0)") }
    let style = TextStyle(isTerminal: true, hasColor: false, width: 40)
    #expect(
      try printed(.table, columns, [row], style) == """
        column number 1  column number 2  …
        ───────────────  ───────────────  ─
        value number 1   value number 2   …

        """)
    var output = OutputBuffer { _ in }
    var format = FormatName.table.makeFormat(columns, style)
    format.begin(&output)
    #expect(format.note == nil)
    try format.end(&output)
    #expect(format.note == "2 of 10 columns fit; choose columns with --columns, or show all with --format line")
  }

  @Test("never cut a number, and show one column at least")
  func numbers() throws {
    let columns = [ColumnHeading("a long name", isNumeric: true), ColumnHeading("x")]
    #expect(
      try table(width: 20, columns, [[.integer(.min), "y"], [.real(1.0 / 3), "z"]]) == """
                 a long name  …
        ────────────────────  ─
        -9223372036854775808  …
          0.3333333333333333  …

        """)
    #expect(try table(width: 3, [ColumnHeading("x")], [["abcdef"]]) == "x\n───\nab…\n")
    #expect(try table(width: 1, [ColumnHeading("xy")], [["abcdef"]]) == "…\n─\n…\n")
  }

  @Test("start before all rows are known; a later number makes room for itself, a later text as far as there is some")
  func stream() throws {
    var rows: [[Value]] = (1...500).map { [.integer($0), "text"] }
    rows += [[501, "a text that is longer"], [1_000_000, "text"], [2, "text"]]
    let columns = [ColumnHeading("id", isNumeric: true), ColumnHeading("t"), ColumnHeading("u")]
    rows = rows.map { $0 + ["u"] }
    let lines = try table(width: 24, columns, rows).split(separator: "\n")
    #expect(lines[..<3] == [" id  t     u", "───  ────  ─", "  1  text  u"])
    #expect(
      lines[501...] == [
        "500  text  u", "501  a text that is …  u", "1000000  text          u", "      2  text          u",
      ])
    // Elsewhere, nothing is cut.
    let whole = try printed(.table, columns, rows).split(separator: "\n")
    #expect(
      whole[502...] == [
        "501  a text that is longer  u", "1000000  text                   u", "      2  text                   u",
      ])
  }

  @Test("elsewhere are not filled up with blanks for the sake of one long text")
  func longText() throws {
    let long = String(repeating: "x", count: 1_000)
    let text = try printed(.table, [ColumnHeading("a"), ColumnHeading("b")], [[.text(long), "1"], ["y", "2"]])
    let lines = text.split(separator: "\n")
    #expect(lines[2] == "\(long)  1")
    #expect(lines[3] == "y\(String(repeating: " ", count: 121))2")
  }

  @Test(
    "give what there is to the columns that need it",
    arguments: [
      ([10, 10, 10], 34, [10, 10, 10]), ([10, 10, 10], 33, [10, 10, 9]), ([3, 30, 30], 37, [3, 15, 15]),
      ([3, 8, 30], 25, [3, 8, 10]), ([3, 100, 10], 25, [3, 9, 9]),
    ] as [([Int], Int, [Int])])
  func layout(natural: [Int], limit: Int, widths: [Int]) {
    let layout = TableLayout(natural.map { ColumnWidth(heading: 1, values: $0, numbers: 0) }, limit: limit)
    #expect(!layout.isCut)
    #expect(layout.columns.map(\.width) == widths)
  }
}

/// What formats print, gathered in memory.
func printed(
  _ name: FormatName, _ columns: [ColumnHeading], _ rows: [[Value]], _ style: TextStyle = .plain,
  _ options: FormatOptions = FormatOptions()
) throws -> String {
  final class Paper { var bytes: [UInt8] = [] }
  let paper = Paper()
  var output = OutputBuffer { bytes in paper.bytes += bytes }
  var format = name.makeFormat(columns, style, options)
  format.begin(&output)
  for row in rows { format.append(row, to: &output) }
  try format.end(&output)
  try output.flush()
  return String(decoding: paper.bytes, as: UTF8.self)
}

/// One table with all that is hard to print.
enum Golden {
  static let columns = [
    ColumnHeading("id", isNumeric: true), ColumnHeading("name"), ColumnHeading("weight", isNumeric: true),
    ColumnHeading("note"),
  ]

  static let rows: [[Value]] = [
    [1, "Bulbasaur", 6.9, .null],
    [2, "フシギソウ", 100.0, ""],
    [.integer(.max), "e\u{301}é", .real(.infinity), "null"],
    [.integer(.min), "👨‍👩‍👧🇯🇵❤️", .real(-.infinity), "a|b\\c<br>"],
    [-1, "a\tb\nc\r\nd", 0.1, "\u{1B}[31m\u{0}\u{7F}\u{9B}"],
    [0, "\"quoted\", 'so'", -0.0, .blob([0x00, 0xFF])],
    [.null, .blob([]), .real(.leastNonzeroMagnitude), "\u{202E}x\u{2028}"],
  ]

  static let escapes = TextStyle(isTerminal: true, hasColor: true)
}
