import Query

/// What SQLite makes of a column's declared type.
enum DeclaredType {
  /// The type of a strict column, or the type that comes nearest to the affinity of a loose one.
  ///
  /// Source: SQLite, "Datatypes In SQLite", section 3.1 (the rules in their order) and "STRICT Tables".
  static func valueType(_ declared: String, isStrict: Bool) -> ValueType {
    let name = declared.uppercased()
    if isStrict && name == "ANY" { return .any }
    if name.contains("INT") { return .integer }
    if ["CHAR", "CLOB", "TEXT"].contains(where: name.contains) { return .text }
    if name.contains("BLOB") || name.isEmpty { return isStrict ? .blob : .any }
    return .real
  }
}
