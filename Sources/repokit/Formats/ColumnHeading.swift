import Query

/// What a format has to know of a column.
struct ColumnHeading {
  let name: String
  /// Whether its values are numbers, which are aligned at their ends.
  let isNumeric: Bool

  init(_ name: String, isNumeric: Bool = false) {
    self.name = name
    self.isNumeric = isNumeric
  }

  init(_ column: ColumnSchema) {
    self.init(column.name, isNumeric: column.type == .integer || column.type == .real)
  }
}
