public import Query

/// The elements that refer to others, by the keys to which they refer.
///
/// It is no dictionary, because keys are compared as a store compares them: to `String`, a composed and a decomposed "é"
/// are one key, in a table they are two.
public struct Children<ParentID: ValueConvertible, Child: Storable>: Sendable {
  /// The children of all parents, in the order that was asked for.
  public let all: [Child]
  private let groups: [Value: [Child]]

  init(_ found: [Child], parent: (Child) -> ParentID?) throws(RepositoryError) {
    var groups: [Value: [Child]] = [:]
    for child in found {
      guard let id = parent(child) else { continue }
      groups[try .foreignKey(id), default: []].append(child)
    }
    all = found
    self.groups = groups
  }

  /// The children of the parent with a key, in the order that was asked for; none where it has none.
  public subscript(_ id: ParentID) -> [Child] {
    (try? id.makeValue()).flatMap { groups[$0] } ?? []
  }
}

extension Value {
  /// The value of a foreign key.
  static func foreignKey(_ id: some ValueConvertible) throws(RepositoryError) -> Value {
    do throws(ValueError) {
      return try id.makeValue()
    } catch {
      throw RepositoryError(
        .invalidValue, "this key can't be asked for", reason: error.summary, suggestion: error.suggestion,
        underlying: error)
    }
  }
}
