import Query
import Repository
import Testing

/// What a closure says, and the query that it makes.
struct OperatorCase: Sendable, CustomTestStringConvertible {
  let query: AnyQuery
  let expected: AnyQuery

  init(_ expected: AnyQuery, _ query: (Fields<Sighting>) -> AnyQuery) {
    self.query = AnyQuery(Sighting.self, query)
    self.expected = expected
  }

  var testDescription: String { "\(expected)" }
}
