import Query

/// The elements to which others refer, by their keys.
///
/// It is no dictionary, because keys are compared as a store compares them: to `String`, a composed and a decomposed "é"
/// are one key, in a table they are two.
public struct Parents<Parent: Storable>: Sendable {
  /// The parents, in the order of their primary key.
  public let all: [Parent]
  private let positions: [[Value]: Int]

  init(_ found: [Parent], for keys: Set<[Value]>, in table: TableSchema) throws(RepositoryError) {
    var all: [Parent] = []
    var positions: [[Value]: Int] = [:]
    for parent in found {
      // A key of several columns was asked for column by column, which finds combinations that nobody refers to.
      let key = try table.key(parent.id)
      if keys.contains(key), positions.updateValue(all.count, forKey: key) == nil { all.append(parent) }
    }
    self.all = all
    self.positions = positions
  }

  /// The element to which a foreign key refers; `nil` where the key is `nil`, and where there is no such element.
  public subscript(_ id: Parent.ID?) -> Parent? {
    guard let id, let key = try? id.keyValues() else { return nil }
    return positions[key].map { all[$0] }
  }
}
