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
    // Parts of texts count scalars from 1.
    "trim(' \t\n\r x \r') = 'x'", "trim('') = ''", "trim(' \n') = ''", "trim(text) = text",
    "trim('\u{A0}x') = '\u{A0}x'",
    "replace('aaa', 'aa', 'b') = 'ba'", "replace('abc', '', 'x') = 'abc'", "replace(text, '👍', '') = 'a\u{301}é'",
    "replace('aXbX', 'X', '') = 'ab'", "replace('a', 'ab', 'x') = 'a'", "position(text, '👍') = 4",
    "position('abc', '') = 1",
    "position('', 'a') = 0", "position('aab', 'ab') = 2", "substring(text, 2) = '\u{301}é👍'",
    "substring(text, 1, 1) = 'a'",
    "substring(text, 4, 9223372036854775807) = '👍'", "substring(text, 5, 1) = ''", "substring(text, 0, 1) is null",
    "substring(text, -1) is null", "substring(text, 1, -1) is null", "substring(text, greatest, greatest) = ''",
    "substring(text, least) is null", "part('a,b,,c', ',', 1) = 'a'", "part('a,b,,c', ',', 3) = ''",
    "part('a,b,,c', ',', 4) = 'c'", "part('a,b', ',', 3) is null", "part('a,b', ',', 0) is null",
    "part('', ',', 1) = ''",
    "part('', ',', 2) is null", "part('a', '', 1) is null", "part('aaa', 'aa', 2) = 'a'", "part(text, text, 2) = ''",
    "part('a', 'a', greatest) is null",
    // Rounding is by the digits that people see, and texts spell numbers.
    "round(2.675, 2) = 2.68", "round(-2.675, 2) = -2.68", "round(0.5) = 1", "round(-0.5) = -1",
    "round(1.005, 2) = 1.01",
    "round(half) = 2", "round(seven, 3) = 7", "round(seven) / 2 = 3", "round(1.5, 0) = 2", "round(0.05, 1) = 0.1",
    "round(0.04, 1) = 0", "round(0.00000051, 6) = 0.000001", "round(9.995, 2) = 10", "round(huge, 2) = huge",
    "round(infinite) = 9e999", "round(tiny, 15) = 0", "round(1.23456789012345, 10) = 1.2345678901",
    "round(half, 16) is null",
    "round(half, -1) is null", "round(half, none) is null", "round(none) is null",
    "round(9007199254740991.0) = 9007199254740991",
    "round(4503599627370495.5) = 4503599627370496", "round(123.456, 1) = 123.5", "round(greatest) = greatest",
    "integer('12') = 12", "integer('-007') = -7", "integer('9223372036854775807') = greatest",
    "integer('-9223372036854775808') = least", "integer('9223372036854775808') is null", "integer('1.0') is null",
    "integer('') is null", "integer(' 1') is null", "integer('+1') is null", "integer('--1') is null",
    "integer('-') is null",
    "integer('00000000000000000001') is null", "number('2.50') = 2.5", "number('-3') = -3", "number('1.') is null",
    "number('.5') is null", "number('1e3') is null", "number('') is null", "number('1.2.3') is null",
    "number(text) is null",
    // Signs, roots and extremes of numbers.
    "sign(-seven) = -1", "sign(none) is null", "sign(least) = -1", "sign(half) = 1", "sign(-0.0) = 0",
    "sign(-infinite) = -1",
    "squareRoot(49) = 7", "squareRoot(seven * seven) = 7", "squareRoot(-1) is null", "squareRoot(infinite) = 9e999",
    "squareRoot(half * half) = 1.5", "least(seven, half) = 1.5", "greatest(seven, half) = 7",
    "greatest(seven, 2, 9) = 9",
    "least(seven, none) is null", "greatest(greatest, huge) = huge", "least(least, greatest) = least",
    "greatest(seven, half) / 2 = 3.5", "least(3, 7) / 2 = 1", "least(-infinite, 1) = -9e999",
    // Dates beside others, and between them.
    "quarter(day) = 1", "quarter('2024-12-31') = 4", "week('2024-12-30') = 1", "weekYear('2024-12-30') = 2025",
    "week('2021-01-03') = 53", "weekYear('2021-01-03') = 2020", "week('0000-01-01') = 52",
    "weekYear('0000-01-01') = -1",
    "week(text) is null", "addDays('2024-02-28', 1) = '2024-02-29'", "addDays('2024-03-01', -1) = '2024-02-29'",
    "addDays(day, 1) = '2024-03-01T23:59:58.5Z'", "addDays('0000-01-01', -1) is null",
    "addDays('9999-12-31', 1) is null",
    "addDays('2024-01-01 10:00+02', 31) = '2024-02-01 10:00+02'", "addDays('2024-01-01', greatest) is null",
    "addDays('2024-01-01', least) is null", "addDays(text, 1) is null", "addDays('0000-01-01', 3652424) = '9999-12-31'",
    "addMonths('2024-01-31', 1) = '2024-02-29'", "addMonths('2023-01-31', 1) = '2023-02-28'",
    "addMonths('2024-03-31', -1) = '2024-02-29'", "addMonths(day, 12) = '2025-02-28T23:59:58.5Z'",
    "addMonths('2024-12-15', 1) = '2025-01-15'", "addMonths('2024-01-15', -1) = '2023-12-15'",
    "addMonths('0000-01-31', -1) is null", "addMonths('9999-12-31', 1) is null",
    "addMonths('9999-11-30', 1) = '9999-12-30'",
    "addMonths('0000-01-31', 1) = '0000-02-29'", "addMonths('2024-01-31', least) is null",
    "daysBetween('2024-02-28', '2024-03-01') = 2", "daysBetween('2024-03-01', '2024-02-28') = -2",
    "daysBetween(day, '2024-03-01') = 1", "daysBetween('2024-03-01T00:30+02:00', '2024-03-01') = 1",
    "daysBetween('0000-01-01', '9999-12-31') = 3652424", "daysBetween('x', '2024-01-01') is null",
    "secondsBetween('2024-02-29T23:59:58.9Z', '2024-03-01') = 2",
    "secondsBetween('2024-01-01 10:00', '2024-01-01 09:59:30') = -30",
    "secondsBetween('2024-01-01T10:00:00+02:00', '2024-01-01T08:00:00Z') = 0", "secondsBetween(day, text) is null",
  ]

  /// The same for stores that keep U+0000 in text.
  package static let zeroRow: [Value] = row.map { $0 == "a\u{301}é👍" ? "a\0b" : $0 }
  package static let zeroConditions = [
    "length(text) = 3", "length(text || text) = 6", "length(folded(text)) = 3", "year(text) is null",
    "text || '' = text", "length(coalesce(text)) = 3",
  ]
}
