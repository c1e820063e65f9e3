import Query
import Repository

/// The row at which a statement stands; it changes with the statement's next step.
struct StatementRow {
  let statement: RawStatement

  /// The row's values, to be kept.
  func fetched(_ columnCount: Int) -> FetchedRow {
    FetchedRow(values: (0..<columnCount).map(statement.value(at:)))
  }
}

/// The values of a row, `nil` for a text that is not UTF-8.
struct FetchedRow: Row {
  let values: [Value?]

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = values[position] else {
      throw ValueError(
        "the stored text is not valid UTF-8", suggestion: "mend the row with the program that wrote it")
    }
    return value
  }
}
