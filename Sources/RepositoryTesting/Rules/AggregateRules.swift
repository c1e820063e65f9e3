import Query
import Repository

/// Rules of aggregates: computed exactly, whatever the order of the rows, with groups in the total order.
enum AggregateRules {
  static let all: [RequestRule] = ofAll + ofGroups

  private static let every = "count, count(age), sum(age), sum(mass), average(age), min(mass), max(name)"

  private static let ofAll: [RequestRule] = [
    RequestRule(
      "aggregates ignore nulls, and `count` of the rows counts them", among: .series(\.age, 4, nil, 1),
      ["count, count(age), sum(age), average(age), min(age), max(age) → 3 2 5 2.5 1 4"],
      samples: .columns(
        "count, count(K), min(K), max(K)", "count(K)", "min(K)", "max(K)", "count, sum(K), average(K)", "sum(K)",
        "average(K)")),
    RequestRule(
      "of no rows, counts and sums are 0, and the other aggregates are null", among: [Specimen(1)],
      [
        .text("\(every) of false → 0 0 0 0.0 null null null"), .text("\(every) of id = 2 → 0 0 0 0.0 null null null"),
        .text("\(every) of false || by kingdom →"), "sum(age), average(age), min(age) → 0 null null",
      ],
      samples: .columns(
        "count, count(K), min(K), max(K) of false", "count, count(K), min(K), max(K) of K is null",
        "sum(K), average(K) of false", "sum(K), average(K) of K is null", "count of false || by K")),
    RequestRule(
      "aggregates are of the rows that match the query", among: .series(\.age, 1, 2, 3, nil),
      ["sum(age) of age > 1 → 5", "count of not age > 1 → 2", "max(age) of id in (1, 2) → 2"],
      samples: .neighbours(
        "count, count(J), min(J), max(J) of K != :v", "sum(J), average(J) of K != :v",
        "count, count(K), min(K), max(K) of K != :v")),
    RequestRule(
      "a sum of reals is exact and then rounded, in any order", among: .series(\.mass, 1, 1e100, 1, -1e100),
      ["sum(mass), average(mass) → 2.0 0.5", "sum(mass) of id < 4 → 1e+100"],
      // Sums of some of the rows are compared, too: in the sum of all, a row may compensate for what the others lose.
      samples: .columns(
        "sum(K), average(K)", "sum(K), average(K) of K != :v", "sum(K), average(K) of K <= :v"
      ) { column in column.values.contains { if case .real = $0 { true } else { false } } }),
    RequestRule(
      "a sum of reals may exceed the result on the way",
      among: .series(\.mass, .greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude),
      [
        .text("sum(mass) → \(Value.real(.greatestFiniteMagnitude))"),
        .text("sum(mass), average(mass) of id < 3 → 9e999 \(Value.real(.greatestFiniteMagnitude))"),
      ]),
    RequestRule(
      "an average of integers is exact before it is rounded", among: .series(\.age, .max, .max, .min, 2),
      ["average(age) of id between 2 and 3 → -0.5", "average(age) of id != 1 → 0.3333333333333333"]),
    RequestRule(
      "a sum of integers overflows only if the total does", among: .series(\.age, .max, .max, .min, 1, 1),
      [
        "sum(age) of id < 5 → 9223372036854775807",
        .failure("count, sum(age)", .overflow, naming: "sum(age)", suggesting: "average"),
        .failure("sum(age) of id < 3", .overflow),
        "sum(age) || by id | limit 2 → 1 9223372036854775807 → 2 9223372036854775807",
        .failure("sum(age) || by kingdom | limit 0", .overflow, naming: "sum(age)"),
      ],
      samples: .columns("sum(K)", "sum(K) of K <= :v", "average(K)") { column in
        // Two such integers may have a sum that overflows.
        column.values.contains { if case .integer(let integer) = $0 { integer.magnitude >= 1 << 62 } else { false } }
      }),
    RequestRule(
      "infinities are added, but not both", among: .series(\.mass, .infinity, 1, -.infinity),
      [
        "sum(mass), average(mass) of id < 3 → 9e999 9e999", "sum(mass), average(mass) of id > 1 → -9e999 -9e999",
        .failure("sum(mass), average(mass)", .notANumber, naming: "sum(mass)", suggesting: "exclude"),
        "min(mass), max(mass) → -9e999 9e999",
      ]),
    RequestRule(
      "the least and the greatest text are those by bytes", among: .series(\.name, "b", "é", "B", "z"),
      ["min(name), max(name) → 'B' 'é'"]),
    RequestRule(
      "the least and the greatest blobs are those by bytes", among: .series(\.scan, [1, 0], nil, [1], []),
      ["min(scan), max(scan), count(scan) → x'' x'0100' 3"]),
    RequestRule(
      "zero has no sign in aggregates", among: .series(\.mass, -0.0),
      ["sum(mass), average(mass), min(mass) || by mass → 0.0 0.0 0.0 0.0"]),
  ]

  private static let ofGroups: [RequestRule] = [
    RequestRule(
      "groups come in the order of their keys, nulls first", among: .series(\.age, 3, nil, 1, 3, nil),
      ["count, min(id) || by age → null 2 2 → 1 1 3 → 3 2 1"],
      samples: .columns("count || by K", "count || by K | limit 2")),
    RequestRule(
      "text is grouped by bytes", among: .series(\.name, "é", "e\u{301}", "a", "A", "a", "a\u{1}", "a "),
      [
        .text(
          "count, max(id) || by name → 'A' 1 4 → 'a' 2 5 → \(Value.text("a\u{1}")) 1 6 → 'a ' 1 7 → 'e\u{301}' 1 2 → 'é' 1 1"
        )
      ]),
    RequestRule(
      "rows are grouped by several keys", among: table,
      [
        "count, sum(mass) || by kingdom, age → 'animal' null 1 1.0 → 'animal' 1 2 5.0 → 'plant' null 1 2.0",
        "count || by age, kingdom, age | limit 1 → null 'animal' null 1",
      ], samples: .neighbours("count, count(J), min(J), max(J) || by K, J", "count || by J, K, J | limit 3")),
    RequestRule(
      "keys alone give each combination once", among: table,
      ["keys || by age, kingdom → null 'animal' → null 'plant' → 1 'animal'"], samples: .neighbours("keys || by J, K")),
    RequestRule(
      "groups are sorted by an aggregate as requested, and then by their keys", among: .series(\.age, 5, 2, 5, 9, nil),
      [
        "count | count desc | by age → 5 2 → null 1 → 2 1 → 9 1", "count | count | by age | limit 2 → null 1 → 2 1",
        "count, max(id) | max(id) desc | by age | limit 2 → null 1 5 → 9 1 4",
      ],
      samples: .neighbours(
        "count | count desc | by K", "count | count | by K", "count | count desc | by K | limit 1",
        "max(J) | max(J) | by K",
        "max(J) | max(J) desc | by K", "max(J) | max(J) desc | by K | limit 1")),
    RequestRule(
      "different values are counted once, and nulls are not", among: .series(\.age, 3, nil, 3, 1),
      ["countDistinct(age), count(age) → 2 3", "countDistinct(age) of age is null → 0"],
      samples: .columns("countDistinct(K)", "countDistinct(K) of K != :v")),
    RequestRule(
      "an aggregate may cover some rows of a group", among: table,
      [
        "count(where age = 1), sum(mass where age = 1) || by kingdom → 'animal' 2 5.0 → 'plant' 0 0.0",
        "count, count(where id > 9), max(id where id > 9) → 4 0 null",
      ], samples: .columns("count(where K != :v), max(K where K != :v)")),
    RequestRule(
      "a condition on groups selects groups", among: .series(\.age, 3, nil, 1, 3, nil),
      [
        "count || by age | having count() > 1 → null 2 → 3 2",
        "keys || by age | having max(id) < 5 and age > 1 → 3", "count || having count() > 9 →",
        "count | count desc | by age | having not age = 3 | limit 1 → null 2",
        .failure("count || by age | having kingdom = 'x'", .invalidQuery, naming: "kingdom"),
        .failure("count || by age | having min(name) > 1", .invalidQuery),
      ], samples: .columns("count || by K | having count() > 1")),
    RequestRule(
      "invalid aggregates are refused", among: .series(1),
      [
        .failure("sum(agee)", .invalidQuery, suggesting: "age"),
        .failure("count || by kingdon", .invalidQuery, suggesting: "kingdom"),
        .failure("count of agee = 1", .invalidQuery),
        .failure("sum(name)", .invalidQuery, naming: "name"), .failure("average(scan)", .invalidQuery, naming: "scan"),
        .failure("keys", .invalidQuery), .failure("count || limit -1", .invalidQuery),
        .failure("count | max(age) desc", .invalidQuery),
        .failure(repeated("count", AggregateRequest.maximumColumnCount + 1), .invalidQuery),
      ],
      samples: .columns(
        "max(U)", "count || by K, U", "count of U is null", "count | max(K) desc", "sum(K)", "average(K)", "keys",
        "count || limit -1"
      ) { !$0.holds(.number) }),
    RequestRule(
      "the maximum number of aggregates is answered", among: .series(\.mass, 1),
      [
        .text(
          repeated("sum(mass)", AggregateRequest.maximumColumnCount) + " → "
            + Array(repeating: "1.0", count: AggregateRequest.maximumColumnCount).joined(separator: " "))
      ]),
  ]

  private static func repeated(_ aggregate: String, _ count: Int) -> String {
    Array(repeating: aggregate, count: count).joined(separator: ", ")
  }

  private static let table: [Specimen] = [
    Specimen(1).with(\.age, 1).with(\.mass, 2), Specimen(2).with(\.mass, 1), Specimen(3).with(\.age, 1).with(\.mass, 3),
    Specimen(4).with(\.kingdom, .plant).with(\.mass, 2),
  ]
}
