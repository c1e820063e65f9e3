import Query

/// What holds for every query that was read.
enum QueryLaws {
  static func check(_ query: AnyQuery) {
    let text = query.description
    let again = Law.mustSucceed("what a query prints is read", [text]) { try AnyQuery(parsing: text) }
    Law.require(again == query, "what a query prints is read as an equal one", [text, again.description])
    Law.require(again.description == text, "what is read prints the same", [text, again.description])
    Law.require(again.hashValue == query.hashValue, "equal queries hash alike", [text])
    JSONLaws.check(query)
    Arena.shared.ask(query)
  }
}
