package import Query

/// A repository that passes the rows of a result to a closure as it reads them, so that only the closure's result is kept.
package protocol RowReading: Sendable {
  /// Reads some columns of the rows of a request, away from the caller's executor.
  ///
  /// - Parameters:
  ///   - request: the columns, and the rows.
  ///   - start: the result before the first row; a read that is retried starts again from this result.
  ///   - add: adds a row, whose values are in the order of the columns.
  /// - Returns: the result for all rows; `nil` if rows of such a request are not passed one by one.
  /// - Throws: as `findRows(_:)` does.
  func readRows<Result: Sendable>(
    _ request: ProjectionRequest, startingWith start: Result, _ add: @Sendable (inout Result, [Value]) -> Void
  ) async throws(RepositoryError) -> Result?
}

extension AnyRepository {
  /// The base repository, if it passes rows one by one.
  package var rowReading: (any RowReading)? { base as? any RowReading }
}
