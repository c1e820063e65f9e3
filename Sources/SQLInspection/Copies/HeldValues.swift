import Query
import Repository
import SQLStore

/// What the rows of a table hold in columns whose declared types do not bind, found by one look at all rows.
struct HeldValues {
  /// What the rows hold in a column.
  struct Column {
    /// The narrowest type that takes all values; `nil` where all are null.
    fileprivate(set) var type: ValueType?
    fileprivate(set) var hasNull = false
    /// The greatest number of characters of a text.
    fileprivate(set) var length = 0
    /// The greatest numbers of digits before and after the point.
    fileprivate(set) var whole = 0
    fileprivate(set) var fraction = 0
    /// Whether all numbers are 0 or 1.
    fileprivate(set) var areBooleans = true
    /// Whether a number is an integer that a real would round.
    fileprivate(set) var isBeyondReals = false
  }

  private(set) var columns: [Name: Column] = [:]

  init(of sought: [ColumnSchema], in table: TableSchema, of store: SQLDatabase) throws {
    if sought.isEmpty { return }
    var held = [Column](repeating: Column(), count: sought.count)
    var mixed: Int?
    let request = ProjectionRequest(sought.map { .key($0.name) })
    try store.blocking.repository(Schema(table)).forEachRow(request, isSorted: false) { row in
      for (position, value) in row.enumerated() {
        guard held[position].add(value) else {
          mixed = position
          return false
        }
      }
      return true
    }
    if let mixed {
      throw RepositoryError(
        .unsupported, "can't copy \(sought[mixed].name) of \(table.name)",
        reason: "the column mixes bytes with other values, and the other database has no type for both",
        suggestion: "change the values, or name the tables to copy, without \(table.name)")
    }
    for (column, values) in zip(sought, held) { columns[Name(column.name)] = values }
  }

  /// The type that takes all values of a column.
  func type(of column: ColumnSchema) -> ValueType {
    guard let held = columns[Name(column.name)] else { return column.type }
    return switch held.type {
    case nil: column.type == .any ? .text : column.type
    case .integer where column.type == .real && !held.isBeyondReals: .real
    case .real where held.isBeyondReals: .text
    case let type?: type
    }
  }
}

extension HeldValues.Column {
  /// Takes a value into account.
  ///
  /// - Returns: `false` for bytes beside other values.
  fileprivate mutating func add(_ value: Value) -> Bool {
    guard let own = value.type else {
      hasNull = true
      return true
    }
    guard let union = (type ?? own).union(own) else { return false }
    type = union
    switch value {
    case .integer(let integer):
      if value.converted(to: .real) == nil { isBeyondReals = true }
      if integer != 0 && integer != 1 { areBooleans = false }
      count(digits: String(integer))
    case .real(let real):
      areBooleans = false
      count(digits: DecimalText.canonical(real).flatMap { DecimalText.plain($0) })
    case .text(let text): length = max(length, text.unicodeScalars.count)
    case .null, .blob: break
    }
    return true
  }

  private mutating func count(digits: String?) {
    guard let digits else {
      fraction = .max
      return
    }
    let parts = digits.drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
    whole = max(whole, parts[0] == "0" ? 0 : parts[0].utf8.count)
    if parts.count > 1 { fraction = max(fraction, parts[1].utf8.count) }
  }
}

extension Value {
  /// The type whose columns hold it; `nil` for null.
  fileprivate var type: ValueType? {
    switch self {
    case .null: nil
    case .integer: .integer
    case .real: .real
    case .text: .text
    case .blob: .blob
    }
  }
}
