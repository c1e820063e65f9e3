import Query
import Repository

/// Requests that can't be asked are refused with the code `invalidQuery`, before anything runs.
enum RefusalRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("an unknown key is refused, and the nearest key suggested", among: Specimen.series(1)) { trial in
      await trial.expectRefusal(of: .equal(key: "agee", value: 1), suggesting: "age")
      await trial.expectRefusal(of: .lessThan(key: "masss", value: 1), suggesting: "mass")
      await trial.expectRefusal(of: .isNull(key: "findr"), suggesting: "finder")
      await trial.expectRefusal(of: .in(key: "nmae", values: ["a"]), suggesting: "name")
      await trial.expectRefusal(of: .between(key: "lenght", lhs: 1, rhs: 2), suggesting: "length")
      await trial.expectRefusal(of: .contains(key: "lable", value: "a"), suggesting: "label")
      await trial.expectRefusal(of: .equal(key: "age", otherKey: "mas"), suggesting: "mass")
      await trial.expectRefusal(of: .between(key: "age", lower: .key("idd"), upper: .value(1)), suggesting: "id")
      await trial.expectRefusal(of: FetchRequest(sortedBy: .ascending(key: "kingdon")), suggesting: "kingdom")
    },
    SpecimenRule("keys are told apart by their bytes", among: Specimen.series(1)) { trial in
      for key in [
        "AGE", "Age", " age", "age ", "age\0", "\"age\"", "", "rowid", "specimen.age", "1", "name; --", "naḿe",
      ] {
        await trial.expectRefusal(of: .equal(key: key, value: 1))
        await trial.expectRefusal(of: FetchRequest(sortedBy: .ascending(key: key)))
      }
    },
    SpecimenRule("an unknown key is refused even where it decides nothing", among: Specimen.series(1)) { trial in
      let unknown = AnyQuery.equal(key: "colour", value: "red")
      await trial.expectRefusal(of: .true || unknown)
      await trial.expectRefusal(of: .false && unknown)
      await trial.expectRefusal(of: !(.true || !unknown))
      await trial.expectRefusal(of: FetchRequest(unknown, limit: 0))
      await trial.expectRefusal(of: .in(key: "colour", values: [Int]()))
      await trial.expectRefusal(of: FetchRequest(.false, sortedBy: .ascending(key: "id") + .ascending(key: "colour")))
    },
    SpecimenRule("a request is refused in an empty repository as well") { trial in
      await trial.expectRefusal(of: .equal(key: "colour", value: "red"))
      await trial.expectRefusal(of: .equal(key: "age", value: "old"))
      await trial.expectRefusal(of: .equal(key: "mass", value: Double.nan))
      await trial.expectRefusal(of: FetchRequest(limit: -1))
      await trial.expectRefusal(of: FetchRequest(sortedBy: .ascending(key: "colour")))
    },
    SpecimenRule("a key is not compared with a value of a kind that it can't hold", among: Specimen.series(1)) {
      trial in
      for relation in Relation.allCases {
        await trial.expectRefusal(of: .compare(key: "age", relation, value: "7"))
        await trial.expectRefusal(of: .compare(key: "mass", relation, value: [7] as [UInt8]))
        await trial.expectRefusal(of: .compare(key: "name", relation, value: 7))
        await trial.expectRefusal(of: .compare(key: "name", relation, value: [7] as [UInt8]))
        await trial.expectRefusal(of: .compare(key: "sample", relation, value: "7"))
        await trial.expectRefusal(of: .compare(key: "scan", relation, value: 7.5))
        await trial.expectRefusal(of: .compare(key: "found", relation, value: 0))
        await trial.expectRefusal(of: .compare(key: "extinct", relation, value: "true"))
        await trial.expectRefusal(of: .compare(key: "kingdom", relation, value: 1))
      }
      await trial.expectRefusal(of: !.equal(key: "age", value: "7"))
    },
    SpecimenRule("no value of a list or bound is of a kind that the key can't hold", among: Specimen.series(1)) {
      trial in
      await trial.expectRefusal(of: .in(key: "age", values: ["7"]))
      await trial.expectRefusal(of: .in(key: "age", values: [.integer(7), .text("7")] as [Value]))
      await trial.expectRefusal(of: .in(key: "name", values: [7]))
      await trial.expectRefusal(of: .between(key: "age", lhs: 1, rhs: "9"))
      await trial.expectRefusal(of: .between(key: "age", lhs: "1", rhs: 9))
      await trial.expectRefusal(of: .between(key: "name", lhs: "a", rhs: 9))
    },
    SpecimenRule("two keys that hold different kinds are not compared", among: Specimen.series(1)) { trial in
      await trial.expectRefusal(of: .equal(key: "age", otherKey: "name"))
      await trial.expectRefusal(of: .lessThan(key: "name", otherKey: "sample"))
      await trial.expectRefusal(of: .notEqual(key: "scan", otherKey: "mass"))
      await trial.expectRefusal(of: .between(key: "age", lower: .value(1), upper: .key("finder")))
    },
    SpecimenRule("text operators are refused for keys that hold no texts", among: Specimen.series(1)) { trial in
      for operation in TextOperation.allCases {
        for key in ["id", "age", "mass", "sample", "extinct"] {
          await trial.expectRefusal(of: .match(key: key, operation, value: "7"))
          await trial.expectRefusal(of: .match(key: key, operation, value: "", ignoringCase: true))
        }
      }
    },
    SpecimenRule("null may be compared with any key", among: Specimen.series(1)) { trial in
      for key in ["id", "age", "mass", "name", "sample", "found", "remarks"] {
        await trial.expect(.notEqual(key: key, value: Value.null), findsAll: key == "age" ? [] : [1])
      }
    },
    SpecimenRule("NaN is not compared with", among: Specimen.series(1)) { trial in
      for relation in Relation.allCases {
        await trial.expectRefusal(of: .compare(key: "mass", relation, value: Double.nan))
        await trial.expectRefusal(of: .compare(key: "age", relation, value: Value.real(.nan)))
      }
      await trial.expectRefusal(of: .between(key: "mass", lhs: Double.nan, rhs: 1.0))
      await trial.expectRefusal(of: .between(key: "mass", lower: .value(0), upper: .value(.real(.nan))))
      await trial.expectRefusal(of: .in(key: "mass", values: [1, Double.nan]))
      await trial.expectRefusal(of: !.in(key: "mass", values: [Float.nan]))
      await trial.expectRefusal(of: .true || .equal(key: "length", value: -Double.nan))
    },
    SpecimenRule("an unsigned integer above `Int64.max` is not compared with", among: Specimen.series(1)) { trial in
      await trial.expectRefusal(of: .equal(key: "age", value: UInt64.max))
      await trial.expectRefusal(of: .lessThan(key: "mass", value: UInt64(Int64.max) + 1))
      await trial.expectRefusal(of: .in(key: "age", values: [1, UInt.max]))
      await trial.expect(.lessThan(key: "id", value: UInt64(Int64.max)), finds: 1)
    },
    SpecimenRule("a date outside the years 0000 to 9999 is not compared with", among: Specimen.series(1)) { trial in
      await trial.expectRefusal(of: .lessThan(key: "found", value: RoundTripRules.end))
      await trial.expectRefusal(of: .equal(key: "found", value: RoundTripRules.beforeStart))
    },
    SpecimenRule("a negative limit or offset is refused", among: Specimen.series(1)) { trial in
      await trial.expectRefusal(of: FetchRequest(limit: -1))
      await trial.expectRefusal(of: FetchRequest(limit: .min))
      await trial.expectRefusal(of: FetchRequest(offset: -1))
      await trial.expectRefusal(of: FetchRequest(limit: 0, offset: .min))
    },
    SpecimenRule("a request that was refused leaves the repository as it was", among: Specimen.series(2)) { trial in
      _ = try? await trial.subject.findAll(where: .equal(key: "colour", value: "red"))
      _ = try? await trial.subject.count(.equal(key: "mass", value: "heavy"))
      _ = try? await trial.subject.findAll(offset: -1)
      await trial.expect(.true, finds: 1, 2)
      try await trial.subject.save(Specimen(3))
      await trial.expect(.true, finds: 1, 2, 3)
    },
  ]
}
