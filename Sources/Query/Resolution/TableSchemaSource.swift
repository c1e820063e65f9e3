extension TableSchema {
  /// The Swift expression that makes this schema, to be pasted into a first migration: a migration describes the table as it was,
  /// and `Pokemon.schema` changes with the model.
  ///
  /// ```swift
  /// print(try Pokemon.schema.table().swiftSource)
  /// ```
  ///
  /// The expression omits the declared type and the collation of another program's column, which no new table has. Take the
  /// schema from the model: a schema that a store has read from a database lacks what only the model declares, such as formats,
  /// checks, and conditions of unique constraints.
  public var swiftSource: String {
    var arguments = [Self.literal(name)]
    arguments.append("columns: " + Self.list(columns.map(\.swiftSource), isLong: true))
    arguments.append("primaryKey: " + Self.names(primaryKey.map { columns[$0].name }))
    if !uniqueSets.isEmpty {
      arguments.append("unique: " + Self.list(uniqueSets.map { Self.names($0.map { columns[$0].name }) }))
    }
    if !partialUnique.isEmpty {
      let rules = partialUnique.map { "PartialUniqueRule(\(Self.names($0.columns)), where: \(Self.source($0.query)))" }
      arguments.append("partialUnique: " + Self.list(rules, isLong: true))
    }
    if !checks.isEmpty {
      let rules = checks.map { "CheckRule(\(Self.literal($0.name)), \(Self.source($0.query)))" }
      arguments.append("checks: " + Self.list(rules, isLong: true))
    }
    if !references.isEmpty {
      arguments.append("references: " + Self.list(references.map(\.swiftSource), isLong: true))
    }
    let source = "try TableSchema(\n" + arguments.map { "  \($0)" }.joined(separator: ",\n") + ")"
    return switch distribution {
    case nil: source
    case .by(let column): "\(source).distributed(.by(\(Self.literal(column))))"
    case .reference: "\(source).distributed(.reference)"
    }
  }

  private static func source(_ query: AnyQuery) -> String { "try AnyQuery(parsing: \(literal(query.description)))" }

  private static func list(_ items: [String], isLong: Bool = false) -> String {
    isLong ? "[\n" + items.map { "    \($0),\n" }.joined() + "  ]" : "[\(items.joined(separator: ", "))]"
  }

  fileprivate static func names(_ names: [String]) -> String { list(names.map(literal)) }

  /// Returns the literal of a text, with escapes of everything but printable ASCII, letters and marks.
  fileprivate static func literal(_ text: String) -> String {
    var literal = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": literal += "\\\(scalar)"
      case _ where scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7F: literal.unicodeScalars.append(scalar)
      case _ where !scalar.isASCII && scalar.properties.isAlphabetic: literal.unicodeScalars.append(scalar)
      default: literal += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(literal)\""
  }
}

extension ColumnSchema {
  /// The Swift expression that makes this column in a new table.
  fileprivate var swiftSource: String {
    var arguments = [TableSchema.literal(name), ".\(type.rawValue)"]
    if isNullable { arguments.append("isNullable: true") }
    if isUnique { arguments.append("isUnique: true") }
    if isIndexed { arguments.append("isIndexed: true") }
    if isGenerated { arguments.append("isGenerated: true") }
    if let defaultValue { arguments.append("defaultValue: \(defaultValue.swiftSource)") }
    if let format { arguments.append("format: .\(format.rawValue)") }
    return "ColumnSchema(\(arguments.joined(separator: ", ")))"
  }
}

extension ReferenceRule {
  fileprivate var swiftSource: String {
    let action = onDelete == .restrict ? "" : ", onDelete: .\(onDelete.rawValue)"
    return "ReferenceRule(\(TableSchema.names(columns)), to: \(TableSchema.literal(table)), "
      + "key: \(TableSchema.names(key))\(action)\(isDeferred ? ", isDeferred: true" : ""))"
  }
}

extension Value {
  fileprivate var swiftSource: String {
    switch self {
    case .null: ".null"
    case .integer(let integer): "\(integer)"
    case .real(let real): real.isFinite ? "\(real)" : ".real(\(real < 0 ? "-" : "").infinity)"
    case .text(let text): TableSchema.literal(text)
    case .blob(let bytes): ".blob(\(bytes))"
    }
  }
}
