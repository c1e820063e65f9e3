package import Query
package import Repository
import SQL

/// A request for values rather than elements: which columns of which rows are read.
package struct RowRequest: Sendable {
  /// What to find, in which order, and which part of the result.
  package let fetch: FetchRequest
  /// The positions of the columns, in the order in which they are read.
  package let columns: [Int]
  /// Whether rows that agree in these columns are one.
  package let isDistinct: Bool
  /// Whether rows come in the order of the sort, rather than in the one in which they were added, as far as the store
  /// knows that.
  package var isSorted = true

  /// Makes a request.
  ///
  /// Different rows are sorted by what was asked for, and then by the other columns from the first on.
  ///
  /// - Parameter columns: the names of the columns; all where it is `nil`.
  /// - Throws: ``/Query/QueryError`` for a name that the table does not have, and where different rows are sorted by a column that
  ///   they don't have: of several rows that are one, each may hold something else there.
  package init(
    _ fetch: FetchRequest, columns names: [String]? = nil, isDistinct: Bool = false, in table: TableSchema
  ) throws(QueryError) {
    var columns = Array(table.columns.indices)
    if let names {
      columns = []
      for name in names { columns.append(try table.position(of: name)) }
    }
    self.columns = columns
    self.isDistinct = isDistinct
    var fetch = fetch
    if isDistinct {
      for term in fetch.sort.terms
      where try term.key.plainKey.map({ key throws(QueryError) in columns.contains(try table.position(of: key)) })
        != true
      {
        throw QueryError(
          .unknownKey, "different rows can't be sorted by \(term.key)",
          reason: "it is none of their columns, and rows that are one may hold different values there",
          suggestion: "sort by one of their columns, or add \(term.key) to them")
      }
      fetch.sort += AnySort(
        columns.map { SortTerm(key: table.columns[$0].name, direction: .ascending, nulls: .first) })
    }
    self.fetch = fetch
  }

  /// The request for whole rows from which ``rows(from:in:)`` takes what is asked for.
  package var source: FetchRequest {
    isDistinct ? FetchRequest(fetch.query, sortedBy: fetch.sort) : fetch
  }

  /// What is read of rows that are in memory.
  ///
  /// - Parameter found: the rows that ``source`` means, in its order.
  package func rows(from found: some Sequence<[Value]>, in table: TableSchema) -> [[Value]] {
    let rows = found.map { row in columns.map { row[$0] } }
    guard isDistinct else { return rows }
    // They are sorted by all columns, so that equal ones are adjacent.
    let different = rows.reduce(into: [[Value]]()) { different, row in
      let isSame = different.last.map { zip($0, row).allSatisfy { Value.compare($0, $1) == 0 } } ?? false
      if isSame {
        different[different.count - 1] = zip(different[different.count - 1], row).map(Self.integer)
      } else {
        different.append(row)
      }
    }
    return different.dropFirst(fetch.offset).prefix(fetch.limit ?? .max).map { spelled($0, in: table) }
  }

  /// The values of different rows as they are always written: zero has no sign.
  package func spelled(_ row: [Value], in table: TableSchema) -> [Value] {
    isDistinct ? zip(columns, row).map { table.columns[$0].spelling($1) } : row
  }

  /// Of two values that are equal, the integer.
  private static func integer(_ lhs: Value, _ rhs: Value) -> Value {
    if case .integer = rhs { rhs } else { lhs }
  }
}

// MARK: - Reading

/// The values of a row, `nil` for a text that is not UTF-8.
final class BufferedRow: Row, Sendable {
  let values: [Value?]

  /// Reads the values of the row that a statement has reached.
  init(_ row: any Row, columnCount: Int) {
    values = (0..<columnCount).map { try? row.value(at: $0) }
  }

  func value(at position: Int) throws(ValueError) -> Value {
    guard let value = values[position] else { throw .invalidUTF8 }
    return value
  }
}

extension ValueError {
  /// A text that was stored by a program that does not check.
  package static let invalidUTF8 = ValueError(
    "the stored text is not valid UTF-8", suggestion: "correct the row with the program that wrote it")
}

extension Row {
  /// Reads the values of the first columns into an array, whose room is used again.
  ///
  /// - Parameter failure: the error where the value at a position can't be read.
  func read(
    _ count: Int, into values: inout [Value], failure: (ValueError, Int) -> RepositoryError
  ) throws(RepositoryError) {
    values.removeAll(keepingCapacity: true)
    do throws(ValueError) {
      // By index: an iterator over a range is not free in debug builds, nor are the copies of a `map`.
      while values.count < count { values.append(try value(at: values.count)) }
    } catch {
      throw failure(error, values.count)
    }
  }
}

extension RowRequest {
  /// The same as a projection.
  fileprivate func projection(in table: TableSchema) -> ProjectionRequest {
    ProjectionRequest(columns.map { .key(table.columns[$0].name) }, of: fetch, isDistinct: isDistinct)
  }
}

extension SQLRepository {
  /// Streams the rows of a request, see ``forEachRow(_:isSorted:_:)``.
  package func forEachRow(_ request: RowRequest, _ body: ([Value]) -> Bool) throws(RepositoryError) {
    try forEachRow(request.projection(in: table.schema), isSorted: request.isSorted, body)
  }

  /// Counts the different rows that match a request; its limit and its offset don't count.
  package func countRows(_ request: RowRequest) throws(RepositoryError) -> Int {
    try countRows(request.projection(in: table.schema))
  }
}
