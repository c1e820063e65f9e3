/// A failed operation of a repository, for a ``FailurePolicy`` or a log.
public struct FailedOperation: Sendable {
  /// The error of the operation.
  public let error: RepositoryError
  /// The operation of the repository.
  public let operation: RepositoryOperation
  /// The type of the elements.
  public let element: any Storable.Type
  /// The number of failures so far: 1 at first.
  public let count: Int
  /// Whether the operation can be repeated, here or elsewhere.
  ///
  /// It can't be repeated if elements of a sequence were already pulled, since the sequence does not yield them again, or if a
  /// write has timed out: a server may have done the write.
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
  /// A line for a log: `find of Pokemon failed (busy): the store is busy; …`. It does not contain the values of the request.
  public var description: String {
    "\(operation.rawValue) of \(element) failed\(count > 1 ? " again" : "") (\(error.code.rawValue)): \(error)"
  }
}

/// An operation of a repository: one case for each kind of requirement of ``Repository``.
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
  /// ``Repository/changes(_:)``: a single fetch of the result.
  case changes
  /// ``Repository/save(_:)``
  case save
  /// ``Repository/delete(_:)``
  case delete
  /// ``Repository/insert(_:)``, and with a conflict rule
  case insert
  /// ``Repository/update(where:set:)``, and the variant that returns the elements
  case update
  /// `delete(where:)`, and the variant that returns the elements
  case deleteByQuery
  /// ``Repository/write(_:from:progress:)``
  case write

  /// Whether the operation changes nothing.
  public var isRead: Bool {
    switch self {
    case .find, .findAll, .count, .aggregates, .findRows, .changes: true
    case .save, .delete, .insert, .update, .deleteByQuery, .write: false
    }
  }
}
