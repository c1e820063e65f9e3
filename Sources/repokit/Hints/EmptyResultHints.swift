import Query
import SQLiteStore

/// What may help somebody whose query finds nothing: values that a column does not have, and those that it has instead.
///
/// It looks at a bounded part of the table, so that no hint costs more than a moment.
struct EmptyResultHints {
  private static let mostHints = 3
  private static let mostConditions = 100

  private let table: OpenTable

  init(of table: OpenTable) {
    self.table = table
  }

  /// A line for each hint.
  func hints(for query: AnyQuery) -> [String] {
    var values: [Int: ColumnValues] = [:]
    var hints: [String] = []
    for condition in Self.conditions(of: query) where hints.count < Self.mostHints {
      guard let wanted = WantedValues(condition), let column = try? table.schema.position(of: wanted.key) else {
        continue
      }
      let present = values[column] ?? ColumnValues(of: column, in: table)
      values[column] = present
      if present.isEmpty { return ["\(TerminalText.visible(table.schema.name)) has no rows"] }
      hints += wanted.hints(for: present, called: TerminalText.visible(table.schema.columns[column].name))
    }
    return Array(hints.prefix(Self.mostHints))
  }

  /// The conditions that have to hold, rather than their opposites.
  private static func conditions(of query: AnyQuery) -> [Condition<String>] {
    guard query.partCount <= mostConditions else { return [] }
    var conditions: [Condition<String>] = []
    var pending = [query]
    while let query = pending.popLast() {
      switch query.form {
      case .condition(let condition): conditions.append(condition)
      case .and(let lhs, let rhs), .or(let lhs, let rhs): pending += [rhs, lhs]
      case .not: break
      }
    }
    return conditions
  }
}
