package import Query

/// One write to one of several tables.
package enum WriteStep: Sendable, CustomStringConvertible {
  case insert(table: Int, [[Value]])
  case save(table: Int, [[Value]])
  case update(table: Int, AnyQuery, [Assignment])
  case delete(table: Int, [[Value]])
  case deleteWhere(table: Int, AnyQuery)
  case insertOnConflict(table: Int, [[Value]], ConflictRule)
  case updateReturning(table: Int, AnyQuery, [Assignment])
  case deleteReturning(table: Int, AnyQuery)

  package var description: String { text.shortened }

  private var text: String {
    switch self {
    case .insert(let table, let rows): "insert into t\(table): \(Self.text(rows))"
    case .save(let table, let rows): "save in t\(table): \(Self.text(rows))"
    case .update(let table, let query, let assignments):
      "update t\(table) where \(query): \(assignments.map(\.description).joined(separator: ", "))"
    case .delete(let table, let keys): "delete from t\(table): \(Self.text(keys))"
    case .deleteWhere(let table, let query): "delete from t\(table) where \(query)"
    case .insertOnConflict(let table, let rows, let rule): "insert into t\(table), \(rule): \(Self.text(rows))"
    case .updateReturning(let table, let query, let assignments):
      "update t\(table) where \(query), returning: \(assignments.map(\.description).joined(separator: ", "))"
    case .deleteReturning(let table, let query): "delete from t\(table) where \(query), returning"
    }
  }

  /// Steps that are simpler by one row, key or assignment.
  package var smaller: [WriteStep] {
    switch self {
    case .insert(let table, let rows): Self.without(rows).map { .insert(table: table, $0) }
    case .save(let table, let rows): Self.without(rows).map { .save(table: table, $0) }
    case .delete(let table, let keys): Self.without(keys).map { .delete(table: table, $0) }
    case .update(let table, let query, let assignments):
      query.smaller.map { .update(table: table, $0, assignments) }
        + Self.without(assignments).map { .update(table: table, query, $0) }
    case .deleteWhere(let table, let query): query.smaller.map { .deleteWhere(table: table, $0) }
    case .insertOnConflict(let table, let rows, let rule):
      Self.without(rows).map { .insertOnConflict(table: table, $0, rule) }
    case .updateReturning(let table, let query, let assignments):
      query.smaller.map { .updateReturning(table: table, $0, assignments) }
        + Self.without(assignments).map { .updateReturning(table: table, query, $0) }
    case .deleteReturning(let table, let query): query.smaller.map { .deleteReturning(table: table, $0) }
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
