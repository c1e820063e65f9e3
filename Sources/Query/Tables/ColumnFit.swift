/// Which values a column keeps as they are: those of its own type.
package struct ColumnFit: Sendable {
  private let type: ValueType
  private let isNullable: Bool

  package init(_ column: ColumnSchema) {
    type = column.type
    isNullable = column.isNullable || column.isGenerated
  }

  /// Whether a value is kept as it is.
  package func keeps(_ value: Value) -> Bool {
    switch (type, value) {
    case (.integer, .integer), (.text, .text), (.blob, .blob): true
    case (.real, .real(let real)): !real.isNaN
    case (_, .null): isNullable
    default: false
    }
  }
}
