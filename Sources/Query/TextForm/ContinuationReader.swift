/// A reader that follows the beginning of a query's text, token by token, to what may come next.
struct ContinuationReader {
  typealias Expectation = QueryContinuation.Expectation
  typealias Subject = QueryContinuation.Subject

  /// The use of an expression, which determines what may follow it.
  private enum Role {
    case left, right, lower, upper, argument, aggregated
  }

  /// The construct that a parenthesis opened.
  private enum Frame {
    /// Conditions, or an expression with a role.
    case group(Role)
    /// The arguments of a function, as a part of an expression with a role.
    case call(Role)
    /// The operand of an aggregate, with the number of tables around it.
    case aggregate(Role, tables: Int)
    /// A condition on related rows, with the number of tables around it.
    case related(tables: Int)
    /// The list of referring columns.
    case columns
  }

  private(set) var expectation: Expectation
  private(set) var tables: [String] = []
  private let bytes: [UInt8]
  private var role: Role
  private var frames: [Frame] = []
  /// The function whose parenthesis comes next.
  private var function: String?
  /// The last operand that was read, as long as an operation or a dot may follow it.
  private var operand: Subject?
  /// The operand that is compared.
  private var subject = Subject.computed
  /// The table whose rows refer, once it is named.
  private var related = ""
  /// Whether the condition on related rows is in parentheses, as after `any`, rather than after `where`.
  private var isNested = false

  init(_ bytes: [UInt8], isExpression: Bool) {
    self.bytes = bytes
    (expectation, role) = isExpression ? (.argument, .argument) : (.condition, .left)
  }

  /// Reads a token.
  ///
  /// - Parameter next: the token after it; `nil` at the end of the text.
  mutating func read(_ token: Token, before next: Token?) {
    if let operand {
      switch token.kind {
      case .dot where !operand.steps.isEmpty: return expect(.step(of: operand))
      case .operation, .minus: return expect(.argument)
      case .literal where bytes[token.range.lowerBound] == UInt8(ascii: "-"): return follow(.computed)
      case .comparisonOperator where role == .left:
        (subject, role) = (operand, .right)
        return expect(.operand(key: operand))
      default: break
      }
    }
    switch expectation {
    case .condition, .operand, .argument, .aggregated: begin(token, before: next)
    case .step(let start): key(token).map { follow(Subject(start.steps + [$0])) } ?? expect(.nothing)
    case .related, .reference, .rows: readRelated(token)
    default: goOn(token)
    }
  }

  private mutating func expect(_ expectation: Expectation) {
    self.expectation = expectation
    operand = nil
  }

  /// Notes that an operand was read.
  private mutating func follow(_ operand: Subject) {
    switch role {
    case .left: expectation = .comparison(key: operand, isNegated: false)
    case .lower: expectation = .bound
    case .right, .upper: expectation = .connective(mayIgnoreCase: false)
    case .argument: expectation = .endOfArgument
    case .aggregated: expectation = .rows(isTable: operand.steps.count == 1, isValue: true, isNested: false)
    }
    self.operand = operand
  }

  /// Returns the key that a token denotes; `nil` if the token can't be a key.
  private func key(_ token: Token) -> String? {
    switch token.kind {
    case .quotedKey(let key): key
    case .word(let keyword) where keyword?.isReserved != true: String(decoding: bytes[token.range], as: UTF8.self)
    default: nil
    }
  }

  private func word(_ token: Token) -> String { String(decoding: bytes[token.range], as: UTF8.self).lowercased() }
}

extension ContinuationReader {
  /// Reads the beginning of an operand or of a condition.
  private mutating func begin(_ token: Token, before next: Token?) {
    if case .condition = expectation {
      if token.keyword == .not { return }
      if token.keyword == .true || token.keyword == .false { return expect(.connective(mayIgnoreCase: false)) }
      // An operator, and no name, would follow a key that is called `any` or `no`.
      if ["any", "no"].contains(word(token)), next.map({ key($0) != nil }) ?? true {
        isNested = true
        return expect(.related)
      }
    }
    switch token.kind {
    case .minus: return
    case .leftParenthesis: open()
    case .word where key(token) != nil && next?.opens == true: function = word(token)
    default:
      if let key = key(token) { return follow(Subject([key])) }
      guard token.isLiteral else { return expect(.nothing) }
      follow(.computed)
      if case .literal(.text) = token.kind, role == .right || role == .upper {
        expectation = .connective(mayIgnoreCase: true)
      }
    }
  }

  private mutating func open() {
    guard let function else { return frames.append(.group(role)) }
    self.function = nil
    if AnyAggregate.Function(rawValue: function) != nil {
      frames.append(.aggregate(role, tables: tables.count))
      (role, isNested) = (.aggregated, false)
      return expect(.aggregated(mayCountRows: function == "count"))
    }
    frames.append(.call(role))
    role = function == "if" ? .left : .argument
    expect(function == "if" ? .condition : .argument)
  }

  private mutating func close() {
    switch frames.popLast() {
    case .group(let outer), .call(let outer): role = outer
    case .aggregate(let outer, let count):
      (role, tables) = (outer, Array(tables.prefix(count)))
    case .related(let count):
      tables = Array(tables.prefix(count))
      return expect(.connective(mayIgnoreCase: false))
    case .columns: return expect(.rows(isTable: false, isValue: false, isNested: isNested))
    case nil: return expect(.connective(mayIgnoreCase: false))
    }
    follow(.computed)
  }

  /// Reads a token after an operand.
  private mutating func goOn(_ token: Token) {
    switch (expectation, token.kind) {
    case (.list, .leftParenthesis): return expect(.element(key: subject))
    case (.element, .rightParenthesis), (.separator, .rightParenthesis):
      return expect(.connective(mayIgnoreCase: false))
    case (.separator, .comma): return expect(.element(key: subject))
    case (.element, _) where token.isLiteral: return expect(.separator)
    case (.text, _) where token.isLiteral: return expect(.connective(mayIgnoreCase: true))
    case (.null, _) where token.keyword == .not: return
    case (.null, _) where token.keyword == .null: return expect(.connective(mayIgnoreCase: false))
    case (.with, _) where token.keyword == .with: return expect(.text(key: subject))
    case (.bound, _) where token.keyword == .and:
      role = .upper
      return expect(.operand(key: subject))
    case (.connective(true), _) where token.keyword == .ignoring: return expect(.ignoredCase)
    case (.ignoredCase, _) where token.keyword == .case: return expect(.connective(mayIgnoreCase: false))
    case (.connective, _) where token.keyword == .and || token.keyword == .or:
      role = .left
      return expect(.condition)
    case (.comparison(let key, let isNegated), .word): return compare(key, isNegated, token)
    case (.comparison, .rightParenthesis), (.connective, .rightParenthesis), (.endOfArgument, .rightParenthesis):
      let isCondition = if case .connective = expectation { true } else { false }
      let isGroup = if case .group? = frames.last { true } else { false }
      close()
      // After conditions, no comparison may follow.
      if isCondition, isGroup, role == .left { expect(.connective(mayIgnoreCase: false)) }
    case (.connective, .comma), (.endOfArgument, .comma):
      guard case .call? = frames.last else { return expect(.nothing) }
      role = .argument
      expect(.argument)
    default: expect(.nothing)
    }
  }

  private mutating func compare(_ key: Subject, _ isNegated: Bool, _ token: Token) {
    subject = key
    switch token.keyword {
    case .is where !isNegated: expect(.null)
    case .not where !isNegated: expect(.comparison(key: key, isNegated: true))
    case .between:
      role = .lower
      expect(.operand(key: key))
    case .in: expect(.list)
    case .contains, .like: expect(.text(key: key))
    case .starts, .ends: expect(.with)
    default: expect(.nothing)
    }
  }

  /// Reads a token of the description of another table's rows.
  private mutating func readRelated(_ token: Token) {
    switch (expectation, token.kind) {
    case (.related, _):
      guard let key = key(token) else { return expect(.nothing) }
      related = key
      expect(.rows(isTable: true, isValue: false, isNested: isNested))
    case (.reference, .leftParenthesis): frames.append(.columns)
    case (.reference, _) where key(token) != nil:
      if case .columns? = frames.last { return }
      expect(.rows(isTable: false, isValue: false, isNested: isNested))
    case (.reference, .comma): return
    case (.reference, .rightParenthesis): close()
    case (.rows(_, isValue: true, _), .word(nil)) where word(token) == "of": expect(.related)
    case (.rows(isTable: true, let isValue, _), .word(nil)) where word(token) == "by":
      if isValue { related = operand?.steps.first ?? "" }
      expect(.reference(of: related))
    case (.rows(let isTable, let isValue, isNested: false), .word(nil)) where word(token) == "where":
      if isTable, isValue { related = operand?.steps.first ?? "" }
      tables.append(related)
      role = .left
      expect(.condition)
    case (.rows(_, _, isNested: true), .leftParenthesis):
      frames.append(.related(tables: tables.count))
      tables.append(related)
      role = .left
      expect(.condition)
    case (.rows, .rightParenthesis): close()
    case (.rows(_, _, isNested: true), _) where token.keyword == .and || token.keyword == .or:
      role = .left
      expect(.condition)
    default: expect(.nothing)
    }
  }
}

extension Token {
  fileprivate var opens: Bool { if case .leftParenthesis = kind { true } else { false } }

  fileprivate var isLiteral: Bool {
    switch kind {
    case .literal, .parameter: return true
    default: return [.true, .false, .null, .now, .today].contains(keyword)
    }
  }
}
