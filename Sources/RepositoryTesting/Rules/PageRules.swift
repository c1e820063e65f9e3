import Query
import Repository

/// Limits and offsets.
enum PageRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("a limit gives the first ones alone", among: Specimen.series(5)) { trial in
      await trial.expect(FetchRequest(limit: 2), finds: [1, 2])
      await trial.expect(FetchRequest(limit: 5), finds: [1, 2, 3, 4, 5])
      await trial.expect(FetchRequest(limit: 9), finds: [1, 2, 3, 4, 5])
      await trial.expect(FetchRequest(limit: .max), finds: [1, 2, 3, 4, 5])
    },
    SpecimenRule("a limit of 0 gives nothing", among: Specimen.series(2)) { trial in
      await trial.expect(FetchRequest(limit: 0), finds: [])
      await trial.expect(FetchRequest(limit: 0, offset: 1), finds: [])
    },
    SpecimenRule("an offset leaves the first ones out", among: Specimen.series(5)) { trial in
      await trial.expect(FetchRequest(offset: 2), finds: [3, 4, 5])
      await trial.expect(FetchRequest(offset: 0), finds: [1, 2, 3, 4, 5])
      await trial.expect(FetchRequest(limit: 2, offset: 1), finds: [2, 3])
      await trial.expect(FetchRequest(limit: 2, offset: 4), finds: [5])
    },
    SpecimenRule("an offset beyond the end gives nothing", among: Specimen.series(3)) { trial in
      await trial.expect(FetchRequest(offset: 3), finds: [])
      await trial.expect(FetchRequest(offset: 9), finds: [])
      await trial.expect(FetchRequest(offset: .max), finds: [])
      await trial.expect(FetchRequest(limit: .max, offset: .max), finds: [])
      await trial.expect(FetchRequest(limit: 2, offset: 3), finds: [])
    },
    SpecimenRule("limit and offset count what was found, in its order", among: Specimen.series(\.age, 5, 1, 9, nil, 7))
    {
      trial in
      let query = AnyQuery.greaterThan(key: "age", value: 0)
      let sort = AnySort.descending(key: "age")
      await trial.expect(FetchRequest(query, sortedBy: sort, limit: 2), finds: [3, 5])
      await trial.expect(FetchRequest(query, sortedBy: sort, limit: 2, offset: 1), finds: [5, 1])
      await trial.expect(FetchRequest(query, sortedBy: sort, offset: 3), finds: [2])
      await trial.expect(FetchRequest(.false, sortedBy: sort, limit: 2), finds: [])
    },
    SpecimenRule("pages never overlap and leave nothing out", among: (1...20).map { Specimen($0).with(\.age, $0 % 3) })
    {
      trial in
      let sort = AnySort.descending(key: "age")
      let whole = [2, 5, 8, 11, 14, 17, 20, 1, 4, 7, 10, 13, 16, 19, 3, 6, 9, 12, 15, 18]
      await trial.expect(FetchRequest(sortedBy: sort), finds: whole)
      await trial.expect(FetchRequest(sortedBy: sort, offset: 1), finds: Array(whole.dropFirst()))
      for size in [1, 3, 7, 20] {
        for offset in stride(from: 0, to: 21, by: size) {
          let page = Array(whole.dropFirst(offset).prefix(size))
          await trial.expect(FetchRequest(sortedBy: sort, limit: size, offset: offset), finds: page)
        }
      }
    },
  ]
}
