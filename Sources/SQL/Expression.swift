/// A Boolean expression, and whether it needs parentheses to be part of another.
struct Expression {
  let sql: String
  let isCompound: Bool

  init(_ sql: String, isCompound: Bool = false) {
    self.sql = sql
    self.isCompound = isCompound
  }

  /// Expressions joined with `OR`.
  init(anyOf parts: [String]) {
    sql = parts.joined(separator: " OR ")
    isCompound = parts.count > 1
  }

  /// Expressions joined with `AND`.
  init(allOf parts: [String]) {
    sql = parts.joined(separator: " AND ")
    isCompound = parts.count > 1
  }

  static func constant(_ constant: Bool) -> Expression { Expression(constant ? "1 = 1" : "1 = 0") }

  /// The expression as a member of a join or behind `NOT`.
  var asMember: String { isCompound ? "(\(sql))" : sql }
}
