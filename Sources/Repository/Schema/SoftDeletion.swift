#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
package import Query

// Elements that are kept when they are deleted, and no longer found.
extension ColumnConstraint {
  /// The constraint of a column for the time of deletion: see ``deletedAt(by:)``.
  public static let deletedAt = ColumnConstraint(timestamp: Timestamp(.deletion, systemClock))

  /// Returns the constraint of a column for the time of deletion. A repository keeps deleted elements, but no longer finds them.
  ///
  /// ```swift
  /// struct Letter: Entity {
  ///   let id: Int
  ///   var text: String
  ///   var deletedAt: Date?
  ///   static let schema = Schema<Letter>(table: "letter") {
  ///     Parameters(of: Letter.init)
  ///     Column("id", \.id)
  ///     Column("text", \.text)
  ///     Column("deleted_at", \.deletedAt, .deletedAt)
  ///   }
  /// }
  /// try await letters.delete(1)  // letters.find(1) is nil
  /// let all = try store.repository(Letter.schema.includingDeleted)
  /// try await all.filter { $0.id == 1 }.update { $0.deletedAt = nil }  // letters.find(1) is there again
  /// ```
  ///
  /// For an optional `Date`, which is `nil` in an element that is not deleted. A deletion is an update of this column, and of
  /// the columns with ``updatedAt``: elements that refer to a deleted element are not changed, and the key and unique values of
  /// that element remain in use, unless these are unique under a condition: `.unique(\.email) { $0.deletedAt == nil }`. The
  /// article *Semantics* describes the effect on each call. All stores implement soft deletion;
  /// a repository that is written by hand has to implement it itself.
  ///
  /// - Parameter clock: returns the current time; for tests with deterministic results.
  public static func deletedAt(by clock: @escaping @Sendable () -> Date) -> ColumnConstraint {
    ColumnConstraint(timestamp: Timestamp(.deletion, clock))
  }
}

extension Schema {
  /// The same schema for a repository that also finds deleted elements, and whose deletions remove elements permanently.
  ///
  /// The table is the same. An element is restored by an update that sets the column of ``ColumnConstraint/deletedAt`` to
  /// `nil`.
  public var includingDeleted: Schema {
    var copy = self
    copy.softDeletion = nil
    return copy
  }
}

/// The soft deletion of elements: the column for its time.
///
/// It is a class, so that a copy of a schema retains one reference, not one for each property of this type.
package final class SoftDeletion: Sendable {
  /// The column's name.
  package let key: String
  private let timestamp: Timestamp
  /// The columns with the time of the last write.
  private let changes: [(key: String, timestamp: Timestamp)]
  /// A query for elements that are not deleted.
  private let isNotDeleted: AnyQuery

  init(_ key: String, _ timestamp: Timestamp, changes: [(key: String, timestamp: Timestamp)]) {
    (self.key, self.timestamp, self.changes) = (key, timestamp, changes.filter { $0.timestamp.event == .change })
    isNotDeleted = .isNull(key: key)
  }

  /// The assignments of a deletion.
  package var assignments: [Assignment] {
    [timestamp.assignment(to: key)] + changes.map { $0.timestamp.assignment(to: $0.key) }
  }

  /// Returns a query for the matching rows that are not deleted.
  package func excludingDeleted(_ query: AnyQuery) -> AnyQuery { query == .true ? isNotDeleted : query && isNotDeleted }
}

// Without soft deletion, queries and requests are for all matching rows, and are not copied.
extension SoftDeletion? {
  package func excludingDeleted(_ query: AnyQuery) -> AnyQuery {
    guard let self else { return query }
    return self.excludingDeleted(query)
  }

  package func excludingDeleted(_ request: FetchRequest) -> FetchRequest {
    guard let self else { return request }
    var request = request
    request.query = self.excludingDeleted(request.query)
    return request
  }

  package func excludingDeleted(_ request: ProjectionRequest) -> ProjectionRequest {
    guard let self else { return request }
    var request = request
    request.rows.query = self.excludingDeleted(request.rows.query)
    return request
  }

  package func excludingDeleted(_ request: AggregateRequest) -> AggregateRequest {
    guard let self else { return request }
    var request = request
    request.query = self.excludingDeleted(request.query)
    return request
  }
}
