package import Query

/// The words for true and false.
package enum BooleanWord {
  private static let words: [String: Int64] = [
    "t": 1, "true": 1, "y": 1, "yes": 1, "on": 1, "1": 1, "f": 0, "false": 0, "n": 0, "no": 0, "off": 0, "0": 0,
  ]

  /// Returns 1 or 0 for a word in any case; `nil` for any other text.
  package static func value(of text: String) -> Value? { words[text.lowercased()].map(Value.integer) }

  /// Returns whether a column of SQLite, which has no type for Booleans, is declared to hold them.
  static func isDeclared(_ column: ColumnSchema) -> Bool {
    guard column.type == .real, let declared = column.declaredType?.uppercased() else { return false }
    return ["BOOLEAN", "BOOL", "BIT"].contains(declared.prefix { $0 != "(" && $0 != " " })
  }
}
