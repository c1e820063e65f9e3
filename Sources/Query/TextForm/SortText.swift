extension AnySort {
  /// Parses the text form of a sort: keys separated by commas, the most significant first.
  ///
  /// ```swift
  /// let sort = try AnySort(parsing: "-weight, name nulls last")
  /// sort == .descending(key: "weight") + .ascending(key: "name", nulls: .last)  // true
  /// ```
  ///
  /// A key may be any expression, see ``AnyExpression/init(parsing:)``; a `-` before it sets the direction.
  /// `name ignoring case` is short for `folded(name)`.
  ///
  /// A key is ascending unless it follows a `-` or precedes `desc`; `asc` may be written out. A `-` sets the direction, so
  /// `-key desc` and `-key asc` are errors, with a suggestion. `nulls first` or `nulls last` after a key places the rows whose
  /// key is null: by default, first in ascending order and last in descending. A key that is not an identifier, or is a
  /// reserved word, is put in double quotes.
  ///
  /// - Parameter text: the text of one sort; the empty text is the order of the primary key.
  /// - Throws: ``ParseError``, which reports where the text is wrong, what was expected there, and what may help.
  public init(parsing text: String) throws(ParseError) {
    try self.init(parsing: text, parameters: [:])
  }

  /// Parses a sort in which `:name` is a parameter whose value is passed separately.
  ///
  /// - Parameters:
  ///   - text: the text, as ``init(parsing:)`` reads it.
  ///   - parameters: the value of each parameter, by its name without the colon.
  /// - Throws: ``ParseError`` as ``AnyQuery/init(parsing:parameters:)-(_,[String:Value])`` does.
  public init(parsing text: String, parameters: [String: Value]) throws(ParseError) {
    var parser = SortParser(QueryParser(text, QueryParameters(parameters)))
    self = try parser.parse()
  }
}

extension AnySort: CustomStringConvertible {
  /// The text form of the sort; ``init(parsing:)`` parses it to an equal one; empty for the empty sort.
  ///
  /// ```swift
  /// let sort = AnySort.descending(key: "weight") + .ascending(key: "name", nulls: .last)
  /// sort.description  // weight desc, name nulls last
  /// ```
  public var description: String { terms.map(\.textForm).joined(separator: ", ") }
}

extension SortTerm {
  fileprivate var textForm: String {
    var text = key.description
    // A text that begins with a sign or a value is put in parentheses: a sign before a key sets the direction.
    if key.plainKey == nil, !(text.unicodeScalars.first?.startsIdentifier ?? false) || key.beginsWithValue {
      text = "(\(text))"
    }
    if direction == .descending { text += " desc" }
    if nulls != direction.defaultNulls { text += nulls == .first ? " nulls first" : " nulls last" }
    return text
  }
}

extension AnyExpression {
  /// Whether the text form begins with a value.
  fileprivate var beginsWithValue: Bool {
    switch form {
    case .value: true
    case .function(let function, let arguments) where function.isOperator: arguments[0].beginsWithValue
    default: false
    }
  }
}

/// A parser of sorts: keys separated by commas.
struct SortParser {
  /// The parser of the keys, which may be expressions.
  private(set) var parser: QueryParser
  private var reader: TokenReader {
    get { parser.reader }
    _modify { yield &parser.reader }
  }

  init(_ parser: QueryParser) {
    self.parser = parser
  }

  /// Parses the whole text; an empty one is the empty sort.
  mutating func parse() throws(ParseError) -> AnySort {
    var terms: [SortTerm] = []
    while true {
      if case .end = reader.current.kind {
        if let error = parser.unusedParameterError() { throw error }
        return AnySort(terms)
      }
      if !terms.isEmpty { reader.advance() }
      terms.append(try term())
    }
  }

  /// Parses a term, and checks that a comma or the end follows.
  private mutating func term() throws(ParseError) -> SortTerm {
    var direction = SortTerm.Direction.ascending
    var expected = "`asc`, `desc`, `nulls`, `,` or the end of the text"
    var isReversed = false
    if case .minus = reader.current.kind {
      reader.advance()
      (isReversed, direction) = (true, .descending)
      expected = "`nulls`, `,` or the end of the text"
    }
    let start = reader.current
    switch start.kind {
    case .literal, .parameter, .minus, .word(.true), .word(.false), .word(.null), .word(.now), .word(.today):
      throw keyError()
    default: break
    }
    guard var key = try parser.expression(.any) else { throw keyError() }
    key = try parser.ignoringCase(key, from: start)
    if reader.current.keyword == .asc || reader.current.keyword == .desc {
      if isReversed { throw doubleDirectionError(key: start, expected: expected) }
      direction = reader.current.keyword == .desc ? .descending : .ascending
      reader.advance()
      expected = "`nulls`, `,` or the end of the text"
    }
    var nulls = direction.defaultNulls
    if reader.accept(.nulls) {
      if reader.accept(.first) {
        nulls = .first
      } else if reader.accept(.last) {
        nulls = .last
      } else {
        throw reader.error(expected: "`first` or `last`", suggestion: "write `nulls first` or `nulls last`")
      }
      expected = "`,` or the end of the text"
    }
    switch reader.current.kind {
    case .comma, .end: return SortTerm(key, direction: direction, nulls: nulls)
    default: throw reader.error(expected: expected, suggestion: endSuggestion(key: start))
    }
  }

  private func keyError() -> ParseError {
    let suggestion: String? =
      switch (reader.previous?.kind, reader.current.kind) {
      case (.comma, .end): "remove the last comma"
      case (_, .word): "put a key of this name in double quotes: \"\(nameAtReservedWord)\""
      case (.minus, .minus): "write `-` once"
      case (_, .operation(.add)): "remove the word: keys sort ascending by default"
      case (_, .literal(.text)): "put a key in double quotes, or write the key without quotes"
      default: nil
      }
    return reader.error(expected: "a key", suggestion: suggestion)
  }

  /// The name that probably begins with the current word, which no key without quotes is.
  private var nameAtReservedWord: String {
    let (word, next) = (reader.current, reader.following)
    guard case .word(nil) = next.kind, CommonMistakes.direction(reader.spelling(of: next)) == nil else {
      return reader.excerpt(of: word)
    }
    return "\(reader.excerpt(of: word)) \(reader.excerpt(of: next))"
  }

  private func doubleDirectionError(key: Token, expected: String) -> ParseError {
    let key = reader.excerpt(of: key)
    let isAscending = reader.current.keyword == .asc
    return reader.error(
      expected: expected, reason: "the `-` before \(key) already means descending",
      suggestion: isAscending ? "write `\(key)` or `-\(key)`" : "write `\(key) desc` or `-\(key)`")
  }

  private func endSuggestion(key: Token) -> String? {
    switch reader.current.kind {
    case .word(.asc), .word(.desc): "write the direction once, and before `nulls`"
    case .word(.ignoring): "write `ignoring case` next to the key"
    case .word, .quotedKey:
      CommonMistakes.direction(reader.spelling(of: reader.current)) ?? "put a comma between keys"
    case .minus: "put a comma between keys"
    case .rightParenthesis, .leftParenthesis: "a sort can't contain parentheses"
    default: nil
    }
  }
}
