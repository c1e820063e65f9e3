/// An expression whose keys were found in a table and whose types fit.
package struct ResolvedExpression: Sendable {
  /// The form of a resolved expression.
  package indirect enum Form: Sendable {
    /// The column at a position.
    case column(Int)
    /// The column at a position in a row that a join leads to, by the join's position in the scope.
    case joined(join: Int, column: Int)
    /// The value of a column, converted when it is read.
    case converted(ResolvedExpression, ValueConversion)
    case value(Value)
    case function(ExpressionFunction, [ResolvedExpression])
    case conditional(NormalizedPredicate, then: ResolvedExpression, else: ResolvedExpression)
    case aggregate(AnyAggregate.Function, RelatedScope)
    case exists(RelatedScope)
  }

  package let form: Form
  package let type: ExpressionType

  package init(form: Form, type: ExpressionType) { (self.form, self.type) = (form, type) }

  /// The expressions of the same row from which the value is computed, without those of a condition.
  package var operands: [ResolvedExpression] {
    switch form {
    case .column, .joined, .value, .aggregate, .exists: []
    case .converted(let column, _): [column]
    case .function(_, let arguments): arguments
    case .conditional(_, let then, let otherwise): [then, otherwise]
    }
  }

  /// Whether the value depends on rows of other tables.
  var needsOtherRows: Bool {
    switch form {
    case .joined, .aggregate, .exists: true
    case .column, .value, .converted, .function, .conditional: operands.contains(where: \.needsOtherRows)
    }
  }
}

/// The conversion of a value of a column whose meaning the database does not know: a JSON text of which a part is read, or
/// a number that is a date.
package enum ValueConversion: Hashable, Sendable {
  /// The value at a position in a JSON text.
  case json(JSONPointer)
  /// The text of a date that is kept as a number.
  case date(NumericDateForm)

  /// Returns the converted value.
  package func value(of value: Value) -> Value {
    switch self {
    case .json(let pointer): pointer.value(in: value)
    case .date(let form): form.text(of: value)
    }
  }

  /// The position or the form, as a text.
  package var argument: String {
    switch self {
    case .json(let pointer): pointer.description
    case .date(let form): form.rawValue
    }
  }
}

/// The type of the values of an expression.
package struct ExpressionType: Hashable, Sendable {
  /// The types that values can have, besides null.
  package enum Kind: Hashable, Sendable {
    /// Only null.
    case null
    case integer
    case real
    /// Integers and reals.
    case number
    case text
    case blob
    /// Texts and blobs, as in a column of texts that guarantees no type.
    case textOrBlob
    /// Values of any kind.
    case any
  }

  package let kind: Kind
  package var isNullable: Bool
  /// The format of the texts, if all have one.
  package let format: ValueFormat?

  package init(_ kind: Kind, isNullable: Bool = true, format: ValueFormat? = nil) {
    (self.kind, self.isNullable, self.format) = (kind, isNullable, format)
  }

  /// Makes the type of a column's values.
  package init(_ column: ColumnSchema) {
    let kind: Kind =
      switch column.type {
      case _ where column.declaredType != nil: column.type == .text ? .textOrBlob : .any
      case .integer: .integer
      case .real: .real
      case .text: .text
      case .blob: .blob
      case .any: .any
      }
    self.init(kind, isNullable: column.isNullable, format: column.format)
  }

  /// Makes the type of a value.
  package init(of value: Value) {
    switch value {
    case .null: self.init(.null)
    case .integer: self.init(.integer, isNullable: false)
    case .real: self.init(.real, isNullable: false)
    case .text: self.init(.text, isNullable: false)
    case .blob: self.init(.blob, isNullable: false)
    }
  }

  /// The type of a null in place of such values; without a format, since there is no text.
  var ofNull: ExpressionType { ExpressionType(kind) }

  /// Whether the values may include numbers.
  var mayBeNumber: Bool { [.null, .integer, .real, .number, .any].contains(kind) }

  /// Whether the values may include texts.
  var mayBeText: Bool { [.null, .text, .textOrBlob, .any].contains(kind) }

  /// The name of the values in messages.
  package var plural: String {
    switch kind {
    case .null: "nulls"
    case .integer: "integers"
    case .real: "reals"
    case .number: "numbers"
    case .text: format == .decimal ? "decimals" : "text"
    case .textOrBlob: "text"
    case .blob: "blobs"
    case .any: "values"
    }
  }

  /// The name of one value in messages, with its article.
  var singular: String {
    switch kind {
    case .null: "null"
    case .integer: "an integer"
    case .text where format != .decimal, .textOrBlob: "text"
    case .any: "a value of any type"
    default: "a \(plural.dropLast())"
    }
  }

  /// Returns the type that holds the values of both; `nil` if they are not comparable. An integer next to a real becomes a
  /// real.
  func union(_ other: ExpressionType) -> ExpressionType? {
    let kind: Kind
    // The text of a decimal is not that of the number.
    let areTexts = mayBeText && other.mayBeText && self.kind != .null && other.kind != .null
    if areTexts, (format == .decimal) != (other.format == .decimal) { return nil }
    switch (self.kind, other.kind) {
    case (let lhs, let rhs) where lhs == rhs: kind = lhs
    case (.null, let known), (let known, .null): kind = known
    case (.any, _), (_, .any): kind = .any
    case (.textOrBlob, .text), (.textOrBlob, .blob), (.text, .textOrBlob), (.blob, .textOrBlob): kind = .textOrBlob
    case (.integer, .real), (.real, .integer): kind = .real
    case (.number, .integer), (.number, .real), (.integer, .number), (.real, .number): kind = .number
    default: return nil
    }
    let format =
      self.kind == .null ? other.format : other.kind == .null ? format : format == other.format ? format : nil
    return ExpressionType(kind, isNullable: isNullable || other.isNullable, format: format)
  }

  /// Returns a column that holds such values.
  package func column(_ name: String) -> ColumnSchema {
    let type: ValueType =
      switch kind {
      case .integer: .integer
      case .real: .real
      case .text, .textOrBlob: .text
      case .blob: .blob
      case .null, .number, .any: .any
      }
    return ColumnSchema(
      name, type, isNullable: isNullable, declaredType: kind == .textOrBlob ? "" : nil, format: format)
  }
}

/// The scope of a request: the columns of its table, and the computed expressions that the request names.
package struct RowScope: Sendable {
  /// A reference that a path follows, to one row or none.
  package struct Join: Sendable {
    /// The position of the join whose row holds the reference; `nil` for the row of the request's table.
    package let source: Int?
    /// The positions of the referring columns.
    package let columns: [Int]
    /// The referenced table.
    package let table: TableSchema
    /// The positions of the referenced columns.
    package let key: [Int]
  }

  /// An expression with a position of its own, after those of the table's columns.
  package struct Computed: Sendable {
    /// The expression as it was requested.
    package let requested: AnyExpression
    package let expression: ResolvedExpression
    /// The description of its values.
    package let column: ColumnSchema
  }

  /// The table.
  package let table: TableSchema
  package internal(set) var joins: [Join] = []
  package internal(set) var computed: [Computed] = []

  package init(_ table: TableSchema) {
    self.table = table
  }

  /// Returns the description of the values at a position.
  package func column(_ position: Int) -> ColumnSchema {
    position < table.columns.count ? table.columns[position] : computed[position - table.columns.count].column
  }

  /// Returns the type of the values at a position. A column can't tell a null without a type from a value of any type.
  func type(_ position: Int) -> ExpressionType { expression(position)?.type ?? ExpressionType(column(position)) }

  /// Returns the expression at a position; `nil` for a column of the table.
  package func expression(_ position: Int) -> ResolvedExpression? {
    position < table.columns.count ? nil : computed[position - table.columns.count].expression
  }

  /// Returns the expression at a position, as it was requested.
  package func requested(_ position: Int) -> AnyExpression {
    position < table.columns.count
      ? .key(table.columns[position].name) : computed[position - table.columns.count].requested
  }

  /// Whether computed values depend on rows of other tables.
  package var needsOtherRows: Bool { computed.contains { $0.expression.needsOtherRows } }

  /// Returns the name of the expression at a position, as it was requested.
  package func name(_ position: Int) -> String {
    position < table.columns.count
      ? table.columns[position].name : computed[position - table.columns.count].requested.description
  }
}

/// The rows that refer to a row, with the expressions that are evaluated on them.
package final class RelatedScope: Sendable {
  /// The scope of a referring row.
  package let scope: RowScope
  /// The positions of the referring columns.
  package let columns: [Int]
  /// The positions of the referenced columns in the referenced table.
  package let key: [Int]
  package let predicate: NormalizedPredicate
  /// The position of the aggregated expression; `nil` for the rows themselves.
  package let aggregated: Int?

  init(_ scope: RowScope, columns: [Int], key: [Int], predicate: NormalizedPredicate, aggregated: Int?) {
    (self.scope, self.columns, self.key, self.predicate) = (scope, columns, key, predicate)
    self.aggregated = aggregated
  }
}
