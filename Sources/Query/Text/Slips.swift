/// What to write instead of what people write by habit, from other languages or by the keyboard.
enum Slips {
  /// The suggestion for a character that no token starts with, wherever it stands.
  static func character(_ spelling: String) -> String? {
    if let instead = characters[spelling] { return "write `\(instead)`" }
    guard let scalar = spelling.unicodeScalars.first, spelling.unicodeScalars.count == 1 else { return nil }
    if quotes.contains(scalar) { return "use straight quotes: 'text' for a text, \"key\" for a key" }
    if scalar.properties.isWhitespace { return "replace it with a space" }
    if scalar == "\u{FEFF}" || scalar == "\u{200B}" { return "leave it out" }
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

  /// The suggestion for a word that stands where an operator was expected.
  static func `operator`(_ word: String) -> String? {
    let word = word.lowercased()
    if let instead = operators[word] { return "write `\(instead)`" }
    return nearest(to: word, in: ["between", "in", "is", "contains", "starts", "ends", "like"])
  }

  private static let operators = [
    "startswith": "starts with", "beginswith": "starts with", "begins": "starts with", "start": "starts with",
    "hasprefix": "starts with", "prefix": "starts with",
    "endswith": "ends with", "end": "ends with", "hassuffix": "ends with", "suffix": "ends with",
    "has": "contains", "includes": "contains", "contain": "contains",
    "matches": "like", "match": "like", "glob": "like", "regexp": "like", "ilike": "like … ignoring case",
    "equals": "=", "equal": "=", "eq": "=", "ne": "!=", "neq": "!=",
    "lt": "<", "le": "<=", "lte": "<=", "gt": ">", "ge": ">=", "gte": ">=",
    "isnull": "is null", "notnull": "is not null",
  ]

  /// The suggestion for a word that stands after a condition.
  static func joint(_ word: String, afterText: Bool) -> String {
    let word = word.lowercased()
    if afterText, ["ignorecase", "ignoringcase", "ignore", "nocase", "caseinsensitive", "collate"].contains(word) {
      return "write `ignoring case`"
    }
    return nearest(to: word, in: afterText ? ["and", "or", "ignoring"] : ["and", "or"])
      ?? "join conditions with `and` or `or`"
  }

  /// The suggestion for a word that stands after a key of a sort.
  static func direction(_ word: String) -> String? {
    switch word.lowercased() {
    case "ascending", "up": "write `asc`, or nothing"
    case "descending", "down", "reverse", "reversed": "write `desc`"
    default: nearest(to: word, in: ["desc", "asc", "nulls"])
    }
  }

  /// The suggestion for what starts like a number and is none.
  static func number(_ spelling: String) -> String {
    let (sign, digits) = spelling.hasPrefix("-") ? ("-", spelling.dropFirst()) : ("", spelling[...])
    if digits.utf8.count > 64 { return "check it for a letter or a second point" }
    if Double("0\(digits)") != nil, digits.hasPrefix(".") { return "write `\(sign)0\(digits)`" }
    if digits.hasSuffix("."), Double("\(digits)0") != nil { return "write `\(sign)\(digits)0`" }
    let joined = digits.filter { $0 != "_" }
    if joined.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return "write `\(sign)\(joined)`" }
    if digits.lowercased().hasPrefix("0x"), let integer = Int64(digits.dropFirst(2), radix: 16) {
      return "write it in decimal: \(sign)\(integer)"
    }
    return "put a text in single quotes: '\(VisibleText.visible(spelling.unicodeScalars))'"
  }

  private static let wholeOperators = ["starts": "starts with", "ends": "ends with", "ignoring": "ignoring case"]

  /// - Parameter word: any word of a text, long ones included.
  private static func nearest(to word: String, in candidates: [String]) -> String? {
    if word.utf8.count > 32 { return nil }
    guard let name = NearestName.nearest(to: word, in: candidates) else { return nil }
    return "did you mean `\(wholeOperators[name] ?? name)`?"
  }
}
