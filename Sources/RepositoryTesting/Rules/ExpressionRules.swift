import Query
import Repository

/// Rules of expressions that are computed from a row, and from rows of other tables that are related to it.
enum ExpressionRules {
  static let all: [RequestRule] = [
    RequestRule(
      "arithmetic of integers is exact, and null beyond 64 bits and by zero",
      among: .series(\.age, 7, -7, .max, .min, 0),
      [
        "age + 1 = 8 → 1", "age + 1 is null → 3", "age - 1 is null → 4", "age * 2 is null → 3 4", "-age is null → 4",
        "abs(age) = 7 → 1 2", "age / 2 = 3 → 1", "age / 2 = -3 → 2", "age % 2 = -1 → 2", "age / -1 is null → 4",
        "age % -1 = 0 → 1 2 3 4 5", "age / 0 is null → 1 2 3 4 5", "10 / age is null → 5", "age + 1 - 1 is null → 3",
      ]),
    RequestRule(
      "arithmetic with a real gives a real, or null if there is no result",
      among: .series(\.mass, 1.5, 0, 1e308, .infinity),
      [
        "mass * 2 = 3 → 1", "mass * 10 is null → 3", "1 / mass is null → 2", "1 / mass = 0 → 4",
        "mass - mass = 0 → 1 2 3",
        "mass - mass is null → 4", "floor(mass) = 1 → 1", "ceiling(mass) = 2 → 1", "7 / 2 = mass * 2 → 1",
      ]),
    RequestRule(
      "null gives null, except in `coalesce` and `if`", among: .series(\.age, 1, nil),
      [
        "age + 1 is null → 2", "not age + 1 = 2 → 2", "coalesce(age, 5) = 5 → 2", "coalesce(age) is null → 2",
        "if(age > 0, 1, 2) = 2 → 2", "if(age > 0, age, mass) / 2 is null →",
      ]),
    RequestRule(
      "text is counted by scalars, and folded", among: .series(\.name, "a", "É", "e\u{301}", "", "👍🏽"),
      [
        "length(name) = 1 → 1 2", "length(name) = 2 → 3 5", "length(name) = 0 → 4",
        "folded(name) = 'é' → 2",
      ]),
    RequestRule(
      "parts of dates are read from text that is a date, in UTC",
      among: .series(\.name, "2024-02-29T23:59:58Z", "2023-02-29", "1969-12-31", "2024-03-01T00:10+02:00"),
      [
        "year(name) = 2024 → 1 4", "year(name) is null → 2", "month(name) = 12 → 3", "weekday(name) = 3 → 3",
        "second(name) = 58 → 1", "hour(name) is null → 2 3", "date(name) = '2024-02-29' → 1 4", "hour(name) = 22 → 4",
        "yearMonth(name) = '1969-12' → 3",
      ]),
    RequestRule(
      "parts of texts count scalars from 1", among: .series(\.name, " a,é ", "a,b,c", ""),
      [
        "trim(name) = 'a,é' → 1", "replace(name, ',', '') = 'abc' → 2", "substring(name, 3, 2) = ',é' → 1",
        "substring(name, 4) = '' → 3", "position(name, 'b') = 3 → 2", "part(name, ',', 3) = 'c' → 2",
        "part(name, ',', 2) is null → 3",
      ]),
    RequestRule(
      "dates beside others keep their form", among: .series(\.name, "2024-01-31T10:00Z", "2023-12-31", "x"),
      [
        "addMonths(name, 1) = '2024-02-29T10:00Z' → 1", "addDays(name, 1) = '2024-01-01' → 2",
        "addDays(name, 1) is null → 3",
        "daysBetween(name, '2024-02-01') = 1 → 1", "secondsBetween(name, '2024-01-01') = 86400 → 2",
        "quarter(name) = 4 → 2", "week(name) = 52 → 2", "weekYear(name) = 2023 → 2",
      ]),
    RequestRule(
      "extremes of numbers are null beside null", among: .series(\.age, 5, -6, nil),
      [
        "least(age, 0) = -6 → 2", "greatest(age, mass) = 5 → 1", "greatest(age, 0) is null → 3", "sign(age) = -1 → 2",
        "round(age / 4.0) = -2 → 2", "integer(name) is null → 1 2 3",
      ]),
    RequestRule(
      "rows are sorted by computed values", among: .series(\.age, 5, -6, 3, nil),
      ["true | abs(age) → 4 3 1 2", "true | abs(age) desc → 2 1 3 4", "true | coalesce(age, 4) → 2 3 4 1"]),
    RequestRule(
      "expressions of kinds that do not fit are refused", among: [Specimen(1)],
      [
        "name + 1 = 2 → !", "length(age) = 1 → !", "mass % 2 = 1 → !", "nothing + 1 = 2 → !",
        "trim(age) = '' → !", "substring(name, mass) = '' → !", "addDays(name, 'x') = '' → !",
      ]),
  ]

  static let relations: [ConformanceRule<any Store>] = [
    ConformanceRule("a path leads to the referenced row, or to null without a reference") { context in
      try await expect(
        [
          ("friend.name = 'Ann'", [2]), ("friend.friend.name = 'Ann'", [3]), ("friend.name != 'Ann'", [1, 3]),
          ("not friend.name = 'Ann'", [1, 3]), ("friend.id is null", [1]), ("tour.guide.name = 'Ann'", [2]),
          ("length(friend.name || tour.name) = 4", [2]), ("friend.id + 1 = id", [2, 3]),
        ], in: context)
    },
    ConformanceRule("rows that refer to a row are asked about together") { context in
      try await expect(
        [
          ("any visitor by friend (name = 'Cy')", [2]), ("no visitor by friend", [3]), ("any tour", [1]),
          ("not any visitor by friend (name = 'Ben')", [2, 3]), ("count(visitor by friend) = 1", [1, 2]),
          ("sum(id of visitor by friend) = 0", [3]), ("max(id of visitor by friend) is null", [3]),
          ("any visitor by friend (any visitor by friend (name = 'Cy'))", [1]),
          ("average(day of tour where day > 1) = 3", [1]),
        ], in: context)
    },
    ConformanceRule("rows are sorted by the rows that they lead to") { context in
      let visitors = try await visitors(context.subject)
      for (sort, keys) in [("friend.name desc", [3, 2, 1]), ("-count(visitor by friend), -id", [2, 1, 3])] {
        await context.expect(sort, keys) {
          try await visitors.findAll(FetchRequest(sortedBy: try AnySort(parsing: sort))).compactMap(\.id)
        }
      }
    },
  ]

  private static func expect(
    _ answers: [(query: String, keys: [Int])], in context: CheckContext<any Store>
  ) async throws {
    let visitors = try await visitors(context.subject)
    for (query, keys) in answers {
      await context.expect(query, keys) {
        try await visitors.findAll(FetchRequest(try AnyQuery(parsing: query))).compactMap(\.id)
      }
      await context.expect("count \(query)", keys.count) { try await visitors.count(try AnyQuery(parsing: query)) }
    }
  }

  /// Saves three visitors, of whom the second and the third refer to the previous one as a friend.
  private static func visitors(_ store: any Store) async throws -> AnyRepository<Visitor> {
    let visitors = try store.repository(of: Visitor.self)
    let tours = try store.repository(of: Tour.self)
    try await visitors.insert(Visitor(id: 1, name: "Ann", friend: nil, tour: nil))
    try await tours.insert(Tour(name: "a", day: 3, hall: nil, guide: 1))
    try await visitors.insert(Visitor(id: 2, name: "Ben", friend: 1, tour: "a"))
    try await visitors.insert(Visitor(id: 3, name: "Cy", friend: 2, tour: nil))
    return visitors
  }
}
