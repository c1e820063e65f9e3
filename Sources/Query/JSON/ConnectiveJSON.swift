// The JSON form of queries: connectives and negations, around conditions.

extension QueryJSONReader {
  /// The content where a query is expected: a complete query, or a connective or negation of others.
  private enum Node {
    case query(AnyQuery)
    case connective(Connective)
  }

  /// A connective, or a negation, whose members are not all read yet.
  private struct Connective {
    let name: QueryJSONField
    /// The position of the current member.
    var member: Int
    /// The end of the members.
    let end: Int
    /// The members that have been read.
    private(set) var combined: AnyQuery?

    init(_ name: QueryJSONField, members: Range<Int>) {
      (self.name, member, end) = (name, members.lowerBound, members.upperBound)
    }

    /// Adds a member, and returns what has been read so far.
    mutating func add(_ query: AnyQuery) -> AnyQuery {
      let all =
        switch (name, combined) {
        case (.not, _): !query
        case (.and, let combined?): combined && query
        case (_, let combined?): combined || query
        case (_, nil): query
        }
      combined = all
      return all
    }
  }

  /// Reads a query with an explicit stack, because a form may be nested deeper than the thread's stack allows.
  func query(at root: Int) throws(JSONCodingError) -> AnyQuery {
    var unfinished: [Connective] = []
    var node = try node(at: root)
    while true {
      switch node {
      case .connective(let connective):
        unfinished.append(connective)
        node = try self.node(at: connective.member)
      case .query(let query):
        guard var connective = unfinished.popLast() else { return query }
        let combined = connective.add(query)
        connective.member = end(of: connective.member)
        if connective.member < connective.end {
          unfinished.append(connective)
          node = try self.node(at: connective.member)
        } else {
          node = .query(combined)
        }
      }
    }
  }

  private func node(at index: Int) throws(JSONCodingError) -> Node {
    if case .boolean(let constant) = tokens[index] { return .query(constant ? .true : .false) }
    let fields = try fields(
      at: index, of: "a query",
      known: [.key, .op, .value, .lower, .upper, .values, .ignoring, .and, .or, .not, .expression])
    if fields.count == 1, fields[0].name == .expression {
      return .query(
        try parsed(at: fields[0].value) { text throws(ParseError) in
          isOfGroups ? try AnyQuery(parsingHaving: text) : try AnyQuery(parsing: text)
        })
    }
    guard let connective = fields.first(where: { [.and, .or, .not].contains($0.name) }) else {
      return .query(AnyQuery(.condition(try condition(fields, at: index))))
    }
    if let other = fields.first(where: { $0.name != connective.name }) {
      throw error(
        .unexpectedField, "\(other.name.rawValue) and \(connective.name.rawValue) exclude each other", at: index,
        suggestion: "put each part of the query into a separate object")
    }
    if connective.name == .not {
      return .connective(Connective(.not, members: connective.value..<end(of: connective.value)))
    }
    guard case .array = tokens[connective.value] else {
      throw mismatch(at: connective.value, expected: "a list of queries")
    }
    let members = (connective.value + 1)..<end(of: connective.value)
    // The conjunction of nothing is true, the disjunction is false.
    if members.isEmpty { return .query(connective.name == .and ? .true : .false) }
    return .connective(Connective(connective.name, members: members))
  }
}

extension QueryJSONWriter {
  private enum Task {
    case query(AnyQuery)
    case end
  }

  /// Writes a query. A connective that is nested on the left is one array; one nested on the right stays nested, so that the
  /// form is read back as the same query.
  mutating func write(_ query: AnyQuery) throws(JSONCodingError) {
    if query.conditionCount > ResolvedQuery.maximumConditionCount {
      throw error(.tooComplex, "the query has more than \(ResolvedQuery.maximumConditionCount) conditions")
    }
    var tasks: [Task] = [.query(query)]
    while let task = tasks.popLast() {
      guard case .query(let query) = task else {
        end()
        continue
      }
      switch query.form {
      case .condition(let condition):
        try write(condition)
      case .not(let inner):
        try beginObject()
        try write(.not)
        tasks += [.end, .query(inner)]
      case .and, .or:
        let (field, members) = Self.members(of: query)
        try beginObject()
        try write(field)
        try beginArray()
        tasks += [.end, .end]
        // The last member is pushed first, and is thus written last.
        tasks += members.map(Task.query)
      }
    }
  }

  /// Returns the members of a connective, the last first.
  private static func members(of query: AnyQuery) -> (QueryJSONField, [AnyQuery]) {
    let isConjunction = if case .and = query.form { true } else { false }
    var members: [AnyQuery] = []
    var query = query
    while true {
      switch query.form {
      case .and(let lhs, let rhs) where isConjunction:
        members.append(rhs)
        query = lhs
      case .or(let lhs, let rhs) where !isConjunction:
        members.append(rhs)
        query = lhs
      default:
        return (isConjunction ? .and : .or, members + [query])
      }
    }
  }
}
