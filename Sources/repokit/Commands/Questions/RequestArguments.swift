import Query
import SQLStore

/// The arguments for what is shown of the rows: columns, order and number.
///
/// They are read twice: without a table, so that invalid ones are reported before anything is opened, and with it.
struct RequestArguments {
  let columns: ColumnArguments
  let limit: Int?
  let offset: Int
  /// Whether the call states an order.
  let isSorted: Bool
  private let isDistinct: Bool
  private let arguments: Arguments

  init(_ arguments: Arguments, _ parameters: Parameters) throws(Failure) {
    self.arguments = arguments
    let reader = QueryReader(parameters)
    _ = try Self.sort(arguments, reader)
    isSorted = arguments.has(.sort)
    limit = try arguments.integer(.limit)
    offset = try arguments.integer(.offset) ?? 0
    columns = try ColumnArguments(arguments, reader)
    try parameters.checkUsed()
    isDistinct = arguments.has(.distinct)
  }

  /// The request for the rows that match a query.
  ///
  /// - Parameter shown: the columns that are shown unless some are named; `nil` for all.
  func request(
    _ query: AnyQuery, in table: TableSchema, showing shown: [String]? = nil, _ reader: QueryReader
  ) throws(Failure) -> ProjectionRequest {
    let shown = try columns.columns(in: table, showing: shown, reader)
    let sort = try Self.sort(arguments, reader, of: shown)
    return ProjectionRequest(
      shown, of: FetchRequest(query, sortedBy: sort, limit: limit, offset: offset), isDistinct: isDistinct,
      groupLimit: try columns.limit(sortedBy: sort, reader))
  }

  /// The order given by `--sort`, or by primary key without it.
  ///
  /// - Parameter columns: the columns of the result, which the order may name, too.
  private static func sort(
    _ arguments: Arguments, _ reader: QueryReader, of columns: [ProjectedColumn] = []
  ) throws(Failure) -> AnySort {
    try arguments[.sort].map { text throws(Failure) in
      if text.allSatisfy(\.isWhitespace) {
        throw arguments.command.usageError("--sort is empty", suggestion: "omit --sort to sort by primary key")
      }
      return try reader.sort(text, of: columns)
    } ?? .primaryKey
  }
}
