package import Query

/// One row of values at which numbers, texts and dates end, and conditions that are true of it.
package enum EdgeCases {
  package static func schema() throws -> TableSchema {
    try TableSchema(
      "edge",
      columns: [
        ColumnSchema("id", .integer), ColumnSchema("greatest", .integer), ColumnSchema("least", .integer),
        ColumnSchema("seven", .integer), ColumnSchema("none", .integer, isNullable: true), ColumnSchema("half", .real),
        ColumnSchema("huge", .real), ColumnSchema("tiny", .real), ColumnSchema("infinite", .real),
        ColumnSchema("text", .text), ColumnSchema("street", .text), ColumnSchema("day", .text),
      ], primaryKey: ["id"])
  }

  package static let row: [Value] = [
    1, .integer(.max), .integer(.min), 7, .null, 1.5, 1e308, .real(.leastNonzeroMagnitude), .real(.infinity),
    "a\u{301}é👍",
    "STRAẞE", "2024-02-29T23:59:58.5Z",
  ]

  package static let conditions = [
    // Integers end with null, wherever in a chain.
    "greatest + 1 is null", "greatest + seven is null", "least - 1 is null", "least - seven is null",
    "greatest * 2 is null", "greatest * seven is null", "greatest * -1 = least + 1", "least * -1 is null",
    "-least is null", "abs(least) is null", "not greatest + 1 > 1", "not least - 1 < 0", "greatest * 2 != 5",
    "abs(-seven) = 7", "greatest + 1 - 1 is null",
    "greatest - 1 + 1 = 9223372036854775807", "least / -1 is null", "least / (seven - 8) is null", "least % -1 = 0",
    "least % (seven - 8) = 0", "seven / 0 is null", "seven % 0 is null", "seven / (seven - 7) is null",
    "-seven / 2 = -3", "-seven % 2 = -1", "seven % -2 = 1", "none + 1 is null", "none * 0 is null",
    // So do reals, but for infinities that were there before.
    "huge * 10 is null", "huge * huge is null", "huge + huge is null", "-huge - huge is null", "huge / 0.1 is null",
    "huge / tiny is null", "half / 0 is null", "half / (half - half) is null", "infinite - infinite is null",
    "not huge * 10 > 1", "not -huge - huge < 0", "huge * 10 != 9e999", "infinite + huge = 9e999",
    "infinite * -1 = -9e999", "infinite * 0 is null", "infinite / infinite is null",
    "huge / infinite = 0", "tiny / 2 = 0", "tiny * tiny = 0", "tiny * half > 0", "huge * huge / huge is null",
    // An integer beside a real becomes one, also through a choice.
    "seven / 2 = 3", "seven / 2.0 = 3.5", "greatest + 0.5 = 9223372036854775808.0",
    "if(seven > 1, seven, half) / 2 = 3.5",
    "coalesce(none, seven, half) / 2 = 3.5", "coalesce(seven) / 2 = 3", "coalesce(none) is null",
    "coalesce(none, seven) = 7", "if(none > 1, 1, 2) = 2", "if(not none > 1, 1, 2) = 1",
    "floor(half) = 1", "floor(-half) = -2", "ceiling(half) = 2", "ceiling(-half) = -1", "floor(seven) = 7",
    // Texts are counted by scalars, and dates read in every part.
    "length(text) = 4", "length(text || text) = 8", "length('') = 0", "text || '' = text", "folded(street) = 'strasse'",
    "length(folded(street)) = 7", "year(day) = 2024", "month(day) = 2", "day(day) = 29", "hour(day) = 23",
    "minute(day) = 59", "second(day) = 58", "weekday(day) = 4", "date(day) = '2024-02-29'",
    "yearMonth(day) = '2024-02'", "yearMonth('0033-04-05') = '0033-04'",
    "year(text) is null", "hour('2024-02-29T24:00:00Z') is null", "minute('2024-02-29T23:60:00Z') is null",
    "hour('2024-02-29') is null", "year('2023-02-29') is null", "weekday('1969-12-31') = 3",
    "weekday('1899-12-31') = 7",
    "year('0000-01-01') = 0", "hour('2024-03-01T00:30:00.5+02:00') = 22", "day('2024-03-01T00:30:00.5+02:00') = 29",
    "minute('2024-02-29 23:59-00:30') = 29", "date('2024-02-29 23:59-00:30') = '2024-03-01'",
    "second('2024-02-29 10:11:12+0530') = 12", "yearMonth('2024-01-01 00:00:00 +01') = '2023-12'",
    "weekday('2024-01-01 00:00:00 +01') = 7", "year('0000-01-01 00:00+01') is null", "year('0001-01-01 00:00+01') = 0",
    "month('9999-12-31 23:30-01') is null", "date('0000-12-31 23:30-01') = '0001-01-01'",
    "hour('2024-01-01 00:00Z+01') is null", "hour('2024-01-01 00:00+24:00') is null",
    "hour('2024-01-01 00:00+1') is null", "hour('2024-01-01 00:00+01:5') is null", "hour('2024-01-01+01:00') is null",
    "hour('2024-01-01 00:00  +01') is null", "hour('2024-01-01 00:00+01:60') is null",
    "hour('2024-01-01 00:00 ') is null",
    "coalesce(year(text), -1) = -1",
  ]

  /// The same for stores that keep U+0000 in text.
  package static let zeroRow: [Value] = row.map { $0 == "a\u{301}é👍" ? "a\0b" : $0 }
  package static let zeroConditions = [
    "length(text) = 3", "length(text || text) = 6", "length(folded(text)) = 3", "year(text) is null",
    "text || '' = text", "length(coalesce(text)) = 3",
  ]
}
