import Query

/// A column, with its values in some rows.
struct SampleColumn: Sendable {
  let schema: ColumnSchema
  let position: Int
  /// Whether the column is a part of the primary key.
  let isKey: Bool
  /// Whether no two rows have the same value, according to the schema.
  let isUnique: Bool
  /// The values besides null, each once, in their order.
  let values: [Value]
  let hasNull: Bool
  /// Whether two rows have the same value.
  let hasTies: Bool

  var key: String { schema.name }

  func holds(_ kind: Value.Kind) -> Bool { schema.kinds.contains(kind) }

  init(_ table: TableSchema, _ position: Int, rows: [[Value]]) {
    schema = table.columns[position]
    self.position = position
    isKey = table.primaryKey.contains(position)
    isUnique = schema.isUnique || table.primaryKey == [position]
    values = Set(rows.map { $0[position] }).filter { !$0.isNull }.sorted()
    hasNull = rows.contains { $0[position].isNull }
    hasTies = Set(rows.map { $0[position] }).count < rows.count
  }

  /// Some of the values: the smallest, the largest, and some between.
  var someValues: [Value] {
    let most = 5
    if values.count <= most { return values }
    return (0..<most).map { values[$0 * (values.count - 1) / (most - 1)] }
  }

  /// Some values of the rows, and values close to them.
  var probes: [Value] {
    var probes = someValues
    for value in someValues {
      switch value {
      case .integer(let integer):
        probes += [.integer(integer.addingReportingOverflow(1).partialValue), .real(Double(integer) + 0.5)]
      case .real(let real) where real.isFinite: probes += [.real(real.nextUp), .real(real.nextDown.rounded())]
      case .text(let text): probes += [.text(text + " "), .text(String(text.dropLast())), .text(text.uppercased())]
      case .blob(let bytes): probes += [.blob(bytes + [0])]
      case .null, .real: break
      }
    }
    // A text that is not in the column's format, such as a part of a UUID, could not be compared with the column.
    return Set(probes.filter(schema.isInFormat)).sorted()
  }

  /// The texts of some rows that are not empty.
  var texts: [String] {
    someValues.compactMap { value in
      if case .text(let text) = value, !text.isEmpty { text } else { nil }
    }
  }
}
