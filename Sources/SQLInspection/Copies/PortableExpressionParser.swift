import Query
import SQL

/// A reader of the expressions that SQLite and PostgreSQL evaluate alike, as either of them writes them.
struct PortableExpressionParser {
  /// The expression is not known to have the same meaning in both databases.
  struct Unportable: Error {}

  private let tokens: [SQLToken]
  private let columns: [PortableExpression.Column]
  private var position = 0
  private var depth = 0

  private init(_ sql: String, _ columns: [PortableExpression.Column]) {
    tokens = SQLToken.tokens(of: sql).filter { $0.kind != .comment }
    self.columns = columns
  }

  /// Reads a condition; `nil` for one that only its own database evaluates.
  static func condition(_ sql: String, columns: [PortableExpression.Column]) -> PortableExpression? {
    // PostgreSQL's own texts with escapes.
    if sql.contains("\\") { return nil }
    var parser = PortableExpressionParser(sql, columns)
    guard let expression = try? parser.readAny(), parser.position == parser.tokens.count,
      expression.kind(in: columns) == .truth
    else { return nil }
    return expression
  }

  /// Reads a constant: a number or a text, whatever type it is converted to.
  static func constant(_ sql: String) -> PortableExpression? {
    if sql.contains("\\") { return nil }
    var parser = PortableExpressionParser(sql, [])
    while parser.accept("(") {}
    let isNegative = parser.accept("-")
    guard var value = try? parser.readValue() else { return nil }
    if isNegative {
      guard case .number(let digits) = value else { return nil }
      value = .number("-\(digits)")
    }
    while parser.position < parser.tokens.count {
      if parser.accept(")") { continue }
      guard parser.accept(":"), parser.accept(":"), let type = try? parser.readType() else { return nil }
      value = (try? parser.converted(value, to: type)) ?? value
    }
    switch value {
    case .number, .text: return value
    default: return nil
    }
  }

  // MARK: Tokens

  private var next: SQLToken? { position < tokens.count ? tokens[position] : nil }

  private mutating func accept(_ symbol: String) -> Bool {
    guard next?.isSymbol(symbol) == true else { return false }
    position += 1
    return true
  }

  private mutating func accept(word: String) -> Bool {
    guard next?.isKeyword(word) == true else { return false }
    position += 1
    return true
  }

  private mutating func expect(_ symbol: String) throws(Unportable) {
    if !accept(symbol) { throw Unportable() }
  }

  private mutating func readName() throws(Unportable) -> String {
    guard let token = next, token.kind == .word || token.text.hasPrefix("\"") else { throw Unportable() }
    position += 1
    return token.name
  }

  // MARK: Conditions

  private mutating func readAny() throws(Unportable) -> PortableExpression {
    depth += 1
    defer { depth -= 1 }
    if depth > 50 { throw Unportable() }
    var parts = [try readAll()]
    while accept(word: "OR") { parts.append(try readAll()) }
    return try combined(parts) { PortableExpression.any(of: $0) }
  }

  private mutating func readAll() throws(Unportable) -> PortableExpression {
    var parts = [try readNegation()]
    while accept(word: "AND") { parts.append(try readNegation()) }
    return try combined(parts) { PortableExpression.all(of: $0) }
  }

  private func combined(
    _ parts: [PortableExpression], _ combine: ([PortableExpression]) -> PortableExpression
  ) throws(Unportable) -> PortableExpression {
    if parts.count == 1 { return parts[0] }
    if !parts.allSatisfy({ $0.kind(in: columns) == .truth }) { throw Unportable() }
    return combine(parts)
  }

  private mutating func readNegation() throws(Unportable) -> PortableExpression {
    guard accept(word: "NOT") else { return try readComparison() }
    let part = try readNegation()
    if part.kind(in: columns) != .truth { throw Unportable() }
    return .not(part)
  }

  private mutating func readComparison() throws(Unportable) -> PortableExpression {
    var left = try readSum()
    while let token = next {
      if token.isKeyword("IS") {
        position += 1
        let isNegated = accept(word: "NOT")
        if accept(word: "NULL") {
          left = .isNull(left, isNegated: isNegated)
        } else if !isNegated, left.kind(in: columns) == .truth, accept(word: "TRUE") || accept(word: "1") {
          left = .isTrue(left)
        } else {
          throw Unportable()
        }
      } else if accept(word: "NOTNULL") || accept(word: "ISNULL") {
        left = .isNull(left, isNegated: token.isKeyword("NOTNULL"))
      } else if token.isKeyword("IN") || token.isKeyword("BETWEEN") || token.isKeyword("NOT") {
        let isNegated = accept(word: "NOT")
        left = accept(word: "IN") ? try readMembers(of: left, isNegated) : try readRange(of: left, isNegated)
      } else if let sign = acceptSign() {
        left = try readRight(of: left, sign)
      } else {
        break
      }
    }
    return left
  }

  private mutating func acceptSign() -> String? {
    let signs = [("=", "="), ("<", ">"), ("<", "="), (">", "="), ("!", "=")]
    for (first, second) in signs where next?.isSymbol(first) == true {
      guard position + 1 < tokens.count, tokens[position + 1].isSymbol(second) else { continue }
      position += 2
      return first == "=" ? "=" : first == "!" ? "<>" : first + second
    }
    for sign in ["=", "<", ">"] where accept(sign) { return sign }
    return nil
  }

  private mutating func readRight(of left: PortableExpression, _ sign: String) throws(Unportable) -> PortableExpression
  {
    // `= ANY (ARRAY[…])` is how PostgreSQL keeps `IN (…)`.
    if sign == "=", accept(word: "ANY") { return try readArray(of: left, isNegated: false) }
    if sign == "<>", accept(word: "ALL") { return try readArray(of: left, isNegated: true) }
    return try compared(left, sign, try readSum())
  }

  private func compared(
    _ left: PortableExpression, _ sign: String, _ right: PortableExpression
  ) throws(Unportable) -> PortableExpression {
    let (one, two) = (left.kind(in: columns), right.kind(in: columns))
    // A truth value is compared with 1 and 0 in SQLite, and with true and false in PostgreSQL.
    if one == .truth, case .column = left, sign == "=" || sign == "<>", case .number(let digits) = right,
      digits == "0" || digits == "1"
    {
      return (digits == "1") == (sign == "=") ? left : .not(left)
    }
    guard let one, one == two, one != .truth,
      one == .number || ["=", "<>"].contains(sign) || left.isByBytes(in: columns) && right.isByBytes(in: columns)
    else { throw Unportable() }
    return .comparison(left, sign, right)
  }

  private mutating func readMembers(
    of left: PortableExpression, _ isNegated: Bool
  ) throws(Unportable) -> PortableExpression {
    try expect("(")
    var list: [PortableExpression] = []
    repeat { list.append(try readSum()) } while accept(",")
    try expect(")")
    return try member(left, list, isNegated: isNegated)
  }

  private func member(
    _ left: PortableExpression, _ list: [PortableExpression], isNegated: Bool
  ) throws(Unportable) -> PortableExpression {
    if left.kind(in: columns) == .truth { throw Unportable() }
    for part in list { _ = try compared(left, "=", part) }
    return .member(of: left, list, isNegated: isNegated)
  }

  private mutating func readRange(
    of left: PortableExpression, _ isNegated: Bool
  ) throws(Unportable) -> PortableExpression {
    if !accept(word: "BETWEEN") { throw Unportable() }
    let low = try readSum()
    if !accept(word: "AND") { throw Unportable() }
    let high = try readSum()
    let parts = (try compared(left, isNegated ? "<" : ">=", low), try compared(left, isNegated ? ">" : "<=", high))
    return isNegated ? .any([parts.0, parts.1]) : .all([parts.0, parts.1])
  }

  private mutating func readArray(
    of left: PortableExpression, isNegated: Bool
  ) throws(Unportable) -> PortableExpression {
    var open = 0
    while accept("(") { open += 1 }
    if !accept(word: "ARRAY") { throw Unportable() }
    // The reader of tokens takes brackets for quotes, as SQLite does.
    guard let token = next, token.text.hasPrefix("["), token.text.hasSuffix("]") else { throw Unportable() }
    position += 1
    var items = PortableExpressionParser(token.name, columns)
    var list: [PortableExpression] = []
    repeat { list.append(try items.readSum()) } while items.accept(",")
    if items.position < items.tokens.count { throw Unportable() }
    while open > 0 || next?.isSymbol(":") == true {
      if accept(":") {
        try expect(":")
        _ = try readType()
      } else {
        try expect(")")
        open -= 1
      }
    }
    return try member(left, list, isNegated: isNegated)
  }

  // MARK: Values

  private mutating func readSum() throws(Unportable) -> PortableExpression {
    var left = try readSigned()
    while let sign = ["+", "-", "*"].first(where: { next?.isSymbol($0) == true }) {
      position += 1
      let right = try readSigned()
      // What binds more tightly would have to be found first.
      if case .arithmetic(_, let other, _) = left, other != sign { throw Unportable() }
      if left.kind(in: columns) != .number || right.kind(in: columns) != .number { throw Unportable() }
      left = .arithmetic(left, sign, right)
    }
    // Division, concatenation, patterns and the like.
    if let next, next.kind == .symbol, ["/", "%", "|", "~", "&", "@"].contains(next.text) { throw Unportable() }
    return left
  }

  private mutating func readSigned() throws(Unportable) -> PortableExpression {
    if accept("+") { return try readSigned() }
    guard accept("-") else { return try readConverted() }
    guard case .number(let digits) = try readConverted(), !digits.hasPrefix("-") else { throw Unportable() }
    return .number("-\(digits)")
  }

  private mutating func readConverted() throws(Unportable) -> PortableExpression {
    var value = try readValue()
    while next?.isSymbol(":") == true {
      position += 1
      try expect(":")
      value = try converted(value, to: try readType())
    }
    return value
  }

  private mutating func readValue() throws(Unportable) -> PortableExpression {
    guard let token = next else { throw Unportable() }
    if accept("(") {
      let inner = try readAny()
      try expect(")")
      return inner
    }
    if token.kind == .quoted, token.text.hasPrefix("'") {
      position += 1
      return .text(token.name)
    }
    if token.isSymbol(".") || token.kind == .word && token.text.first?.isNumber == true { return try readNumber() }
    if accept(word: "TRUE") { return .number("1") }
    if accept(word: "FALSE") { return .number("0") }
    let isCall = position + 1 < tokens.count && tokens[position + 1].isSymbol("(")
    if isCall, token.kind == .word {
      guard ["length", "char_length", "character_length"].contains(token.text.lowercased()) else { throw Unportable() }
      position += 2
      let part = try readAny()
      try expect(")")
      if part.kind(in: columns) != .text { throw Unportable() }
      return .length(part)
    }
    if token.kind == .symbol { throw Unportable() }
    let name = Name(token.name)
    guard let column = columns.first(where: { Name($0.name).equalsFolded(name.text) }) else { throw Unportable() }
    position += 1
    return .column(column.name)
  }

  private mutating func readNumber() throws(Unportable) -> PortableExpression {
    var digits = ""
    while let token = next, token.isSymbol(".") || token.kind == .word && token.text.first?.isNumber == true {
      digits += token.text
      position += 1
    }
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }), Double(digits) != nil
    else { throw Unportable() }
    return .number(digits)
  }

  // MARK: Conversions

  private static let numberTypes: Set<String> = [
    "numeric", "integer", "bigint", "smallint", "double precision", "real",
  ]
  private static let textTypes: Set<String> = ["text", "character varying", "bpchar", "character"]

  /// Reads the name of a type, which may have a schema, a length and brackets.
  private mutating func readType() throws(Unportable) -> String {
    var type = try readName()
    while accept(".") { type = try readName() }
    for (first, words) in [
      ("character", ["varying"]), ("double", ["precision"]), ("timestamp", ["without", "with", "time", "zone"]),
      ("time", ["without", "with", "time", "zone"]),
    ] where type.lowercased() == first {
      while let word = words.first(where: { next?.isKeyword($0.uppercased()) == true }) {
        position += 1
        type += " \(word)"
      }
    }
    if accept("(") {
      while let token = next, !token.isSymbol(")") {
        position += 1
        _ = token
      }
      try expect(")")
    }
    while next?.text == "[]" { position += 1 }
    return type
  }

  private func converted(_ value: PortableExpression, to type: String) throws(Unportable) -> PortableExpression {
    switch (value, value.kind(in: columns)) {
    case (.text(let digits), _) where Self.numberTypes.contains(type):
      guard Double(digits) != nil, digits.utf8.allSatisfy({ "-.0123456789".utf8.contains($0) }) else {
        throw Unportable()
      }
      return .number(digits)
    case (.text, _) where Self.textTypes.contains(type) || columns.contains { Name($0.typeName) == type }: return value
    case (.number, _) where Self.numberTypes.contains(type): return value
    case (_, .number) where ["numeric", "double precision"].contains(type): return value
    case (_, .text) where Self.textTypes.contains(type): return value
    default: throw Unportable()
    }
  }
}
