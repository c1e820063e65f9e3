import Query
import Repository

/// A checksum that changes, in practice, when a migration is edited.
struct MigrationChecksum {
  let text: String

  init(of steps: [MigrationStep]) {
    var hash = FNVHash()
    for step in steps {
      for word in step.declaration {
        hash.add(word)
        // A byte that no text contains, so that distinct lists of words have distinct bytes.
        hash.add(0xFF)
      }
      hash.add(0xFE)
    }
    text = Hexadecimal.digits(of: hash.value, atLeast: 16)
  }
}

// MARK: - Declarations in words

extension TableSchema {
  /// The table in words, for the checksum. Absent properties are not mentioned, so that the description of older tables does not
  /// change with new properties.
  var declaration: [String] {
    var words = ["table", name]
    for column in columns { words += column.declaration }
    words += ["key"] + primaryKeyColumns.map(\.name)
    for set in uniqueSets { words += ["unique together"] + set.map { columns[$0].name } }
    for rule in partialUnique { words += ["unique together"] + rule.columns + ["where", rule.query.description] }
    for check in checks { words += ["check", check.name, check.query.description] }
    for reference in references { words += reference.declaration }
    switch distribution {
    case nil: return words
    case .by(let column): return words + ["distributed by", column]
    case .reference: return words + ["distributed as reference"]
    }
  }
}

extension ColumnSchema {
  /// The column in words, for the checksum.
  var declaration: [String] {
    var words = ["column", name, type.rawValue]
    if isNullable { words.append("nullable") }
    if isUnique { words.append("unique") }
    if isIndexed { words.append("indexed") }
    if let defaultValue { words += ["default", "\(defaultValue)"] }
    if isGenerated { words.append("generated") }
    if let declaredType { words += ["declared as", declaredType] }
    return words
  }
}

extension ReferenceRule {
  /// The foreign key in words, for the checksum.
  fileprivate var declaration: [String] {
    ["reference"] + columns + ["to", table] + key + ["on delete", onDelete.rawValue] + (isDeferred ? ["deferred"] : [])
  }
}

extension SQLStatement {
  /// The statement and its values in words, for the checksum.
  var declaration: [String] { ["sql", sql] + bindings.map { "\($0.kind) \($0)" } }
}
