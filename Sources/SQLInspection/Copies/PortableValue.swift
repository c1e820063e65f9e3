package import Query

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
