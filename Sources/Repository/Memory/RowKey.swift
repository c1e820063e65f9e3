import Query

/// What tells a row apart, or what must not stand twice: the values of one or several columns, by which rows are looked up.
///
/// Keys are equal where their values are, so that 1.0 finds the row of 1. A key of one whole number, which most are, takes
/// no allocation.
enum RowKey: Hashable, Sendable {
  case integer(Int64)
  /// One value that is no whole number.
  case value(Value)
  /// Several values.
  case values([Value])

  init(_ value: Value) {
    switch value {
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = Int64(exactly: real).map(RowKey.integer) ?? .value(value)
    case .null, .text, .blob: self = .value(value)
    }
  }

  init(_ values: [Value]) {
    self = values.count == 1 ? RowKey(values[0]) : .values(values)
  }

  /// The key of a row.
  ///
  /// - Parameter columns: the positions of the key's columns.
  init(_ row: [Value], _ columns: [Int]) {
    self = columns.count == 1 ? RowKey(row[columns[0]]) : .values(columns.map { row[$0] })
  }

  /// Whether a part of the key is null.
  var hasNull: Bool {
    switch self {
    case .integer: false
    case .value(let value): value.isNull
    case .values(let values): values.contains(where: \.isNull)
    }
  }

  var values: [Value] {
    switch self {
    case .integer(let integer): [.integer(integer)]
    case .value(let value): [value]
    case .values(let values): values
    }
  }

  /// The number, of a key of one integer.
  var wholeNumber: Int64? {
    if case .integer(let integer) = self { integer } else { nil }
  }
}

extension RowKey: Comparable {
  /// Compares value by value.
  static func < (lhs: RowKey, rhs: RowKey) -> Bool {
    if case .integer(let lhs) = lhs, case .integer(let rhs) = rhs { return lhs < rhs }
    return lhs.values.lexicographicallyPrecedes(rhs.values)
  }
}
