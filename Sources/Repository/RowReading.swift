package import Query

/// A repository that shows the rows of a result to a closure as it reads them: what that makes of each is all that is kept.
package protocol RowReading: Sendable {
  /// Reads some columns of the rows of a request, away from the caller's executor.
  ///
  /// - Parameters:
  ///   - request: the columns, and of which rows.
  ///   - start: what there is before the first row; a read that is tried again starts anew.
  ///   - add: takes a row, whose values are in the order of the columns.
  /// - Returns: what was made of all rows; `nil` where rows of such a request are not shown one by one.
  /// - Throws: as `findRows(_:)` does.
  func readRows<Result: Sendable>(
    _ request: ProjectionRequest, startingWith start: Result, _ add: @Sendable (inout Result, [Value]) -> Void
  ) async throws(RepositoryError) -> Result?
}

extension AnyRepository {
  /// The repository behind this one, where it shows rows one by one.
  package var rowReading: (any RowReading)? { base as? any RowReading }
}
