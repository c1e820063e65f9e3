import Query
import Repository

/// Rules that invalid requests are refused with the code `invalidQuery`, before anything runs.
enum RefusalRules {
  static let all: [RequestRule] = [
    RequestRule(
      "an unknown key is refused, and the nearest key suggested", among: .series(1),
      [
        "agee = 1 → ! age", "masss < 1 → ! mass", "findr is null → ! finder", "nmae in ('a') → ! name",
        "lenght between 1 and 2 → ! length", "lable contains 'a' → ! label", "age = mas → ! mass",
        "age between idd and 1 → ! id", "true | kingdon → ! kingdom",
      ]),
    RequestRule(
      "keys differ by their bytes", among: .series(1),
      ["AGE", "Age", " age", "age ", "age\0", "\"age\"", "", "rowid", "specimen.age", "1", "name; --", "naḿe"].flatMap {
        [.refused(.equal(key: $0, value: 1)), .refused(FetchRequest(sortedBy: .ascending(key: $0)))]
      }),
    RequestRule(
      "an unknown key is refused even if the result does not depend on the key", among: .series(1),
      [
        "true or colour = 'red' → !", "false and colour = 'red' → !", "not (true or not colour = 'red') → !",
        "colour = 'red' || limit 0 → !", "colour in () → !", "false | id, colour → !",
      ],
      samples: .table(
        "true or U = 'red'", "false and U = 'red'", "not (true or not U = 'red')", "U = 'red' || limit 0", "U in ()")),
    RequestRule(
      "a request is refused in an empty repository as well",
      [
        "colour = 'red' → !", "age = 'old' → !", .refused(.equal(key: "mass", value: Double.nan)),
        "true || limit -1 → !",
        "true | colour → !",
      ], samples: .table("U = 'red'", "true || limit -1", "true | U")),
    RequestRule(
      "a key is not compared with a value of a kind that the key can't store", among: .series(1),
      ComparisonOperator.allCases.map(\.rawValue).flatMap { comparisonOperator -> [RequestRow] in
        [
          "age \(comparisonOperator) '7' → !", "mass \(comparisonOperator) x'07' → !",
          "name \(comparisonOperator) 7 → !",
          "name \(comparisonOperator) x'07' → !",
          "sample \(comparisonOperator) '7' → !", "scan \(comparisonOperator) 7.5 → !",
          "found \(comparisonOperator) 0 → !",
          "extinct \(comparisonOperator) 'true' → !", "kingdom \(comparisonOperator) 1 → !",
        ]
      } + ["not age = '7' → !"], samples: .columns(values: .unfit)),
    RequestRule(
      "no value of a list or bound is of a kind that the key can't store", among: .series(1),
      [
        "age in ('7') → !", "age in (7, '7') → !", "name in (7) → !", "age between 1 and '9' → !",
        "age between '1' and 9 → !", "name between 'a' and 9 → !",
      ],
      samples: .columns("K in (:v)", "K in (:w, :v)", "K between :w and :v", "K between :v and :w", values: .unfit)),
    RequestRule(
      "two keys of different kinds are not compared", among: .series(1),
      ["age = name → !", "name < sample → !", "scan != mass → !", "age between 1 and finder → !"],
      samples: .neighbours("K = J", "K < J") { $0.schema.kinds.isDisjoint(with: $1.schema.kinds) }),
    RequestRule(
      "text operators are refused for keys without text", among: .series(1),
      ["contains", "starts with", "ends with", "like"].flatMap { operation in
        ["id", "age", "mass", "sample", "extinct"].flatMap { key -> [RequestRow] in
          ["\(key) \(operation) '7' → !", "\(key) \(operation) '' ignoring case → !"]
        }
      }, samples: .columns(values: .constant("7")) { !$0.holds(.text) }),
    RequestRule(
      "null may be compared with any key", among: .series(1),
      [
        "id != null → 1", "age != null →", "mass != null → 1", "name != null → 1", "sample != null → 1",
        "found != null → 1",
        "remarks != null → 1",
      ], samples: .columns()),
    RequestRule(
      "NaN is not compared with", among: .series(1),
      ComparisonOperator.allCases.flatMap { comparisonOperator -> [RequestRow] in
        [
          .refused(.compare(key: "mass", comparisonOperator, value: Double.nan)),
          .refused(.compare(key: "age", comparisonOperator, value: Value.real(.nan))),
        ]
      } + [
        .refused(.between(key: "mass", lhs: Double.nan, rhs: 1.0)),
        .refused(.between(key: "mass", lower: .value(0), upper: .value(.real(.nan)))),
        .refused(.in(key: "mass", values: [1, Double.nan])), .refused(!.in(key: "mass", values: [Float.nan])),
        .refused(.true || .equal(key: "length", value: -Double.nan)),
      ],
      samples: .columns("K = :v", "K != :v", "K < :v", "K >= :v", "K in (1, :v)", values: .constant(.real(.nan))) {
        $0.holds(.number)
      }),
    RequestRule(
      "an unsigned integer above `Int64.max` is not compared with", among: .series(1),
      [
        .refused(.equal(key: "age", value: UInt64.max)), .refused(.lessThan(key: "mass", value: UInt64(Int64.max) + 1)),
        .refused(.in(key: "age", values: [1, UInt.max])), .query(.lessThan(key: "id", value: UInt64(Int64.max)), [1]),
      ]),
    RequestRule(
      "a date outside the years 0000 to 9999 is not compared with", among: .series(1),
      [
        .refused(.lessThan(key: "found", value: StoredDates.end)),
        .refused(.equal(key: "found", value: StoredDates.beforeStart)),
      ]),
    RequestRule(
      "a negative limit or offset is refused", among: .series(1),
      ["true || limit -1 → !", "true || limit min → !", "true || offset -1 → !", "true || limit 0 | offset min → !"],
      samples: .table()),
  ]
}
