/// The placeholders of a statement, `$1`, `$2`, …, without what looks like one in its texts, names and comments.
/// https://www.postgresql.org/docs/15/sql-syntax-lexical.html
enum StatementPlaceholders {
  /// Returns whether a statement has more than a number of placeholders; those with the same number count once.
  static func exceed(_ limit: Int, in sql: String) -> Bool {
    // Few statements have as many of the character, and are read in full.
    guard sql.utf8.count(where: { $0 == dollar }) > limit else { return false }
    return numbers(in: Array(sql.utf8)).count > limit
  }

  private static let dollar = UInt8(ascii: "$")

  private static func numbers(in sql: [UInt8]) -> Set<Int> {
    var numbers: Set<Int> = []
    var place = 0
    func skip(past end: [UInt8]) { place = sql[place...].firstRange(of: end)?.upperBound ?? sql.count }
    while place < sql.count {
      let (byte, isInWord) = (sql[place], place > 0 && isWord(sql[place - 1]))
      place += 1
      switch byte {
      case UInt8(ascii: "'"):
        let hasEscapes =
          place > 1 && sql[place - 2] | 0x20 == UInt8(ascii: "e") && (place == 2 || !isWord(sql[place - 3]))
        place = endOfText(in: sql, from: place, hasEscapes: hasEscapes)
      case UInt8(ascii: "\""): skip(past: [byte])
      case UInt8(ascii: "-") where place < sql.count && sql[place] == byte: skip(past: [UInt8(ascii: "\n")])
      case UInt8(ascii: "/") where place < sql.count && sql[place] == UInt8(ascii: "*"):
        place = endOfComment(in: sql, from: place + 1)
      case dollar where !isInWord:
        let word = sql[place...].prefix(while: { $0 != dollar && isWord($0) })
        if let number = Int(String(decoding: word, as: UTF8.self)) {
          numbers.insert(number)
        } else if place + word.count < sql.count, sql[place + word.count] == dollar {
          // A text between two of `$tag$`.
          place += word.count + 1
          skip(past: [dollar] + word + [dollar])
        }
      default: break
      }
    }
    return numbers
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), dollar, 0x80...:
      true
    default: false
    }
  }

  /// Returns the place after the quote that ends a text. A doubled one ends a part of the text, and begins the next.
  private static func endOfText(in sql: [UInt8], from start: Int, hasEscapes: Bool) -> Int {
    var place = start
    while place < sql.count {
      if hasEscapes, sql[place] == UInt8(ascii: "\\") {
        place += 2
        continue
      }
      place += 1
      guard sql[place - 1] == UInt8(ascii: "'") else { continue }
      if place == sql.count || sql[place] != UInt8(ascii: "'") { return place }
      place += 1
    }
    return sql.count
  }

  /// Returns the place after a comment, which may hold others.
  private static func endOfComment(in sql: [UInt8], from start: Int) -> Int {
    var (place, depth) = (start, 1)
    while place + 1 < sql.count, depth > 0 {
      switch (sql[place], sql[place + 1]) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): depth += 1
      case (UInt8(ascii: "*"), UInt8(ascii: "/")): depth -= 1
      default:
        place += 1
        continue
      }
      place += 2
    }
    return depth > 0 ? sql.count : place
  }
}
