import Query
import Repository

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
}
