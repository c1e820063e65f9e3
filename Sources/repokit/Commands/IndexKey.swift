import Query
import Repository
import SQL
import SQLInspection
import SQLStore

/// A column by which an index sorts, as `index add` takes it: `weight`, or `weight desc` from great to small.
struct IndexKey {
  let column: String
  let isDescending: Bool

  /// - Parameter table: has columns whose names go before; `nil` where it is not known yet.
  init(_ text: String, in table: TableSchema?) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    let order = words.count > 1 ? words[words.count - 1].lowercased() : ""
    guard ["asc", "desc"].contains(order), table?.columns.contains(named: text) != true else {
      (column, isDescending) = (text, false)
      return
    }
    column = words.dropLast().joined(separator: " ")
    isDescending = order == "desc"
  }

  init(_ column: String, isDescending: Bool) {
    (self.column, self.isDescending) = (column, isDescending)
  }

  /// As it is written.
  var text: String { isDescending ? "\(column) desc" : column }

  /// Whether an index has these keys.
  static func areEqual(_ keys: [IndexKey], _ index: IndexDescription) -> Bool {
    index.terms.count == keys.count
      && zip(index.terms, keys).allSatisfy { term, key in
        term.column.map { Name($0) == key.column } == true && term.isDescending == key.isDescending
      }
  }
}

extension SQLTransaction {
  /// Creates an index.
  func createIndex(_ name: String, on keys: [IndexKey], of table: TableSchema, isUnique: Bool) throws(RepositoryError) {
    guard keys.contains(where: \.isDescending) else {
      return try createIndex(name, on: keys.map(\.column), of: table, isUnique: isUnique)
    }
    try performBlocking(.write) { connection throws(RepositoryError) in
      let dialect = connection.compiler.dialect
      let terms = keys.map { key in
        let isNullable = table.columns.first(named: key.column)?.isNullable ?? true
        let term = dialect.indexTerm(key.column, isNullable: isNullable)
        if !key.isDescending { return term }
        // The order of requests, in which null is less than any value.
        let first = " NULLS FIRST"
        return term.hasSuffix(first) ? "\(term.dropLast(first.count)) DESC NULLS LAST" : "\(term) DESC"
      }
      _ = try connection.execute(
        "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(dialect.quoted(name)) ON \(dialect.quoted(table.name)) "
          + "(\(terms.joined(separator: ", ")))")
    }
  }
}
