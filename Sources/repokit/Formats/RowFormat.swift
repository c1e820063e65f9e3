import Query

/// A form in which rows are printed, one at a time: a format keeps a row only where it has to.
protocol RowFormat {
  init(_ columns: [ColumnHeading], _ style: TextStyle, _ options: FormatOptions)

  /// Writes what stands before the first row, also where there is none.
  mutating func begin(_ output: inout OutputBuffer)

  /// Writes a row, its values in the order of the columns.
  mutating func append(_ row: [Value], to output: inout OutputBuffer)

  /// Writes what stands after the last row.
  mutating func end(_ output: inout OutputBuffer) throws(OutputError)

  /// What a person has to know about the output who can't see it there; to be asked at the end.
  var note: String? { get }
}

extension RowFormat {
  var note: String? { nil }
}
