import Query
import Repository

/// Numbers are compared by mathematical value, exactly, whether they are integers or reals.
enum NumberRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("an integer equals a real of the same value", among: Specimen.series(\.age, 1, 2, 0)) { trial in
      await trial.expect(.equal(key: "age", value: 1.0), finds: 1)
      await trial.expect(.equal(key: "age", value: 1.5), findsAll: [])
      await trial.expect(.notEqual(key: "age", value: 1.5), finds: 1, 2, 3)
      await trial.expect(.lessThan(key: "age", value: 1.5), finds: 1, 3)
      await trial.expect(.greaterThan(key: "age", value: 0.5), finds: 1, 2)
      await trial.expect(.greaterThanOrEqual(key: "age", value: -0.5), finds: 1, 2, 3)
    },
    SpecimenRule("a real equals an integer of the same value", among: Specimen.series(\.mass, 1, 1.5, 2, -1)) { trial in
      await trial.expect(.equal(key: "mass", value: 1), finds: 1)
      await trial.expect(.notEqual(key: "mass", value: 1), finds: 2, 3, 4)
      await trial.expect(.greaterThan(key: "mass", value: 1), finds: 2, 3)
      await trial.expect(.lessThanOrEqual(key: "mass", value: 1), finds: 1, 4)
    },
    SpecimenRule(
      "integers beyond 2^53 are not rounded",
      among: Specimen.series(\.age, 9_007_199_254_740_992, 9_007_199_254_740_993, 9_007_199_254_740_994)
    ) { trial in
      await trial.expect(.equal(key: "age", value: 9_007_199_254_740_993), finds: 2)
      await trial.expect(.equal(key: "age", value: 9_007_199_254_740_992.0), finds: 1)
      await trial.expect(.notEqual(key: "age", value: 9_007_199_254_740_992.0), finds: 2, 3)
      await trial.expect(.greaterThan(key: "age", value: 9_007_199_254_740_992.0), finds: 2, 3)
      await trial.expect(.lessThan(key: "age", value: 9_007_199_254_740_994.0), finds: 1, 2)
      await trial.expect(sortedBy: .descending(key: "age"), 3, 2, 1)
    },
    SpecimenRule(
      "a real is not compared with a rounded integer",
      among: Specimen.series(\.mass, 9_007_199_254_740_992.0, 9_007_199_254_740_994.0)
    ) { trial in
      await trial.expect(.equal(key: "mass", value: 9_007_199_254_740_993), findsAll: [])
      await trial.expect(.notEqual(key: "mass", value: 9_007_199_254_740_993), finds: 1, 2)
      await trial.expect(.lessThan(key: "mass", value: 9_007_199_254_740_993), finds: 1)
      await trial.expect(.lessThanOrEqual(key: "mass", value: 9_007_199_254_740_993), finds: 1)
      await trial.expect(.greaterThanOrEqual(key: "mass", value: 9_007_199_254_740_993), finds: 2)
      await trial.expect(
        .between(key: "mass", lhs: 9_007_199_254_740_993, rhs: 9_007_199_254_740_995), finds: 2)
      await trial.expect(.in(key: "mass", values: [9_007_199_254_740_993, 9_007_199_254_740_994]), finds: 2)
      await trial.expect(!.in(key: "mass", values: [9_007_199_254_740_993]), finds: 1, 2)
    },
    SpecimenRule(
      "reals beyond the integers are greater or less than all of them", among: Specimen.series(\.age, .max, .min, 0)
    ) { trial in
      await trial.expect(.lessThan(key: "age", value: 0x1p63), finds: 1, 2, 3)
      await trial.expect(.greaterThanOrEqual(key: "age", value: 0x1p63), findsAll: [])
      await trial.expect(.equal(key: "age", value: 0x1p63), findsAll: [])
      await trial.expect(.equal(key: "age", value: -0x1p63), finds: 2)
      await trial.expect(.greaterThan(key: "age", value: -0x1p63), finds: 1, 3)
      await trial.expect(.greaterThan(key: "age", value: (-0x1p63).nextDown), finds: 1, 2, 3)
      await trial.expect(.in(key: "age", values: [0x1p63, -0x1p63]), finds: 2)
    },
    SpecimenRule(
      "integers at their bounds are less than the reals beyond",
      among: Specimen.series(\.mass, 0x1p63, 0x1p63.nextDown, -0x1p63, (-0x1p63).nextDown)
    ) { trial in
      await trial.expect(.greaterThan(key: "mass", value: Int.max), finds: 1)
      await trial.expect(.lessThan(key: "mass", value: Int.max), finds: 2, 3, 4)
      await trial.expect(.equal(key: "mass", value: Int.max), findsAll: [])
      await trial.expect(.equal(key: "mass", value: Int.min), finds: 3)
      await trial.expect(.lessThan(key: "mass", value: Int.min), finds: 4)
    },
    SpecimenRule(
      "infinities are the greatest and the least numbers",
      among: Specimen.series(\.mass, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0)
    ) { trial in
      await trial.expect(.equal(key: "mass", value: Double.infinity), finds: 1)
      await trial.expect(.equal(key: "mass", value: -Double.infinity), finds: 2)
      await trial.expect(.lessThan(key: "mass", value: Double.infinity), finds: 2, 3, 4, 5)
      await trial.expect(.greaterThan(key: "mass", value: -Double.infinity), finds: 1, 3, 4, 5)
      await trial.expect(.greaterThan(key: "mass", value: Int.max), finds: 1, 3)
      await trial.expect(
        .between(key: "mass", lhs: -Double.infinity, rhs: Double.infinity), finds: 1, 2, 3, 4, 5)
      await trial.expect(.lessThan(key: "id", value: Double.infinity), finds: 1, 2, 3, 4, 5)
      await trial.expect(.in(key: "mass", values: [Double.infinity, 1]), finds: 1)
      await trial.expect(sortedBy: .ascending(key: "mass"), 2, 4, 5, 3, 1)
    },
    SpecimenRule("-0.0 equals 0.0 and 0", among: Specimen.series(\.mass, 0, -0.0, 1)) { trial in
      await trial.expect(.equal(key: "mass", value: 0.0), finds: 1, 2)
      await trial.expect(.equal(key: "mass", value: -0.0), finds: 1, 2)
      await trial.expect(.equal(key: "mass", value: 0), finds: 1, 2)
      await trial.expect(.notEqual(key: "mass", value: -0.0), finds: 3)
      await trial.expect(.lessThan(key: "mass", value: 0.0), findsAll: [])
      await trial.expect(.greaterThanOrEqual(key: "mass", value: -0.0), finds: 1, 2, 3)
      await trial.expect(.in(key: "mass", values: [-0.0]), finds: 1, 2)
      await trial.expect(.between(key: "mass", lhs: 0.0, rhs: -0.0), finds: 1, 2)
      await trial.expect(.equal(key: "age", value: -0.0), findsAll: [])
    },
    SpecimenRule(
      "the smallest reals are greater than zero",
      among: Specimen.series(\.mass, .leastNonzeroMagnitude, 0, -.leastNonzeroMagnitude)
    ) { trial in
      await trial.expect(.greaterThan(key: "mass", value: 0), finds: 1)
      await trial.expect(.lessThan(key: "mass", value: 0), finds: 3)
      await trial.expect(.equal(key: "mass", value: Double.leastNonzeroMagnitude), finds: 1)
    },
    SpecimenRule("reals are equal to the last bit", among: Specimen.series(\.mass, 0.3, 0.1 + 0.2, 0.1)) { trial in
      await trial.expect(.equal(key: "mass", value: 0.3), finds: 1)
      await trial.expect(.equal(key: "mass", value: 0.30000000000000004), finds: 2)
      // A `Float` is compared as the `Double` that it is: 0.100000001490116…
      await trial.expect(.equal(key: "mass", value: Float(0.1)), findsAll: [])
      await trial.expect(.lessThan(key: "mass", value: Float(0.1)), finds: 3)
    },
  ]
}
