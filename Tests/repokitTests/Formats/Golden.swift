import Query

@testable import repokit

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
