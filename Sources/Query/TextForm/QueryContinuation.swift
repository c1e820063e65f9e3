/// The text that may follow the beginning of a query, for completion.
package struct QueryContinuation: Hashable {
  /// The operand that is compared: a key, or a path; no steps for a computed value.
  package struct Subject: Hashable, ExpressibleByStringLiteral {
    package var steps: [String]

    package init(_ steps: [String]) { self.steps = steps }

    package init(stringLiteral key: String) { steps = [key] }

    static let computed = Subject([])
  }

  /// The kinds of text that may follow.
  package enum Expectation: Hashable {
    /// A key or `not`, where a condition starts.
    case condition
    /// An operator after a key.
    case comparison(key: Subject, isNegated: Bool)
    /// The rest of a test that follows `is`.
    case null
    /// The `with` that follows `starts` and `ends`.
    case with
    /// The parenthesis that opens a list.
    case list
    /// A value to which a key is compared, or another key.
    case operand(key: Subject)
    /// A value of a list.
    case element(key: Subject)
    /// A text to search for in a key.
    case text(key: Subject)
    /// The `and` between two bounds.
    case bound
    /// The `case` that follows `ignoring`.
    case ignoredCase
    /// A connective of conditions: `and` or `or`.
    case connective(mayIgnoreCase: Bool)
    /// A separator between the values of a list.
    case separator
    /// A value or a key of an operation or a function.
    case argument
    /// The end of an argument: a comma or a closing parenthesis.
    case endOfArgument
    /// A step of a path after a dot.
    case step(of: Subject)
    /// A table whose rows refer to the current table.
    case related
    /// An aggregated expression and its table; only the table if rows may be counted.
    case aggregated(mayCountRows: Bool)
    /// The continuation of a referring table, of an aggregated expression of it, or of both if a name can be either.
    ///
    /// - Parameter isNested: whether a condition on the rows is in parentheses, rather than after `where`.
    case rows(isTable: Bool, isValue: Bool, isNested: Bool)
    /// A column by which the rows of a table refer to the current table.
    case reference(of: String)
    /// Nothing, since there is an error before the position.
    case nothing
  }

  /// The text that may follow.
  package private(set) var expectation: Expectation
  /// The tables whose rows the position refers to, the innermost last; empty for the query's own table.
  package private(set) var tables: [String]
  /// The start of the word to complete, such as a quote without its end; empty after a blank.
  package let typed: String

  /// Scans the beginning of a query, or of an expression.
  package init(after text: String, isExpression: Bool = false) {
    var lexer = Lexer(text)
    var tokens: [Token] = []
    while true {
      let token = lexer.next()
      if case .end = token.kind { break }
      tokens.append(token)
      if case .malformed = token.kind { break }
    }
    var typed: Range<Int>?
    if let last = tokens.last {
      switch last.kind {
      case .malformed: typed = last.range.lowerBound..<lexer.bytes.count
      // A token at the end of the text may continue.
      case .word where last.range.upperBound == lexer.bytes.count,
        .literal where last.range.upperBound == lexer.bytes.count:
        typed = last.range
      default: break
      }
    }
    self.typed = typed.map { String(decoding: lexer.bytes[$0], as: UTF8.self) } ?? ""
    if typed != nil { tokens.removeLast() }
    var reader = ContinuationReader(lexer.bytes, isExpression: isExpression)
    for (index, token) in tokens.enumerated() {
      reader.read(token, before: index + 1 < tokens.count ? tokens[index + 1] : nil)
    }
    (expectation, tables) = (reader.expectation, reader.tables)
  }
}
