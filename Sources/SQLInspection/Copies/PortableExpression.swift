import Query

/// An expression of a check, or the condition of an index, that has the same meaning in SQLite and in PostgreSQL.
///
/// SQLite: https://www.sqlite.org/lang_expr.html, PostgreSQL: https://www.postgresql.org/docs/15/functions.html
indirect enum PortableExpression: Hashable {
  case column(String)
  /// A number as it is written.
  case number(String)
  case text(String)
  case all([PortableExpression])
  case any([PortableExpression])
  case not(PortableExpression)
  /// Two numbers or texts, with the operator between them.
  case comparison(PortableExpression, String, PortableExpression)
  case arithmetic(PortableExpression, String, PortableExpression)
  case isNull(PortableExpression, isNegated: Bool)
  case isTrue(PortableExpression)
  case member(PortableExpression, [PortableExpression], isNegated: Bool)
  case length(PortableExpression)

  /// The kind of an expression's values.
  enum Kind {
    case number, text, truth
  }

  /// A column as far as an expression needs to know it.
  struct Column {
    let name: String
    let kind: Kind
    /// Whether both databases order its texts by their bytes.
    var isByBytes = true
    /// The name of the type whose texts are written with it, such as that of an enumeration.
    var typeName = ""
  }

  /// The expression as SQL of both databases, which is the same for expressions of the same meaning that are written otherwise.
  var sql: String {
    switch self {
    case .column(let name): SQLName.quoted(name)
    case .number(let digits): digits
    case .text(let text): SQLName.literal(text)
    case .all(let parts): parts.map(\.enclosed).joined(separator: " AND ")
    case .any(let parts): parts.map(\.enclosed).joined(separator: " OR ")
    case .not(let part): "NOT \(part.enclosed)"
    case .comparison(let left, let sign, let right), .arithmetic(let left, let sign, let right):
      "\(left.enclosed) \(sign) \(right.enclosed)"
    case .isNull(let part, let isNegated): "\(part.enclosed) IS \(isNegated ? "NOT " : "")NULL"
    case .isTrue(let part): "\(part.enclosed) IS TRUE"
    case .member(let part, let list, let isNegated):
      "\(part.enclosed) \(isNegated ? "NOT " : "")IN (\(list.map(\.sql).joined(separator: ", ")))"
    case .length(let part): "length(\(part.sql))"
    }
  }

  private var enclosed: String {
    switch self {
    case .column, .number, .text, .length: sql
    default: "(\(sql))"
    }
  }

  /// The kind of the values; `nil` where it depends on what is not known here.
  func kind(in columns: [Column]) -> Kind? {
    switch self {
    case .column(let name): columns.first { Name($0.name) == name }?.kind
    case .number, .arithmetic, .length: .number
    case .text: .text
    case .all, .any, .not, .comparison, .isNull, .isTrue, .member: .truth
    }
  }

  /// Whether no column is named whose texts a database does not order by their bytes.
  func isByBytes(in columns: [Column]) -> Bool {
    if case .column(let name) = self { return columns.first { Name($0.name) == name }?.isByBytes == true }
    return true
  }

  /// A combination of conditions, without those that are combinations of the same kind.
  static func all(of parts: [PortableExpression]) -> PortableExpression {
    let parts = parts.flatMap { if case .all(let inner) = $0 { inner } else { [$0] } }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  static func any(of parts: [PortableExpression]) -> PortableExpression {
    let parts = parts.flatMap { if case .any(let inner) = $0 { inner } else { [$0] } }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  /// The condition that a value is one of a few.
  static func member(of part: PortableExpression, _ list: [PortableExpression], isNegated: Bool) -> PortableExpression {
    list.count == 1
      ? .comparison(part, isNegated ? "<>" : "=", list[0]) : .member(part, list, isNegated: isNegated)
  }
}

extension PortableExpression {
  /// The greatest length of a text, if that is what a check says, with the column.
  var greatestLength: (column: String, length: Int)? {
    guard case .comparison(.length(.column(let name)), "<=", .number(let digits)) = self, let length = Int(digits)
    else { return nil }
    return (name, length)
  }

  /// The column that a check restricts to 0 and 1.
  var booleanColumn: String? {
    guard case .member(.column(let name), let list, false) = self, Set(list) == [.number("0"), .number("1")] else {
      return nil
    }
    return name
  }
}

/// Names and texts as SQL, alike in both databases.
enum SQLName {
  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

  static func list(_ names: [String]) -> String { names.map(quoted).joined(separator: ", ") }

  static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }
}
