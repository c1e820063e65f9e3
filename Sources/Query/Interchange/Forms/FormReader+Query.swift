extension FormReader {
  /// What stands where a query is expected: one that is read already, or one that holds others.
  private enum Node {
    case query(AnyQuery)
    case join(Join)
  }

  /// A join, or a negation, whose members are not all read yet.
  private struct Join {
    let name: FormField
    /// Where the member stands that is read now.
    var member: Int
    /// Where the members end.
    let end: Int
    /// The members that are read.
    private(set) var joined: AnyQuery?

    init(_ name: FormField, members: Range<Int>) {
      (self.name, member, end) = (name, members.lowerBound, members.upperBound)
    }

    /// Adds a member, and gives what is read so far.
    mutating func add(_ query: AnyQuery) -> AnyQuery {
      let all =
        switch (name, joined) {
        case (.not, _): !query
        case (.and, let joined?): joined && query
        case (_, let joined?): joined || query
        case (_, nil): query
        }
      joined = all
      return all
    }
  }

  /// Reads a query, with a stack of its own, because a form may be nested deeper than the thread's stack allows.
  func query(at root: Int) throws(InterchangeError) -> AnyQuery {
    var unfinished: [Join] = []
    var node = try node(at: root)
    while true {
      switch node {
      case .join(let join):
        unfinished.append(join)
        node = try self.node(at: join.member)
      case .query(let query):
        guard var join = unfinished.popLast() else { return query }
        let joined = join.add(query)
        join.member = end(of: join.member)
        if join.member < join.end {
          unfinished.append(join)
          node = try self.node(at: join.member)
        } else {
          node = .query(joined)
        }
      }
    }
  }

  private func node(at index: Int) throws(InterchangeError) -> Node {
    if case .boolean(let constant) = tokens[index] { return .query(constant ? .true : .false) }
    let fields = try fields(
      at: index, of: "a query", known: [.key, .op, .value, .lower, .upper, .values, .ignoring, .and, .or, .not])
    guard let join = fields.first(where: { [.and, .or, .not].contains($0.name) }) else {
      return .query(AnyQuery(.condition(try condition(fields, at: index))))
    }
    if let other = fields.first(where: { $0.name != join.name }) {
      throw error(
        .unexpectedField, "\(other.name.rawValue) does not go with \(join.name.rawValue)", at: index,
        suggestion: "put each part of the query into an object of its own")
    }
    if join.name == .not { return .join(Join(.not, members: join.value..<end(of: join.value))) }
    guard case .array = tokens[join.value] else { throw mismatch(at: join.value, expected: "a list of queries") }
    let members = (join.value + 1)..<end(of: join.value)
    // All of nothing is true, any of nothing is false.
    if members.isEmpty { return .query(join.name == .and ? .true : .false) }
    return .join(Join(join.name, members: members))
  }
}
