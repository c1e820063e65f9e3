import Query
import Repository

/// The row at which a statement stands; it changes with the statement's next step.
struct StatementRow: Row {
  let statement: RawStatement

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = statement.value(at: position) else {
      throw ValueError(
        "the stored text is not valid UTF-8", suggestion: "mend the row with the program that wrote it")
    }
    return value
  }
}
