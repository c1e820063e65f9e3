import Query
import Repository

/// Rules of projections: some columns and computed expressions, of all rows, of distinct ones, or of the first of each
/// group.
enum ProjectionRules {
  static let all: [RequestRule] = [
    rule(
      "a projection gives its columns in the order of the request",
      [
        ("id, age", "true", "", nil, [[1, 3], [2, .null], [3, 1], [4, 3], [5, .null]]),
        ("age as years, id", "id > 1", "-years", 2, [[3, 4], [1, 3]]),
      ]),
    rule(
      "a projection returns computed values of a row",
      [("id * 2 as double, coalesce(age, 0)", "id < 3", "-double", nil, [[4, 0], [2, 3]])]),
    rule(
      "a distinct projection returns equal rows once", isDistinct: true,
      [
        ("age", "true", "", nil, [[.null], [1], [3]]), ("age", "true", "-age", 2, [[3], [1]]),
        ("kingdom, age", "age > 1", "", nil, [["animal", 3]]),
      ]),
    rule(
      "the first rows of each group are found before limits", groupLimit: GroupLimit(1, of: ["age"], sortedBy: last),
      [
        ("id", "true", "", nil, [[3], [4], [5]]), ("id", "id < 4", "-id", 2, [[3], [2]]), ("age", "true", "", 1, [[1]]),
      ]),
    RequestRule("an invalid projection is refused", among: elements) { context in
      let requests = [
        ProjectionRequest([]), ProjectionRequest([.key("agee")]),
        ProjectionRequest([.key("age")], of: FetchRequest(sortedBy: last), isDistinct: true),
        ProjectionRequest([.key("id")], groupLimit: GroupLimit(-1, of: ["age"])),
        ProjectionRequest([.key("id")], of: FetchRequest(.equal(key: "agee", value: 1))),
      ]
      for request in requests {
        await context.expect(request.question, throws: .invalidQuery) { try await context.subject.findRows(request) }
      }
    },
  ]

  private typealias Question = (columns: String, query: String, sort: String, limit: Int?, rows: [[Value]])

  private static let elements: [Specimen] = .series(\.age, 3, nil, 1, 3, nil)
  private static let last = AnySort.descending(key: "id")

  private static func rule(
    _ name: String, isDistinct: Bool = false, groupLimit: GroupLimit? = nil, _ questions: [Question]
  ) -> RequestRule {
    RequestRule(name, among: elements) { context in
      for question in questions {
        let request = ProjectionRequest(
          try [ProjectedColumn](parsing: question.columns),
          of: FetchRequest(
            try AnyQuery(parsing: question.query), sortedBy: try AnySort(parsing: question.sort), limit: question.limit),
          isDistinct: isDistinct, groupLimit: groupLimit)
        await context.expect(request.question, Rows(question.rows)) {
          Rows(try await context.subject.findRows(request))
        }
      }
    }
  }
}
