/// What a repository was asked to do, by the requirements of ``Repository``.
public enum RepositoryOperation: String, Hashable, Sendable, CaseIterable {
  /// ``Repository/find(_:)``
  case find
  /// ``Repository/findAll(_:)``
  case findAll
  /// ``Repository/count(_:)``
  case count
  /// ``Repository/figures(_:)``
  case figures
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
    case .find, .findAll, .count, .figures, .changes: true
    case .save, .delete, .insert, .update, .deleteByQuery, .write: false
    }
  }
}
