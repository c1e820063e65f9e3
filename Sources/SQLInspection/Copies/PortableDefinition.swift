package import Query
import Repository
import SQLStore

// What of a table can be copied into a database of another kind; used by `DatabaseCopy`.
extension TableDefinition {
  /// The table as another database can have it: with its key, rules of uniqueness, references and the defaults that are values.
  ///
  /// - Returns: the table, the indexes that are to be made besides, and what is left out.
  package func portable() throws(QueryError) -> (table: TableSchema, indexes: [IndexDescription], leftOut: [String]) {
    var leftOut: [String] = []
    let own = indexes.filter { $0.origin == .uniqueRule && $0.condition == nil }.map { $0.columns.compactMap(\.self) }
    let columns = self.columns.map { column -> ColumnSchema in
      let schema = column.schema
      let value = column.defaultExpression.flatMap { Value(literal: $0) }
      if let expression = column.defaultExpression, value == nil {
        leftOut.append("the default \(expression) of \(schema.name)")
      }
      if column.generatedBy != nil { leftOut.append("the expression that computes \(schema.name)") }
      return ColumnSchema(
        schema.name, schema.type, isNullable: schema.isNullable,
        isUnique: own.contains { $0.elementsEqual([schema.name]) },
        isGenerated: schema.isGenerated, defaultValue: value)
    }
    leftOut += checks.map { "the check (\($0))" } + triggers.map { "the trigger \($0)" }
    let key = schema.primaryKeyColumns.map(\.name)
    let table = try TableSchema(
      schema.name, columns: columns, primaryKey: key,
      unique: own.filter { $0.count > 1 && !$0.elementsEqual(key) }, references: schema.references)
    let others = indexes.filter { $0.origin == .statement }
    for index in others where index.condition != nil || index.columns.contains(nil) {
      leftOut.append("the index \(index.name)")
    }
    return (table, others.filter { $0.condition == nil && !$0.columns.contains(nil) }, leftOut)
  }
}

extension ColumnSchema {
  /// Returns a value as any database can have it: what is of a type of this database's own, in the form that the database shows.
  func portable(_ value: Value) -> Value {
    switch (nativeType, value) {
    case (.numeric(let precision, let scale), .text(let text)):
      DecimalText.plain(text, scale: precision == nil ? 0 : max(scale, 0)).map(Value.text) ?? value
    case (.timestamp(let hasZone, _), .text(let text)):
      TimestampText.shown(text, hasZone: hasZone).map(Value.text) ?? value
    case (nil, .real(let real)) where holdsSingles && real.isFinite: .real(Double(Float(real).description) ?? real)
    default: value
    }
  }

  /// The same column with another type, which it has from now on in every way.
  package func retyped(_ type: ValueType) -> ColumnSchema {
    ColumnSchema(
      name, type, isNullable: isNullable, isUnique: isUnique, isIndexed: isIndexed,
      isGenerated: isGenerated && type == .integer, defaultValue: defaultValue?.converted(to: type))
  }
}

extension ValueType {
  /// The narrowest type whose columns hold the values of both, each told from all others; `nil` for bytes beside other values.
  package func union(_ other: ValueType) -> ValueType? {
    if self == other || other == .any { return other }
    return switch (self, other) {
    case (.any, _): .any
    case (.blob, _), (_, .blob): nil
    case (.integer, .real), (.real, .integer): .real
    default: .text
    }
  }
}
