/// A scanner that distinguishes parentheses that group an expression from those that group conditions: `(a + b) * 2 > 5`
/// from `(a > 2) and b < 1`.
///
/// The token after the closing parenthesis decides: an operation or a comparison follows an expression. All parentheses of a
/// text are classified at once, in time linear in its length.
enum ExpressionGroups {
  /// Returns the offsets, in the text's UTF-8, of opening parentheses that group expressions.
  static func offsets(in text: String) -> Set<Int> {
    // Most texts have no parentheses.
    if !text.utf8.contains(UInt8(ascii: "(")) { return [] }
    var lexer = Lexer(text)
    var open: [Int] = []
    var offsets: Set<Int> = []
    var token = lexer.next()
    while true {
      switch token.kind {
      case .end, .malformed: return offsets
      case .leftParenthesis: open.append(token.range.lowerBound)
      case .rightParenthesis:
        token = lexer.next()
        if let start = open.popLast(), token.continuesExpression { offsets.insert(start) }
        continue
      default: break
      }
      token = lexer.next()
    }
  }
}

extension Token {
  /// Whether the token continues the parentheses before it as an expression.
  fileprivate var continuesExpression: Bool {
    switch kind {
    case .operation, .minus, .comparisonOperator, .literal: return true
    case .word(let keyword):
      return [.not, .is, .between, .in, .like, .contains, .starts, .ends].contains(keyword)
    default: return false
    }
  }
}
