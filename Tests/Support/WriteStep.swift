package import Query

/// One write to one of several tables.
package enum WriteStep: Sendable, CustomStringConvertible {
  case insert(table: Int, [[Value]])
  case save(table: Int, [[Value]])
  case update(table: Int, AnyQuery, [Assignment])
  case delete(table: Int, [[Value]])
  case deleteWhere(table: Int, AnyQuery)

  package var description: String {
    switch self {
    case .insert(let table, let rows): "insert into t\(table): \(Self.text(rows))"
    case .save(let table, let rows): "save in t\(table): \(Self.text(rows))"
    case .update(let table, let query, let assignments):
      "update t\(table) where \(query): \(assignments.map(\.description).joined(separator: ", "))"
    case .delete(let table, let keys): "delete from t\(table): \(Self.text(keys))"
    case .deleteWhere(let table, let query): "delete from t\(table) where \(query)"
    }
  }

  /// Steps that are simpler by one row, key or assignment.
  package var smaller: [WriteStep] {
    switch self {
    case .insert(let table, let rows): Self.without(rows).map { .insert(table: table, $0) }
    case .save(let table, let rows): Self.without(rows).map { .save(table: table, $0) }
    case .delete(let table, let keys): Self.without(keys).map { .delete(table: table, $0) }
    case .update(let table, let query, let assignments):
      (query == .true ? [] : [.update(table: table, .true, assignments)])
        + Self.without(assignments).map { .update(table: table, query, $0) }
    case .deleteWhere(let table, let query): query == .true ? [] : [.deleteWhere(table: table, .true)]
    }
  }

  private static func without<Element>(_ elements: [Element]) -> [[Element]] {
    if elements.count < 2 { return [] }
    return elements.indices.map { index in
      var rest = elements
      rest.remove(at: index)
      return rest
    }
  }

  /// Rows as a report shows them.
  package static func text(_ rows: [[Value]]) -> String {
    rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " ")
  }
}
