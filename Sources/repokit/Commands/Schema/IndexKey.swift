import Query
import SQLInspection

/// A column by which an index sorts, as `index add` takes it: `weight`, or `weight desc`, which is descending.
struct IndexKey {
  let column: String
  let isDescending: Bool

  /// - Parameter table: has columns whose names go before; `nil` where it is not known yet.
  init(_ text: String, in table: TableSchema?) {
    let words = text.split(separator: " ", omittingEmptySubsequences: true)
    let order = words.count > 1 ? words[words.count - 1].lowercased() : ""
    guard ["asc", "desc"].contains(order), table?.columns.contains(named: text) != true else {
      (column, isDescending) = (Self.unquoted(text, in: table), false)
      return
    }
    column = Self.unquoted(words.dropLast().joined(separator: " "), in: table)
    isDescending = order == "desc"
  }

  /// Returns the keys of an argument: one, or several with commas between them.
  ///
  /// - Parameter table: has columns whose names go before; `nil` where it is not known yet.
  static func keys(_ text: String, in table: TableSchema?) -> [IndexKey] {
    let parts = text.split(separator: ",").map { $0.drop { $0 == " " } }
    let isList = parts.count > 1 && !text.contains("\"") && table?.columns.contains(named: text) != true
    return isList ? parts.map { IndexKey(String($0), in: table) } : [IndexKey(text, in: table)]
  }

  /// The name in double quotes, as it is written elsewhere, unless a column is called so with its quotes.
  private static func unquoted(_ text: String, in table: TableSchema?) -> String {
    var rest = text.unicodeScalars[...]
    guard rest.first == "\"", table?.columns.contains(named: text) != true else { return text }
    let quoted = QuotedWords.content(ofQuoted: &rest)
    return quoted.isClosed && rest.isEmpty ? quoted.text : text
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
