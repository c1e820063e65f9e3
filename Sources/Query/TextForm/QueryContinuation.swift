/// What may follow the end of a query's text, for completion.
package struct QueryContinuation: Hashable {
  /// The kinds of text that may follow.
  package enum Expectation: Hashable {
    /// A key or `not`, where a condition starts.
    case condition
    /// What is asked of a key.
    case comparison(key: String, isNegated: Bool)
    /// What follows `is`.
    case null
    /// What follows `starts` and `ends`.
    case with
    /// What opens a list.
    case list
    /// A value to which a key is compared, or another key.
    case operand(key: String)
    /// A value of a list.
    case element(key: String)
    /// A text that is looked for in a key.
    case text(key: String)
    /// The `and` between two bounds.
    case bound
    /// What follows `ignoring`.
    case ignoredCase
    /// What joins conditions.
    case connective(mayIgnoreCase: Bool)
    /// What separates the values of a list.
    case separator
    /// Nothing, since the query went wrong before.
    case nothing
  }

  /// What may follow.
  package private(set) var expectation = Expectation.condition
  /// The start of the word to complete, such as a quote without its end; empty after a blank.
  package let typed: String

  /// Looks at the start of a query.
  package init(after text: String) {
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
      // What ends with the text may go on.
      case .word where last.range.upperBound == lexer.bytes.count,
        .literal where last.range.upperBound == lexer.bytes.count:
        typed = last.range
      default: break
      }
    }
    self.typed = typed.map { String(decoding: lexer.bytes[$0], as: UTF8.self) } ?? ""
    if typed != nil { tokens.removeLast() }
    var isBounded: String?
    for token in tokens {
      let key = token.key(in: lexer.bytes)
      (expectation, isBounded) = expectation.next(token, key: key, bounded: isBounded)
    }
  }
}

extension Token {
  /// The key that the token is, if it may be one.
  fileprivate func key(in bytes: [UInt8]) -> String? {
    switch kind {
    case .quotedKey(let key): key
    case .word(let keyword) where keyword?.isReserved != true: String(decoding: bytes[range], as: UTF8.self)
    default: nil
    }
  }

  fileprivate var isLiteral: Bool {
    switch kind {
    case .literal, .parameter: return true
    default: return [.true, .false, .null, .now, .today].contains(keyword)
    }
  }
}

extension QueryContinuation.Expectation {
  /// What may follow a token.
  ///
  /// - Parameter bounded: the key whose bounds are written.
  fileprivate func next(_ token: Token, key: String?, bounded: String?) -> (Self, bounded: String?) {
    switch (self, token.kind) {
    case (.condition, .leftParenthesis): return (.condition, nil)
    case (.condition, _) where token.keyword == .not: return (.condition, nil)
    case (.condition, _): return (key.map { .comparison(key: $0, isNegated: false) } ?? truth(token), nil)
    case (.comparison(let key, false), .relation): return (.operand(key: key), nil)
    case (.comparison(let key, let isNegated), _): return compare(key, isNegated, token)
    case (.null, _) where token.keyword == .not: return (.null, nil)
    case (.null, _) where token.keyword == .null: return (.connective(mayIgnoreCase: false), nil)
    case (.list, .leftParenthesis): return (.element(key: bounded ?? ""), bounded)
    case (.operand, _) where token.isLiteral || key != nil:
      return bounded == nil ? (.connective(mayIgnoreCase: false), nil) : (.bound, bounded)
    case (.element, _) where token.isLiteral: return (.separator, bounded)
    case (.separator, .comma): return (.element(key: bounded ?? ""), bounded)
    case (.element, .rightParenthesis), (.separator, .rightParenthesis): return (.connective(mayIgnoreCase: false), nil)
    case (.text, _) where token.isLiteral: return (.connective(mayIgnoreCase: true), nil)
    case (.with, _) where token.keyword == .with: return (.text(key: bounded ?? ""), nil)
    case (.bound, _) where token.keyword == .and: return (.operand(key: bounded ?? ""), nil)
    case (.connective(true), _) where token.keyword == .ignoring: return (.ignoredCase, nil)
    case (.ignoredCase, _) where token.keyword == .case: return (.connective(mayIgnoreCase: false), nil)
    case (.connective, .rightParenthesis): return (.connective(mayIgnoreCase: false), nil)
    case (.connective, _) where token.keyword == .and || token.keyword == .or: return (.condition, nil)
    default: return (.nothing, nil)
    }
  }

  /// `true` and `false` are conditions.
  private func truth(_ token: Token) -> Self {
    token.keyword == .true || token.keyword == .false ? .connective(mayIgnoreCase: false) : .nothing
  }

  private func compare(_ key: String, _ isNegated: Bool, _ token: Token) -> (Self, bounded: String?) {
    switch token.keyword {
    case .is where !isNegated: (.null, nil)
    case .not where !isNegated: (.comparison(key: key, isNegated: true), nil)
    case .between: (.operand(key: key), key)
    case .in: (.list, key)
    case .contains, .like: (.text(key: key), nil)
    case .starts, .ends: (.with, key)
    default: (.nothing, nil)
    }
  }
}
