extension FormWriter {
  private enum Task {
    case query(AnyQuery)
    case end
  }

  /// Writes a query. A join that is nested on the left is one list; what is nested on the right stays nested, so that the
  /// form is read back as the same query.
  mutating func write(_ query: AnyQuery) throws(InterchangeError) {
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
        // The last member stands first here, and so is written last.
        tasks += members.map(Task.query)
      }
    }
  }

  /// What a join joins, the last first.
  private static func members(of query: AnyQuery) -> (FormField, [AnyQuery]) {
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

  private mutating func write(_ condition: Condition<String>) throws(InterchangeError) {
    switch condition {
    case .constant(let constant):
      return try append(.boolean(constant))
    case .invalid(let invalid):
      throw error(invalid)
    case .comparison(let comparison):
      try begin(comparison.key, .relation(comparison.relation))
      try write(.value)
      try write(comparison.operand)
    case .between(let between):
      try begin(between.key, .between)
      try write(.lower)
      try write(between.lower)
      try write(.upper)
      try write(between.upper)
    case .membership(let membership):
      try begin(membership.key, .in)
      try write(.values)
      try beginArray()
      for value in membership.values { try write(value) }
      end()
    case .text(let match):
      try begin(match.key, .text(match.operation))
      try write(.value, .text(match.text))
      if match.isIgnoringCase { try write(.ignoring, .text("case")) }
    }
    end()
  }

  private mutating func begin(_ key: String, _ name: ConditionOperator) throws(InterchangeError) {
    try beginObject()
    try write(.key, .text(key))
    try write(.op, .text(name.rawValue))
  }
}
