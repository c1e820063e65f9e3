import Query

/// The parts of a call's text that advisers look at, after it is read and its keys are found in the table.
struct AdvisedText {
  let table: TableSchema
  let others: OtherTables
  /// The columns that are known to hold dates as numbers.
  let dates: DateColumns
  /// The paths into columns of JSON.
  let paths: [JSONPath]
  let parts: QueryParts
}

/// What a text of the query language consists of.
struct QueryParts {
  var queries: [AnyQuery] = []
  var expressions: [AnyExpression] = []
  var aggregate: AnyAggregate?
}

/// Looks at a text of a call, and returns notes on what its author may not expect of the answer.
///
/// The values of the table decide, of which an adviser reads a bounded part. Notes on the answer itself, once it is known, are
/// those of ``OpenTable/reportNotes(on:keys:isEmpty:_:)``.
struct QueryAdviser: Sendable {
  let notes: @Sendable (AdvisedText) throws(Failure) -> [String]

  /// All advisers, in the order of their notes.
  static let all = [
    // A path into a column that holds no JSON, or whose JSON has no such field.
    QueryAdviser { text throws(Failure) in
      var notes: [String] = []
      for path in text.paths { notes += try JSONPathNotes(path, text.others)?.checked() ?? [] }
      return notes
    },
    // A function of dates that is null for what a column holds.
    QueryAdviser { DateFunctionNotes(table: $0.table, others: $0.others, dates: $0.dates).notes(on: $0.parts) },
    // An operation that is null for what a column holds, drops a remainder, or is a name without its quotes.
    QueryAdviser { ExpressionNotes(table: $0.table, others: $0.others).notes(on: $0.parts) },
  ]
}
