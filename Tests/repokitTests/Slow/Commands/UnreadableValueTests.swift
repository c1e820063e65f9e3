import Testing

@testable import repokit

/// NaN, infinite decimals, and dates before the year 1 or after 9999, which other programs store.
@Suite(
  "Values of a server that can't be read",
  .enabled(if: TestSchema.connection != nil, "REPOKIT_POSTGRES names no server"))
struct UnreadableValueTests {
  private static let columns = """
    CREATE TABLE reading (id int8 PRIMARY KEY, mass float8, single real, price numeric, cost numeric(6,2), day date, \
    at timestamptz, local timestamp)
    """
  /// Rows 1 and 3 have such values, row 4 those at the limits, and row 5 nulls.
  private static let rows = """
    INSERT INTO reading VALUES
      (1, 'NaN', 'NaN', 'NaN', 'NaN', '0044-03-15 BC', '0044-03-15 10:00+00 BC', '0044-03-15 10:00 BC'),
      (2, 2, 1.5, 3, 4, '2005-01-01', '2005-01-01 10:00+00', '2005-01-01 10:00'),
      (3, 'NaN', 'NaN', '-Infinity', 'NaN', '12000-01-01', '12000-01-01', '12000-01-01'),
      (4, 'infinity', '-infinity', 7, 0, 'infinity', '-infinity', 'infinity'),
      (5, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
    """

  private static let conditions: [(String, [Int])] = [
    ("mass > 1", [2, 4]), ("mass >= 1", [2, 4]), ("mass < 1", []), ("mass != 2", [4, 5]),
    ("mass not in (3)", [2, 4, 5]),
    ("not mass between 1 and 3", [4, 5]), ("not mass > 1", [5]), ("mass = mass", [2, 4, 5]), ("mass > id", [4]),
    ("id < mass", [4]), ("mass > single", [2, 4]), ("mass * 2 > 1", [2, 4]), ("mass + 1 > 1", [2, 4]),
    ("abs(mass) > 1", [2, 4]), ("(-mass) < 1", [2, 4]), ("floor(mass) > 1", [2, 4]),
    ("coalesce(mass, -5) = -5", [1, 3, 5]),
    ("if(mass > 1, 1, 0) = 1", [2, 4]), ("single > 1", [2]), ("single * 2 > 1", [2]),
    ("price > 1", [2, 4]), ("price < 1", []), ("price != 3", [4, 5]), ("price = price", [2, 4, 5]),
    ("coalesce(price, 1) = 1", [1, 3, 5]), ("cost > 1", [2]), ("cost != 4", [4, 5]), ("cost + 1 > 0", [2, 4]),
    ("day < '2000-01-01'", []), ("day > '2000-01-01'", [2, 4]), ("day != '2005-01-01'", [4, 5]),
    ("not day > '2000-01-01'", [5]), ("year(day) = 44", []), ("year(day) is null", [1, 3, 4, 5]),
    ("day = day", [2, 4, 5]),
    ("date(at) = '0044-03-15'", []), ("at < '2000-01-01'", [4]),
    ("at > '2000-01-01'", [2]), ("local < '2000-01-01'", []),
    ("local > '2000-01-01'", [2, 4]), ("year(local) = 44", []),
  ]

  @Test("no comparison is true for such values, and in expressions they are null")
  func conditions() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(Self.columns, Self.rows)
      for (condition, ids) in Self.conditions {
        let outcome = try await workshop.run(["query", schema.uri, "reading", condition, "--columns", "id"])
        #expect(
          outcome.output == (["id"] + ids.map(String.init)).map { $0 + "\n" }.joined(),
          "\(condition): \(outcome.messages)")
      }
    }
  }

  @Test("reading one is an error that names the row's key, the column and the reason")
  func reading() async throws {
    let workshop = try Workshop()
    try await TestSchema.with { schema in
      try await schema.execute(Self.columns, Self.rows)
      for (column, reason) in [
        ("mass", "NaN"), ("single", "NaN"), ("price", "NaN"), ("cost", "NaN"), ("day", "before the year 1"),
        ("at", "before the year 1"), ("local", "before the year 1"),
      ] {
        let outcome = try await workshop.run(["query", schema.uri, "reading", "id = 1", "--columns", "id, \(column)"])
        #expect(outcome.status == 1)
        #expect(outcome.messages.hasPrefix("error: can't read row 1 of reading, column \(column)\n"))
        #expect(outcome.messages.contains(reason), "\(column)")
      }
    }
  }
}
