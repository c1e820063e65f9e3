import Query
import Repository

/// One write to one of several tables.
enum WriteStep: Sendable, CustomStringConvertible {
  case insert(table: Int, [[Value]])
  case save(table: Int, [[Value]])
  case update(table: Int, AnyQuery, [Assignment])
  case delete(table: Int, [[Value]])
  case deleteWhere(table: Int, AnyQuery)

  var description: String {
    switch self {
    case .insert(let table, let rows): "insert into t\(table): \(Self.text(rows))"
    case .save(let table, let rows): "save in t\(table): \(Self.text(rows))"
    case .update(let table, let query, let assignments):
      "update t\(table) where \(query): \(assignments.map { "\($0.key) = \($0.value)" }.joined(separator: ", "))"
    case .delete(let table, let keys): "delete from t\(table): \(Self.text(keys))"
    case .deleteWhere(let table, let query): "delete from t\(table) where \(query)"
    }
  }

  /// What became of a step: rows or a count, or the error's code and summary.
  enum Outcome: Equatable, CustomStringConvertible {
    case rows([[Value]])
    case count(Int)
    case error(String)

    var description: String {
      switch self {
      case .rows(let rows): WriteStep.text(rows)
      case .count(let count): "\(count)"
      case .error(let text): text
      }
    }
  }

  /// Carries the step out.
  func run(_ tables: [TableSchema], _ repositories: [AnyRepository<Record>]) async -> Outcome {
    do throws(RepositoryError) {
      switch self {
      case .insert(let table, let rows):
        return .rows(try await repositories[table].insert(Self.records(rows, tables[table])).map(\.values))
      case .save(let table, let rows):
        try await repositories[table].save(Self.records(rows, tables[table]))
        return .count(rows.count)
      case .update(let table, let query, let assignments):
        return .count(try await repositories[table].update(where: query, set: assignments))
      case .delete(let table, let keys):
        return .count(try await repositories[table].delete(keys.map { RecordKey(values: $0) }))
      case .deleteWhere(let table, let query): return .count(try await repositories[table].delete(where: query))
      }
    } catch {
      return .error("\(error.code.rawValue): \(error.summary)")
    }
  }

  /// Steps that are simpler by one row, key or assignment.
  var smaller: [WriteStep] {
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

  private static func records(_ rows: [[Value]], _ table: TableSchema) -> [Record] {
    rows.map { Record(values: $0, in: table) }
  }

  fileprivate static func text(_ rows: [[Value]]) -> String {
    rows.map { "(\($0.map(\.description).joined(separator: ", ")))" }.joined(separator: " ")
  }
}
