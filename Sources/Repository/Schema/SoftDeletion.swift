#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
package import Query

// Elements that are kept when they are deleted, and found no more.
extension ColumnConstraint {
  /// The column keeps when the element was deleted: see ``deletedAt(by:)``.
  public static let deletedAt = ColumnConstraint(timestamp: Timestamp(.deletion, systemClock))

  /// The column keeps when the element was deleted. A repository keeps what it deletes, and finds it no more.
  ///
  /// ```swift
  /// struct Letter: Entity {
  ///   let id: Int
  ///   var text: String
  ///   var deletedAt: Date?
  ///   static let schema = Schema(
  ///     "letter", Letter.init, Column("id", \.id), Column("text", \.text),
  ///     Column("deleted_at", \.deletedAt, .deletedAt))
  /// }
  /// try await letters.delete(1)  // letters.find(1) is nil
  /// let all = try store.repository(Letter.schema.includingDeleted)
  /// try await all.update(where: { $0.id == 1 }, set: { $0.deletedAt = nil })  // letters.find(1) is there again
  /// ```
  ///
  /// For an optional `Date`, which is `nil` in an element that is not deleted. A deletion is an update of this column, and of
  /// those that are ``updatedAt``: what refers to the element stays as it is, and its key and what else is unique stays taken.
  /// The article *Semantics* says what that means for each call. The stores keep to it; a repository that is written by hand has
  /// to do so itself.
  ///
  /// - Parameter clock: tells what time it is; for tests, whose results shall not differ.
  public static func deletedAt(by clock: @escaping @Sendable () -> Date) -> ColumnConstraint {
    ColumnConstraint(timestamp: Timestamp(.deletion, clock))
  }
}

extension Schema {
  /// The same schema for a repository that finds deleted elements too, and whose deletions remove elements for good.
  ///
  /// It is the same table. An element is restored by an update that sets the column of ``ColumnConstraint/deletedAt`` to `nil`.
  public var includingDeleted: Schema {
    var copy = self
    copy.softDeletion = nil
    return copy
  }
}

/// How elements are deleted that are kept: a column tells when that was.
///
/// A class, so that a copy of a schema counts one reference more, and not one for each part of this.
package final class SoftDeletion: Sendable {
  /// The column's name.
  package let key: String
  private let timestamp: Timestamp
  /// The columns that keep when an element was written last.
  private let changes: [(key: String, timestamp: Timestamp)]
  /// Matches what is not deleted.
  private let isNotDeleted: AnyQuery

  init(_ key: String, _ timestamp: Timestamp, changes: [(key: String, timestamp: Timestamp)]) {
    (self.key, self.timestamp, self.changes) = (key, timestamp, changes.filter { $0.timestamp.event == .change })
    isNotDeleted = .isNull(key: key)
  }

  /// What a deletion changes.
  package var assignments: [Assignment] {
    [timestamp.assignment(to: key)] + changes.map { $0.timestamp.assignment(to: $0.key) }
  }

  /// Matches of the rows of a query those that are not deleted.
  package func live(_ query: AnyQuery) -> AnyQuery { query == .true ? isNotDeleted : query && isNotDeleted }
}

// Of a table without soft deletion, all that match a request. A request is copied for no other.
extension SoftDeletion? {
  package func live(_ query: AnyQuery) -> AnyQuery {
    guard let self else { return query }
    return self.live(query)
  }

  package func live(_ request: FetchRequest) -> FetchRequest {
    guard let self else { return request }
    var request = request
    request.query = self.live(request.query)
    return request
  }

  package func live(_ request: ProjectionRequest) -> ProjectionRequest {
    guard let self else { return request }
    var request = request
    request.rows.query = self.live(request.rows.query)
    return request
  }

  package func live(_ request: AggregateRequest) -> AggregateRequest {
    guard let self else { return request }
    var request = request
    request.query = self.live(request.query)
    return request
  }
}
