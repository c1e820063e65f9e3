import ErrorDetails

// Suggestions for an error in a query at the reader's current token; `nil` if there is none.

extension QueryParser {
  /// The suggestion where a condition is expected.
  var conditionSuggestion: String? {
    switch reader.current.kind {
    case .end where reader.previous == nil: "write `true` for everything"
    case .word(.and), .word(.or): "remove the word, or put a key of this name in double quotes"
    case .word(.null): reservedSuggestion
    case .parameter: "a parameter stands for a value; start with the key, as in weight > 90"
    case .word, .comparisonOperator, .literal: "start with the key, as in weight > 90"
    case .rightParenthesis, .end: "write a condition, such as weight > 90"
    default: nil
    }
  }

  private var reservedSuggestion: String {
    "put a key of this name in double quotes: \"\(reader.excerpt(of: reader.current))\""
  }

  /// The suggestion where an operator is expected after a key, or after a key and `not`.
  func operatorSuggestion(key: Token, isNegated: Bool) -> String? {
    let found = reader.excerpt(of: reader.current)
    let name = reader.name(of: key)
    let key = reader.excerpt(of: key)
    switch reader.current.kind {
    case .word(.null) where isNegated:
      return "write `is not null`"
    case .comparisonOperator where isNegated:
      return "write `not` before the key"
    case .literal:
      return isNegated ? "write `\(key) != \(found)`" : "write `\(key) = \(found)`"
    case .word(.null):
      return "write `\(key) is null`"
    case .word(.true), .word(.false):
      return "write `\(key) = \(found)`"
    case .word(.and), .word(.or), .rightParenthesis, .end:
      return isNegated ? nil : "write a condition on the key, such as \(key) = 1"
    case .word(nil), .quotedKey:
      if let suggestion = relationSuggestion(key: key) { return suggestion }
      guard case .word = reader.current.kind else { return nil }
      if let suggestion = CommonMistakes.operator(reader.spelling(of: reader.current)) { return suggestion }
      if case .comparisonOperator = reader.following.kind, !isNegated {
        if key.lowercased() == "where" { return "remove `\(key)`" }
        return "put a key that contains a space in double quotes: \(Quoting.quote("\(name) \(found)", with: "\""))"
      }
      return isNegated ? nil : "put text after an operator in single quotes: \(key) = '\(found)'"
    case .unknown where found == "~":
      return "write `like`, or `contains`"
    case .unknown where reader.isAdjacent, .minus where reader.isAdjacent:
      return CommonMistakes.character(found) ?? "put a key that contains `\(found)` in double quotes"
    default:
      return nil
    }
  }

  /// The suggestion for a query on referring rows in another form than `any` and a condition in parentheses.
  private func relationSuggestion(key: String) -> String? {
    guard ["any", "no", "exists", "some", "none"].contains(key.lowercased()) else { return nil }
    let word = ["no", "none"].contains(key.lowercased()) ? "no" : "any"
    return "write `\(word) \(reader.excerpt(of: reader.current)) (…)` for rows of that table that refer to this row"
  }

  /// The suggestion where a value or a key is expected after a comparison operator.
  var operandSuggestion: String? {
    switch (reader.previous?.kind, reader.current.kind) {
    case (.comparisonOperator(.equal), .comparisonOperator(.greaterThan)): "write `>=`"
    case (.comparisonOperator(.equal), .comparisonOperator(.lessThan)): "write `<=`"
    case (.comparisonOperator(.equal), .comparisonOperator(.equal)): "write `=` once"
    case (.comparisonOperator(.equal), .unknown) where reader.excerpt(of: reader.current) == "!": "write `!=`"
    case (.comparisonOperator(.equal), .word(.not)): "write `!=`, or `not` before the key"
    case (_, .word(.between)), (_, .word(.in)), (_, .word(.is)), (_, .word(.like)): "remove the operator before `is`"
    case (_, .word(_?)): reservedSuggestion
    case (_, .leftParenthesis): "write the value without parentheses, or `in` for several"
    case (_, .minus): "write the sign next to the digits, such as -5"
    default: nil
    }
  }

  /// The suggestion where a bound of `between` is expected.
  var boundSuggestion: String? {
    switch reader.current.kind {
    case .leftParenthesis: "write `between 1 and 100`, without parentheses"
    default: operandSuggestion
    }
  }

  /// The suggestion where the `and` of `between` is expected.
  func betweenSuggestion(lower: Token) -> String? {
    var upper = reader.current
    if case .comma = upper.kind {} else if let suggestion = adjacentSuggestion { return suggestion }
    switch upper.kind {
    case .comma, .minus, .unknown, .word(nil): upper = reader.following
    default: break
    }
    guard case .literal = upper.kind else { return "write two bounds, such as between 1 and 100" }
    return "write `between \(reader.excerpt(of: lower)) and \(reader.excerpt(of: upper))`"
  }

  /// The suggestion where `null` is expected after `is` or `is not`.
  func nullSuggestion(key: Token, _ comparisonOperator: ComparisonOperator) -> String? {
    let key = reader.excerpt(of: key)
    switch reader.current.kind {
    case .literal, .word(.true), .word(.false), .quotedKey:
      return
        "`is` compares with null only: write `\(key) \(comparisonOperator.rawValue) \(reader.excerpt(of: reader.current))`"
    case .word(let keyword?) where [.between, .in, .like, .contains, .starts, .ends].contains(keyword):
      return "remove `is`"
    case .word(nil) where reader.spelling(of: reader.current).lowercased() == "empty":
      return "write `\(key) \(comparisonOperator.rawValue) ''` for an empty text"
    case .word(nil) where CommonMistakes.isNull(reader.spelling(of: reader.current)):
      return "did you mean `null`?"
    case .word(nil):
      return
        "`is` compares with null only: write `\(key) \(comparisonOperator.rawValue) '\(reader.excerpt(of: reader.current))'`"
    default:
      return nil
    }
  }

  /// The suggestion where a value of a list is expected.
  var listSuggestion: String? {
    switch reader.current.kind {
    case .word, .quotedKey: "a list can't contain keys; put text in single quotes: \(quoted)"
    case .rightParenthesis: "remove the last comma"
    default: operandSuggestion
    }
  }

  /// The suggestion where a text is expected.
  var textSuggestion: String? {
    switch reader.current.kind {
    case .word, .quotedKey, .literal: "put text in single quotes: \(quoted)"
    case .operation:
      "put text in single quotes: '\(reader.excerptOfRun)'"
    case .unknown where ["?", "^", "\\"].contains(reader.excerpt(of: reader.current)):
      "put text in single quotes: '\(reader.excerptOfRun)'"
    default: nil
    }
  }

  /// The current token as a text.
  private var quoted: String {
    if case .quotedKey(let key) = reader.current.kind {
      return Quoting.quote(VisibleText.excerpt(of: Array(key.utf8)[...]), with: "'")
    }
    return "'\(reader.excerpt(of: reader.current))'"
  }

  /// Returns the suggestion after a condition.
  func jointSuggestion(afterText: Bool) -> String? {
    if let suggestion = adjacentSuggestion { return suggestion }
    switch reader.current.kind {
    case .comparisonOperator:
      if [.true, .false].contains(reader.previous?.keyword), let name = reader.previous.map(reader.excerpt) {
        return "put a key of this name in double quotes: \"\(name)\""
      }
      return "compare twice, and join the comparisons with `and`"
    case .rightParenthesis: return "remove the parenthesis, or open it with `(`"
    case .end: return "close the parenthesis with `)`"
    case .comma, .quotedKey, .leftParenthesis, .word(.not): return "join conditions with `and` or `or`"
    case .unknown where reader.excerpt(of: reader.current) == ";": return "remove the character"
    case .word(nil): return CommonMistakes.joint(reader.spelling(of: reader.current), afterText: afterText)
    case .word(.ignoring):
      return "write `ignoring case` after the text of a comparison"
    default: return nil
    }
  }

  /// The suggestion for a token that touches the literal before it.
  var adjacentSuggestion: String? {
    guard reader.isAdjacent else { return nil }
    switch (reader.previous?.kind, reader.current.kind) {
    case (.literal(.text), .word):
      return "double a quote within text, such as 'it''s'"
    case (.literal(.integer), .literal(.integer)), (.literal(.integer), .minus):
      return "put a date in single quotes, such as '2026-11-20'"
    case (.literal(.integer), .comma):
      guard case .literal(.integer) = reader.following.kind else { return nil }
      return "write a fraction with a point, such as 1.5"
    default:
      return nil
    }
  }
}

/// The common mistakes, from other languages or keyboards, with what to write instead.
enum CommonMistakes {
  /// The suggestion for a character that no token starts with, at any position.
  static func character(_ spelling: String) -> String? {
    if let instead = characters[spelling] { return "write `\(instead)`" }
    guard let scalar = spelling.unicodeScalars.first, spelling.unicodeScalars.count == 1 else { return nil }
    if quotes.contains(scalar) { return "use straight quotes: 'text' for text, \"key\" for a key" }
    if scalar.properties.isWhitespace { return "replace the character with a space" }
    if scalar == "\u{FEFF}" || scalar == "\u{200B}" { return "remove the character" }
    return nil
  }

  private static let characters = [
    "&": "and", "&&": "and", "∧": "and", "|": "or", "||": "or", "∨": "or", "!": "not", "¬": "not", "~": "not",
    "≠": "!=", "≤": "<=", "≥": ">=", "＝": "=", "＜": "<", "＞": ">", "！": "not", "＆": "and", "｜": "or",
    "−": "-", "–": "-", "－": "-", "（": "(", "）": ")", "[": "(", "]": ")", "{": "(", "}": ")", "，": ",", "、": ",",
  ]

  private static let quotes: Set<Unicode.Scalar> = [
    "‘", "’", "‚", "‛", "“", "”", "„", "‟", "«", "»", "‹", "›", "`", "´", "′", "″", "＇", "＂", "「", "」", "『", "』",
  ]

  /// The suggestion for a word where an operator was expected.
  static func `operator`(_ word: String) -> String? {
    let word = word.lowercased()
    if let instead = synonyms[word] { return "write `\(instead)`" }
    return nearest(to: word, in: ["between", "in", "is", "contains", "starts", "ends", "like"])
  }

  /// The operators by the names that they have in other languages, in lowercase and without blanks.
  static let synonyms = [
    "startswith": "starts with", "beginswith": "starts with", "begins": "starts with", "start": "starts with",
    "hasprefix": "starts with", "prefix": "starts with",
    "endswith": "ends with", "end": "ends with", "hassuffix": "ends with", "suffix": "ends with",
    "has": "contains", "includes": "contains", "contain": "contains", "oneof": "in",
    "matches": "like", "match": "like", "glob": "like", "regexp": "like", "ilike": "like … ignoring case",
    "==": "=", "===": "=", "equals": "=", "equal": "=", "eq": "=", "is": "=",
    "<>": "!=", "!==": "!=", "≠": "!=", "ne": "!=", "neq": "!=", "notequal": "!=",
    "lt": "<", "le": "<=", "lte": "<=", "lessthan": "<", "lessthanorequal": "<=", "=<": "<=", "≤": "<=",
    "gt": ">", "ge": ">=", "gte": ">=", "greaterthan": ">", "greaterthanorequal": ">=", "=>": ">=", "≥": ">=",
    "isnull": "is null", "notnull": "is not null",
  ]

  /// Whether a word after `is` stands for null.
  static func isNull(_ word: String) -> Bool {
    ["nil", "none"].contains(word.lowercased()) || nearest(to: word, in: ["null"]) != nil
  }

  /// The suggestion for a word after a condition.
  static func joint(_ word: String, afterText: Bool) -> String {
    let word = word.lowercased()
    if ["ignorecase", "ignoringcase", "ignore", "nocase", "caseinsensitive", "collate"].contains(word) {
      return "write `ignoring case`"
    }
    return nearest(to: word, in: afterText ? ["and", "or", "ignoring"] : ["and", "or"])
      ?? "join conditions with `and` or `or`"
  }

  /// The suggestion for a word after a key of a sort.
  static func direction(_ word: String) -> String? {
    switch word.lowercased() {
    case "ascending", "up": "write `asc`, or nothing"
    case "descending", "down", "reverse", "reversed": "write `desc`"
    default: nearest(to: word, in: ["desc", "asc", "nulls"])
    }
  }

  /// Returns the suggestion for a token that starts like a number but is not one.
  static func number(_ spelling: String) -> String {
    let (sign, digits) = spelling.hasPrefix("-") ? ("-", spelling.dropFirst()) : ("", spelling[...])
    if digits.utf8.count > 64 { return "check the number for a letter or a second point" }
    if Double("0\(digits)") != nil, digits.hasPrefix(".") { return "write `\(sign)0\(digits)`" }
    if digits.hasSuffix("."), Double("\(digits)0") != nil { return "write `\(sign)\(digits)0`" }
    let joined = digits.filter { $0 != "_" }
    if joined.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return "write `\(sign)\(joined)`" }
    if digits.lowercased().hasPrefix("0x"), let integer = Int64(digits.dropFirst(2), radix: 16) {
      return "write the number in decimal: \(sign)\(integer)"
    }
    return "put text in single quotes: '\(VisibleText.visible(spelling.unicodeScalars))'"
  }

  private static let wholeOperators = ["starts": "starts with", "ends": "ends with", "ignoring": "ignoring case"]

  /// - Parameter word: any word of a text, long ones included.
  private static func nearest(to word: String, in candidates: [String]) -> String? {
    if word.utf8.count > 32 { return nil }
    guard let name = NearestName.nearest(to: word, in: candidates) else { return nil }
    return "did you mean `\(wholeOperators[name] ?? name)`?"
  }
}
