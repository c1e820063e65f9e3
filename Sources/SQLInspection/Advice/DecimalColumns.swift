package import Query
import Repository
package import SQLStore

/// Refuses to compare numbers with columns of texts that are decimals: no catalog shows that a model keeps them so.
///
/// As texts, 9.5 and '9.5' would be compared with the whole of '001 9.99', and be answered wrongly without a word.
package struct DecimalColumns {
  private static let sampleSize = 20

  private let table: TableSchema
  private let store: SQLDatabase

  package init(table: TableSchema, store: SQLDatabase) {
    (self.table, self.store) = (table, store)
  }

  /// Checks the conditions of a query on columns of the table itself.
  ///
  /// - Throws: ``/Query/QueryError`` for a number that is compared with such a column; it shows the text to write.
  package func check(_ query: AnyQuery) throws(QueryError) {
    var decimals: [Name: Bool] = [:]
    for condition in query.conditions {
      if case .text = condition { continue }
      guard let key = condition.key?.plainKey, let column = table.columns.first(named: key),
        column.type == .text, column.format == nil
      else { continue }
      for case .value(let value) in condition.operands {
        guard let decimal = Self.decimal(value) else { continue }
        let holdsDecimals = decimals[Name(key)] ?? sampleIsDecimal(key)
        decimals[Name(key)] = holdsDecimals
        if holdsDecimals { throw Self.refusal(of: value, meaning: decimal, in: key) }
      }
    }
  }

  /// The text of the decimal that a value represents; `nil` where it represents none, or is that text.
  private static func decimal(_ value: Value) -> String? {
    if case .text(let text) = value, DecimalText.isCanonical(text) { return nil }
    return value.decimalText
  }

  /// Whether the first values of a column are decimals.
  private func sampleIsDecimal(_ key: String) -> Bool {
    var count = 0
    let rows = FetchRequest(.isNotNull(key: key), limit: Self.sampleSize)
    do {
      try store.blocking.repository(Schema(table)).forEachRow(
        ProjectionRequest([.key(key)], of: rows), isSorted: false
      ) {
        guard case .text(let text) = $0[0], DecimalText.isCanonical(text) else {
          count = 0
          return false
        }
        count += 1
        return true
      }
    } catch {
      return false
    }
    return count > 0
  }

  private static func refusal(of value: Value, meaning decimal: String, in key: String) -> QueryError {
    QueryError(
      .kindMismatch,
      "can't compare \(key) with \(value): \(key) stores decimals as text such as \(Value.text(decimal))",
      reason: "such text sorts like the decimals, but other text does not",
      suggestion: "write \(Value.text(decimal))")
  }
}
