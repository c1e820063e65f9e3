/// An operation of a repository that has failed, as a ``FailurePolicy`` and a log see it.
public struct FailedOperation: Sendable {
  /// Why it has failed.
  public let error: RepositoryError
  /// What the repository was asked to do.
  public let operation: RepositoryOperation
  /// The type of the elements.
  public let element: any Storable.Type
  /// How often it has failed by now: 1 at first.
  public let count: Int
  /// Whether it can be done once more, here or elsewhere.
  ///
  /// Not where elements of a sequence were taken already, since they won't come again. And not where a write has timed
  /// out: a server may have done it.
  public let isRepeatable: Bool

  init(
    _ error: RepositoryError, in operation: RepositoryOperation, of element: any Storable.Type, count: Int,
    isUntouched: Bool = true
  ) {
    self.error = error
    self.operation = operation
    self.element = element
    self.count = count
    isRepeatable = isUntouched && (operation.isRead || error.code != .timeout)
  }
}

extension FailedOperation: CustomStringConvertible {
  /// A line for a log: `find of Pokemon failed (busy): the store is busy; …`. The values that were asked for are not in
  /// it.
  public var description: String {
    "\(operation.rawValue) of \(element) failed\(count > 1 ? " again" : "") (\(error.code.rawValue)): \(error)"
  }
}

/// An operation of a repository: one case for each requirement of ``Repository``.
public enum RepositoryOperation: String, Hashable, Sendable, CaseIterable {
  /// ``Repository/find(_:)``
  case find
  /// ``Repository/findAll(_:)``
  case findAll
  /// ``Repository/count(_:)``
  case count
  /// ``Repository/aggregate(_:)``
  case aggregates
  /// ``Repository/findRows(_:)``
  case findRows
  /// ``Repository/changes(_:)``: one look at the result.
  case changes
  /// ``Repository/save(_:)``
  case save
  /// ``Repository/delete(_:)``
  case delete
  /// ``Repository/insert(_:)``
  case insert
  /// ``Repository/update(where:set:)``
  case update
  /// `delete(where:)`
  case deleteByQuery
  /// ``Repository/write(_:from:progress:)``
  case write

  /// Whether it changes nothing.
  public var isRead: Bool {
    switch self {
    case .find, .findAll, .count, .aggregates, .findRows, .changes: true
    case .save, .delete, .insert, .update, .deleteByQuery, .write: false
    }
  }
}
