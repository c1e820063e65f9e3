import Query
import Repository

/// `and`, `or` and `not`.
enum LogicRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("`true` finds all and `false` nothing", among: Specimen.series(2)) { trial in
      await trial.expect(.true, finds: 1, 2)
      await trial.expect(.false, findsAll: [])
      await trial.expect(!.true, findsAll: [])
      await trial.expect(!.false, finds: 1, 2)
    },
    SpecimenRule("`and` of nothing is true, `or` of nothing is false", among: Specimen.series(2)) { trial in
      await trial.expect(.all(of: []), finds: 1, 2)
      await trial.expect(.any(of: []), findsAll: [])
      await trial.expect(!.all(of: []), findsAll: [])
      await trial.expect(!.any(of: []), finds: 1, 2)
    },
    SpecimenRule("`and` finds what both queries find, `or` what either finds", among: table) { trial in
      await trial.expect(isOld && isHeavy, finds: 4)
      await trial.expect(isOld || isHeavy, finds: 2, 3, 4)
      await trial.expect(isOld && .true, finds: 3, 4)
      await trial.expect(isOld && .false, findsAll: [])
      await trial.expect(isOld || .false, finds: 3, 4)
      await trial.expect(.true || isOld, finds: 1, 2, 3, 4)
    },
    SpecimenRule("`not` finds the others", among: table) { trial in
      await trial.expect(!isOld, finds: 1, 2)
      await trial.expect(!(isOld && isHeavy), finds: 1, 2, 3)
      await trial.expect(!(isOld || isHeavy), finds: 1)
      await trial.expect(!isOld && isHeavy, finds: 2)
      await trial.expect(isOld && !isHeavy, finds: 3)
      await trial.expect(!isOld || isHeavy, finds: 1, 2, 4)
    },
    SpecimenRule("two negations cancel out", among: table) { trial in
      await trial.expect(!(!isOld), finds: 3, 4)
      await trial.expect(!(!(!isOld)), finds: 1, 2)
      await trial.expect(!(!(isOld && !(!isHeavy))), finds: 4)
    },
    SpecimenRule("a nested query is grouped as it was built", among: table) { trial in
      let isFirst = AnyQuery.equal(key: "id", value: 1)
      await trial.expect(isFirst || isOld && isHeavy, finds: 1, 4)
      await trial.expect((isFirst || isOld) && isHeavy, finds: 4)
      await trial.expect(isFirst && (isOld || isHeavy), findsAll: [])
      await trial.expect(!(isFirst || isOld) && isHeavy, finds: 2)
      await trial.expect(!(isFirst || (isOld && !isHeavy)), finds: 2, 4)
      await trial.expect((isFirst && !isOld) || !(isHeavy || !isOld), finds: 1, 3)
    },
    SpecimenRule("`not` before a join counts rows with nulls in", among: Specimen.series(\.age, 1, nil, 9)) { trial in
      let isYoung = AnyQuery.lessThan(key: "age", value: 5)
      let isNamed = AnyQuery.equal(key: "finder", value: "Mary")
      await trial.expect(!(isYoung && .true), finds: 2, 3)
      await trial.expect(!(isYoung || isNamed), finds: 2, 3)
      await trial.expect(!(isYoung && isNamed), finds: 1, 2, 3)
      await trial.expect(!(!isYoung && !isNamed), finds: 1)
      await trial.expect(!(!isYoung || .greaterThan(key: "age", value: 0)), findsAll: [])
    },
  ]

  private static let isOld = AnyQuery.greaterThan(key: "age", value: 5)
  private static let isHeavy = AnyQuery.greaterThan(key: "mass", value: 5.0)

  /// Neither old nor heavy, heavy alone, old alone, both.
  private static let table = [
    Specimen(1).with(\.age, 1).with(\.mass, 1), Specimen(2).with(\.mass, 9), Specimen(3).with(\.age, 9).with(\.mass, 1),
    Specimen(4).with(\.age, 9).with(\.mass, 9),
  ]
}
