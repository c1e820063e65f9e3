import Query
import Repository
import TestSupport

/// What holds for every query, every sort and every page of a store, whatever is in the table.
struct Law: Sendable, CustomStringConvertible {
  let description: String
  /// Whether it is about places in a result, which a table without a key has none of.
  var needsKey = false
  /// How often it is tried in one table.
  var trials = 12
  /// Tries the law once, with what it draws at random.
  let trial: @Sendable (_ draw: inout RandomRequests, _ subject: LawSubject) throws(RepositoryError) -> Breach?

  /// What shows that the law does not hold.
  struct Breach {
    /// What was asked, as text.
    let asked: String
    /// What the answers were.
    let answers: String
  }

  static let all = logic + conditions + order + pages
}

extension Law {
  /// The law that two queries mean the same rows.
  static func same(
    _ description: String, _ sides: @escaping @Sendable (inout RandomRequests) -> (AnyQuery, AnyQuery)
  ) -> Law {
    Law(description: description) { draw, subject throws(RepositoryError) in
      // A query that every store has to refuse says nothing about a law.
      var (lhs, rhs) = sides(&draw)
      while (try? lhs.resolved(in: draw.table)) == nil { (lhs, rhs) = sides(&draw) }
      let (left, right) = (try subject.find(FetchRequest(lhs)), try subject.find(FetchRequest(rhs)))
      if left != right { return Breach("\(lhs)\nand: \(rhs)", left, right) }
      let (leftCount, rightCount) = (try subject.count(lhs), try subject.count(rhs))
      return leftCount == rightCount
        ? nil : Breach(asked: "\(lhs)\nand: \(rhs)", answers: "\(leftCount) and \(rightCount) counted")
    }
  }
}

extension Law.Breach {
  /// Shows the place at which two results part.
  init(_ asked: String, _ lhs: [[Value]], _ rhs: [[Value]]) {
    self.asked = asked
    let place = zip(lhs, rhs).enumerated().first { $1.0 != $1.1 }?.offset ?? min(lhs.count, rhs.count)
    let rows = [lhs, rhs].map { rows in
      rows.indices.contains(place) ? "(\(rows[place].map(\.description).joined(separator: ", ")))" : "nothing"
    }
    answers = "\(lhs.count) and \(rhs.count) rows; at \(place), \(rows[0]) and \(rows[1])"
  }
}

extension RandomRequests {
  /// A query that the table does not refuse.
  mutating func answerableQuery() -> AnyQuery {
    while true {
      let query = query(depth: Int.random(in: 0...3, using: &random))
      if (try? query.resolved(in: table)) != nil { return query }
    }
  }

  /// A sort that the table does not refuse.
  mutating func answerableSort() -> AnySort {
    while true {
      let sort = sort()
      if (try? FetchRequest(sortedBy: sort).resolved(in: table)) != nil { return sort }
    }
  }
}

extension Law {
  static let conditions: [Law] = [
    same("between is two comparisons") { draw in
      let (between, comparisons) = draw.between()
      return (between, comparisons)
    },
    same("not between is the opposite of two comparisons") { draw in
      let (between, comparisons) = draw.between()
      return (!between, !comparisons)
    },
    same("in is an or of equalities") { draw in
      let (list, equalities) = draw.list()
      return (list, equalities)
    },
    same("not in is the opposite of an or of equalities") { draw in
      let (list, equalities) = draw.list()
      return (!list, !equalities)
    },
  ]
}

extension RandomRequests {
  /// A range whose bounds are values or keys, and the two comparisons that say the same.
  fileprivate mutating func between() -> (AnyQuery, AnyQuery) {
    let (operand, column) = operand()
    let (lower, upper) = (bound(for: column), bound(for: column))
    return (
      .between(operand, lower: lower, upper: upper),
      .compare(operand, .greaterThanOrEqual, lower) && .compare(operand, .lessThanOrEqual, upper)
    )
  }

  /// A list, also a long one, which SQLite is given in another form, and the equalities that say the same.
  fileprivate mutating func list() -> (AnyQuery, AnyQuery) {
    let (operand, column) = operand()
    let values = (0..<random.pick([0, 1, 2, 3, 5, 20, 80])).map { _ in value(for: column) }
    return (
      .in(operand, values: values),
      .any(of: values.map { AnyQuery.compare(operand, .equal, AnyExpression(.value($0))) })
    )
  }

  /// A column, or a path into one of JSON, and the column whose values are like those of the operand.
  private mutating func operand() -> (AnyExpression, ColumnSchema) {
    let column = random.pick(table.columns)
    if random.chance(jsonRate), let path = jsonPath() { return (path, column) }
    return (.key(column.name), column)
  }
}

extension AnyQuery {
  fileprivate static func compare(
    _ lhs: AnyExpression, _ comparisonOperator: ComparisonOperator, _ operand: Operand<AnyExpression>
  ) -> AnyQuery {
    switch operand {
    case .value(let value): .compare(lhs, comparisonOperator, AnyExpression(.value(value)))
    case .key(let other): .compare(lhs, comparisonOperator, other)
    }
  }
}

extension Law {
  static let logic: [Law] = [
    Law(description: "a query and its negation count every row once") { draw, subject throws(RepositoryError) in
      let query = draw.answerableQuery()
      let counts = [try subject.count(query), try subject.count(!query), try subject.count(.true)]
      return counts[0] + counts[1] == counts[2]
        ? nil : Breach(asked: "\(query)", answers: "\(counts[0]) rows, \(counts[1]) others, \(counts[2]) in all")
    },
    Law(description: "as many rows are counted as found") { draw, subject throws(RepositoryError) in
      let query = draw.answerableQuery()
      let (count, found) = (try subject.count(query), try subject.find(FetchRequest(query)).count)
      return count == found ? nil : Breach(asked: "\(query)", answers: "\(count) counted, \(found) found")
    },
    same("not not q is q") { draw in
      let query = draw.query(depth: 2)
      return (!(!query), query)
    },
    same("not (p and q) is not p or not q") { draw in
      let (p, q) = (draw.query(depth: 2), draw.query(depth: 2))
      return (!(p && q), !p || !q)
    },
    same("not (p or q) is not p and not q") { draw in
      let (p, q) = (draw.query(depth: 2), draw.query(depth: 2))
      return (!(p || q), !p && !q)
    },
  ]
}

extension Law {
  static let order: [Law] = [
    Law(description: "rows stand in one order, whichever was saved first") { draw, subject throws(RepositoryError) in
      let request = FetchRequest(draw.answerableQuery(), sortedBy: draw.answerableSort())
      let rows = try subject.find(request)
      for arena in subject.shuffled {
        let others = try subject.find(request, in: arena)
        if others != rows { return Breach("\(request.query) sorted by \(request.sort)", rows, others) }
      }
      return nil
    },
    Law(description: "a sort only changes the order") { draw, subject throws(RepositoryError) in
      let request = FetchRequest(draw.answerableQuery(), sortedBy: draw.answerableSort())
      let rows = [try subject.find(request), try subject.find(FetchRequest(request.query))]
      let numbers = rows.map { rows in rows.reduce(into: [:]) { numbers, row in numbers[row, default: 0] += 1 } }
      return numbers[0] == numbers[1] ? nil : Breach("\(request.query) sorted by \(request.sort)", rows[0], rows[1])
    },
    Law(description: "rows are in the order of the first key that tells them apart") {
      draw, subject throws(RepositoryError) in
      // The rows alone tell the order, so it is one of columns.
      draw.expressionRate = 0
      let request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let rows = try subject.find(request)
      for (row, next) in zip(rows, rows.dropFirst()) where !draw.mayFollow(row, next, request.sort) {
        return Breach("\(request.query) sorted by \(request.sort)", [row], [next])
      }
      return nil
    },
  ]
}

extension RandomRequests {
  /// Whether a row may stand before another, in words of its own rather than the sort's.
  fileprivate func mayFollow(_ row: [Value], _ next: [Value], _ sort: AnySort) -> Bool {
    for term in sort.terms {
      guard let column = table.columns.firstIndex(named: term.key.plainKey ?? "") else {
        return false
      }
      let (value, other) = (row[column], next[column])
      if value == other { continue }
      if value.isNull { return term.nulls == .first }
      if other.isNull { return term.nulls == .last }
      return (value < other) == (term.direction == .ascending)
    }
    return true
  }
}

extension Law {
  static let pages: [Law] = [
    Law(description: "pages by offset, joined, are the whole") { draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.answerableSort())
      let whole = try subject.find(request)
      let size = draw.pageSize()
      request.limit = size
      var joined: [[Value]] = []
      // No more pages than there can be, for a store that never comes to an end.
      while request.offset <= whole.count {
        joined += try subject.find(request)
        request.offset += size
      }
      return joined == whole ? nil : Breach(request.text(inPagesOf: size), joined, whole)
    },
    Law(description: "pages after a cursor, joined, are the whole", needsKey: true) {
      draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.answerableSort())
      let whole = try subject.find(request)
      let size = draw.pageSize()
      request.limit = size
      var joined: [[Value]] = []
      while true {
        let page = try subject.find(request)
        joined += page
        guard let last = page.last, joined.count <= whole.count else { break }
        request.after = try subject.cursor(at: last, sortedBy: request.sort)
      }
      return joined == whole ? nil : Breach(request.text(inPagesOf: size), joined, whole)
    },
    Law(description: "pages before a cursor, joined, are the whole", needsKey: true) {
      draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.answerableSort())
      let whole = try subject.find(request)
      let size = draw.pageSize()
      request.limit = size
      var joined = Array(whole.suffix(1))
      while let first = joined.first, joined.count <= whole.count {
        request.before = try subject.cursor(at: first, sortedBy: request.sort)
        let page = try subject.find(request)
        if page.isEmpty { break }
        joined = page + joined
      }
      return joined == whole ? nil : Breach(request.text(inPagesOf: size), joined, whole)
    },
    Law(description: "between two cursors stands what stands between their rows", needsKey: true) {
      draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.answerableSort())
      let whole = try subject.find(request)
      if whole.isEmpty { return nil }
      let ends = [
        Int.random(in: whole.indices, using: &draw.random), Int.random(in: whole.indices, using: &draw.random),
      ]
      request.after = try subject.cursor(at: whole[ends[0]], sortedBy: request.sort)
      request.before = try subject.cursor(at: whole[ends[1]], sortedBy: request.sort)
      request.offset = draw.random.pick([0, 0, 1])
      request.limit = draw.random.pick([nil, 5])
      let expected = whole.prefix(ends[1]).dropFirst(ends[0] + 1 + request.offset).prefix(request.limit ?? .max)
      let found = try subject.find(request)
      return found == Array(expected)
        ? nil : Breach(request.text(inPagesOf: request.limit ?? whole.count), found, Array(expected))
    },
  ]
}

extension RandomRequests {
  fileprivate mutating func pageSize() -> Int { random.pick([1, 7, 10, 39, 40, 100]) }
}

extension FetchRequest {
  fileprivate func text(inPagesOf size: Int) -> String {
    "\(query) sorted by \(sort) in pages of \(size), offset: \(offset) after: \(after?.description ?? "none") "
      + "before: \(before?.description ?? "none")"
  }
}
