extension AnyQuery: CustomStringConvertible {
  /// The text form of the query; ``init(parsing:)`` parses it to an equal one.
  ///
  /// ```swift
  /// let query = AnyQuery.greaterThan(key: "weight", value: 90) || !.isNull(key: "base attack")
  /// query.description  // weight > 90 or not "base attack" is null
  /// ```
  ///
  /// The text has no more parentheses than it needs. Three kinds of queries, which can't be executed either, have a description
  /// that can't be parsed: one with a value that can't be stored, which is replaced by the reason, such as `<NaN is no value
  /// that can be stored or compared with>`; one with a NaN, which is written `<NaN>`; and one of more than
  /// ``ResolvedQuery/maximumConditionCount`` conditions, which are not written, because a query that is repeatedly combined
  /// with itself would exceed any memory.
  public var description: String { QueryPrinter.print(self) }
}

/// A writer of queries that takes time linear in the length of its output.
///
/// Pending work is kept on an explicit stack, because a query may be nested deeper than the thread's stack allows.
struct QueryPrinter {
  /// The precedence from which a query needs no parentheses.
  private enum Tightness: Int {
    case or, and, not
  }

  private enum Task {
    case query(AnyQuery, Tightness)
    case text(String)
  }

  private var output = ""

  /// Writes a query.
  static func print(_ query: AnyQuery) -> String {
    if query.conditionCount > ResolvedQuery.maximumConditionCount
      || query.partCount > 4 * ResolvedQuery.maximumConditionCount
    {
      return "<more than \(ResolvedQuery.maximumConditionCount) conditions>"
    }
    var printer = QueryPrinter()
    printer.write(query)
    return printer.output
  }

  private mutating func write(_ query: AnyQuery) {
    var tasks: [Task] = [.query(query, .or)]
    while let task = tasks.popLast() {
      switch task {
      case .text(let text):
        output += text
      case .query(let query, let required):
        if let tightness = Self.tightness(of: query), tightness.rawValue < required.rawValue {
          output += "("
          tasks += [.text(")"), .query(query, .or)]
          continue
        }
        switch query.form {
        case .condition(let condition):
          output += condition.text(isNegated: false)
        case .not(let inner):
          if case .condition(let condition) = inner.form, condition.takesNot {
            output += condition.text(isNegated: true)
          } else {
            output += "not "
            tasks.append(.query(inner, .not))
          }
        // The left side may be a connective of the same kind, because connectives associate to the left.
        case .and(let lhs, let rhs):
          tasks += [.query(rhs, .not), .text(" and "), .query(lhs, .and)]
        case .or(let lhs, let rhs):
          tasks += [.query(rhs, .and), .text(" or "), .query(lhs, .or)]
        }
      }
    }
  }

  /// Returns the precedence of a connective; `nil` for a query that never needs parentheses.
  private static func tightness(of query: AnyQuery) -> Tightness? {
    switch query.form {
    case .condition, .not: nil
    case .and: .and
    case .or: .or
    }
  }
}

extension Quoting {
  /// Returns the text of a key: unquoted if it can only be parsed as this key, otherwise in double quotes.
  package static func key(_ key: String) -> String {
    isPlain(key) ? key : quote(key, with: "\"")
  }

  /// Returns whether a key is an identifier and not a reserved word.
  private static func isPlain(_ key: String) -> Bool {
    let scalars = key.unicodeScalars
    guard let first = scalars.first, first.startsIdentifier, scalars.allSatisfy(\.continuesIdentifier) else {
      return false
    }
    return Keyword(word: Array(key.utf8)[...])?.isReserved != true
  }
}
