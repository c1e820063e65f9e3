import Query

/// A column as SQLite and PostgreSQL can both describe it.
struct PortableColumn {
  /// A type that both databases have, be it by a check.
  enum Kind: Hashable {
    case boolean, integer, real, blob, any
    /// Numbers of up to so many digits, some of them after the point.
    case decimal(precision: Int, scale: Int)
    /// Exact numbers that only a server has as such.
    case digits(precision: Int?, scale: Int)
    /// Texts, of up to so many characters.
    case text(length: Int?)
  }

  /// A value that a row gets without one.
  enum Default: Hashable {
    case value(Value)
    /// `CURRENT_TIMESTAMP`, `CURRENT_DATE`: the present time as a text.
    case now(String)
    /// An expression that only one database has.
    case other(String)
  }

  let name: String
  /// The kind; that of the values, once these are known.
  var kind: Kind
  var isNullable: Bool
  let isGenerated: Bool
  /// Whether equality ignores the case of letters.
  let ignoresCase: Bool
  /// Whether both databases order the texts by their bytes.
  let isByBytes: Bool
  let defaultValue: Default?
  /// The name of the type, where texts of it are written with its name.
  let typeName: String
  /// Whether the values are numbers or texts that an expression can compare alike in both databases.
  let isComparable: Bool

  init(_ column: TableDefinition.Column, checks: [PortableExpression]) {
    let schema = column.schema
    name = schema.name
    isNullable = schema.isNullable
    isGenerated = schema.isGenerated
    let server = column.serverType
    var kind = server.map { Kind(server: $0.base, schema) } ?? Kind(declared: column.declaredType, schema)
    for check in checks {
      if case .text(nil) = kind, let (name, length) = check.greatestLength, Name(name) == schema.name {
        kind = .text(length: length)
      }
      if kind == .integer, let name = check.booleanColumn, Name(name) == schema.name { kind = .boolean }
    }
    self.kind = kind
    let isCitext = server?.base.split(separator: ".").last == "citext"
    ignoresCase =
      isCitext
      || (server == nil
        ? column.collation.map { Name("nocase").equalsFolded($0) } ?? false
        : schema.collation == ColumnSchema.unknownCollation)
    isByBytes = schema.collation == nil && column.collation == nil && server?.labels.isEmpty != false
    typeName = server == nil ? "" : Self.lastName(of: column.declaredType)
    isComparable = Self.isComparable(schema, server) && !ignoresCase && (column.collation == nil || server != nil)
    defaultValue = column.defaultExpression.flatMap {
      Self.readDefault($0, kind, schema.nativeType, isServer: server != nil)
    }
  }

  /// Whether values of the kinds of numbers or texts are compared as such.
  private static func isComparable(_ schema: ColumnSchema, _ server: TableDefinition.ServerType?) -> Bool {
    guard let server else { return true }
    switch schema.nativeType {
    case nil, .decimal, .boolean: return true
    case .text: return !server.labels.isEmpty
    default: return false
    }
  }

  private static func lastName(of type: String) -> String {
    String(type.split(separator: ".").last ?? "").replacing("\"", with: "")
  }

  /// The column as an expression names it; `nil` where the databases may compare its values differently.
  var operand: PortableExpression.Column? {
    guard isComparable else { return nil }
    switch kind {
    case .integer, .real, .decimal: return .init(name: name, kind: .number)
    case .text: return .init(name: name, kind: .text, isByBytes: isByBytes, typeName: typeName)
    case .boolean: return .init(name: name, kind: .truth)
    case .blob, .any, .digits: return nil
    }
  }

  /// The column in a line of a comparison.
  var summary: String {
    let type =
      switch kind {
      case .boolean: "boolean"
      case .integer: "integer"
      case .real: "real"
      case .blob: "blob"
      case .any: "any"
      case .decimal(let precision, let scale): "\(scale == 0 ? "integer" : "real") (\(precision),\(scale))"
      case .digits(let precision, let scale): precision.map { "text (\($0),\(scale))" } ?? "text"
      case .text(let length): length.map { "text (\($0))" } ?? "text"
      }
    return type + (isNullable ? "" : " not null") + (ignoresCase ? " collate nocase" : "")
      + (defaultText.map { " default \($0)" } ?? "")
  }

  private var defaultText: String? {
    switch defaultValue {
    case nil: nil
    case .value(let value): value.description
    case .now(let sql): sql
    case .other(let sql): isGenerated ? nil : sql
    }
  }
}

// MARK: - Types

extension PortableColumn.Kind {
  /// Makes the kind of a type that SQLite knows as words alone.
  init(declared type: String, _ schema: ColumnSchema) {
    let parts = type.split(separator: "(", maxSplits: 1)
    let word = (parts.first ?? "").trimmed.uppercased()
    let numbers =
      parts.count < 2 ? [] : parts[1].prefix { $0 != ")" }.split(separator: ",").map { Int($0.trimmed) ?? -1 }
    switch schema.type {
    case .text where numbers.count == 1 && numbers[0] > 0: self = .text(length: numbers[0])
    case .text: self = .text(length: nil)
    case _ where ["BOOL", "BOOLEAN"].contains(word): self = .boolean
    case _ where ["NUMERIC", "DECIMAL", "DEC"].contains(word) && !numbers.isEmpty && numbers.allSatisfy { $0 >= 0 }:
      self = .decimal(precision: numbers[0], scale: numbers.count > 1 ? numbers[1] : 0)
    case .integer: self = .integer
    case .real: self = .real
    case .any where word == "BLOB": self = .blob
    case .blob: self = .blob
    case .any: self = .any
    }
  }

  /// Makes the kind of a type of a server, of which the base type is known.
  init(server base: String, _ schema: ColumnSchema) {
    switch schema.nativeType {
    case .boolean: self = .boolean
    case .decimal(let precision, let scale): self = .decimal(precision: precision, scale: scale)
    case .numeric(let precision, let scale): self = .digits(precision: precision, scale: scale)
    default: self.init(schema.type, length: Self.length(of: base))
    }
  }

  init(_ type: ValueType, length: Int?) {
    switch type {
    case .integer: self = .integer
    case .real: self = .real
    case .blob: self = .blob
    case .any: self = .any
    case .text: self = .text(length: length)
    }
  }

  private static func length(of base: String) -> Int? {
    guard base.hasPrefix("character"), let start = base.firstIndex(of: "(") else { return nil }
    return Int(base[base.index(after: start)...].prefix { $0 != ")" })
  }
}

extension Substring {
  fileprivate var trimmed: String { split(separator: " ").joined(separator: " ") }
}

// MARK: - Defaults

extension PortableColumn {
  /// The present time as a text, in SQLite's words and in PostgreSQL's for a column of texts.
  static let presentTimes = [
    ("CURRENT_TIMESTAMP", "YYYY-MM-DD HH24:MI:SS"), ("CURRENT_DATE", "YYYY-MM-DD"), ("CURRENT_TIME", "HH24:MI:SS"),
  ]

  static func presentTime(_ name: String) -> String? {
    presentTimes.first { $0.0 == name }.map {
      "to_char((CURRENT_TIMESTAMP AT TIME ZONE 'UTC'), \(SQLName.literal($0.1)))"
    }
  }

  private static func readDefault(
    _ expression: String, _ kind: Kind, _ type: NativeColumnType?, isServer: Bool
  ) -> Default? {
    let text = expression.uppercased()
    if text == "NULL" || text.hasPrefix("NULL::") { return nil }
    if let value = constant(expression, kind, isServer: isServer) {
      // 1e10 and 10000000000 are the same number.
      if case .real(let real) = value, let whole = Int64(exactly: real) { return .value(.integer(whole)) }
      return .value(value)
    }
    if !isServer {
      return presentTimes.contains { $0.0 == text } && isText(kind) ? .now(text) : .other(expression)
    }
    switch type {
    case .timestamp(hasZone: false, _) where ["NOW()", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP"].contains(text):
      return .now("CURRENT_TIMESTAMP")
    case .day where text == "CURRENT_DATE": return .now("CURRENT_DATE")
    default: break
    }
    for (name, form) in presentTimes
    where expression.contains("'\(form)'") && text.contains("CURRENT_TIMESTAMP AT TIME") {
      return .now(name)
    }
    return .other(expression)
  }

  private static func isText(_ kind: Kind) -> Bool { if case .text = kind { true } else { false } }

  private static func constant(_ expression: String, _ kind: Kind, isServer: Bool) -> Value? {
    let word = expression.uppercased()
    if kind == .boolean {
      return ["TRUE", "1"].contains(word) ? .integer(1) : ["FALSE", "0"].contains(word) ? .integer(0) : nil
    }
    if kind == .blob {
      // '\x00ff'::bytea
      let isBytea = isServer && expression.hasPrefix("'\\x") && expression.hasSuffix("'::bytea")
      return Value(literal: isBytea ? "x'\(expression.dropFirst(3).dropLast(7))" : expression)
    }
    switch (PortableExpressionParser.constant(expression), kind) {
    case (.text(let text), .text): return .text(text)
    case (.text(let digits), .digits), (.number(let digits), .digits): return .text(digits)
    case (.number(let digits), .text): return isServer ? nil : .text(digits)
    case (.text(let digits), .integer), (.text(let digits), .real), (.text(let digits), .decimal),
      (.number(let digits), .integer), (.number(let digits), .real), (.number(let digits), .decimal):
      return Int64(digits).map(Value.integer) ?? Double(digits).map(Value.real)
    default: return isServer ? nil : Value(literal: expression).flatMap { $0.isNull ? nil : $0 }
    }
  }
}
