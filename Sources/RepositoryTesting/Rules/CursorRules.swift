import Query
import Repository

/// Pages that begin or end at a cursor.
enum CursorRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("a page after a cursor gives what the same page by offset gives", among: museum) { trial in
      for (sort, whole) in orders {
        for size in [1, 3, 10] {
          for offset in stride(from: size, through: whole.count, by: size) {
            let cursor = try cursor(at: whole[offset - 1], sortedBy: sort)
            let page = Array(whole.dropFirst(offset).prefix(size))
            await trial.expect(FetchRequest(sortedBy: sort, limit: size, after: cursor), finds: page)
          }
        }
      }
    },
    SpecimenRule("a page before a cursor ends where the next one begins, in the same order", among: museum) { trial in
      for (sort, whole) in orders {
        for size in [1, 3, 10] {
          for end in whole.indices {
            let cursor = try cursor(at: whole[end], sortedBy: sort)
            let page = Array(whole.prefix(end).suffix(size))
            await trial.expect(FetchRequest(sortedBy: sort, limit: size, before: cursor), finds: page)
          }
        }
      }
    },
    SpecimenRule("before a cursor alone, limit and offset count back from it", among: museum) { trial in
      for (sort, whole) in orders {
        for offset in [1, 2, 9] {
          for end in whole.indices {
            let cursor = try cursor(at: whole[end], sortedBy: sort)
            let rest = whole.prefix(end).dropLast(offset)
            await trial.expect(FetchRequest(sortedBy: sort, offset: offset, before: cursor), finds: Array(rest))
            let page = FetchRequest(sortedBy: sort, limit: 2, offset: offset, before: cursor)
            await trial.expect(page, finds: rest.suffix(2))
          }
        }
      }
    },
    SpecimenRule("what stands between two cursors is found without them", among: museum) { trial in
      for (sort, whole) in orders {
        let (first, last) = try (cursor(at: whole[1], sortedBy: sort), cursor(at: whole[5], sortedBy: sort))
        let between = FetchRequest(sortedBy: sort, after: first, before: last)
        await trial.expect(between, finds: Array(whole[2...4]))
      }
    },
    SpecimenRule("between two cursors, limit and offset count from the first", among: museum) { trial in
      for (sort, whole) in orders {
        let (first, last) = try (cursor(at: whole[0], sortedBy: sort), cursor(at: whole[6], sortedBy: sort))
        for (limit, offset) in [(2, 0), (2, 1), (9, 2), (nil, 3), (0, 1), (2, 5)] as [(Int?, Int)] {
          let rest = whole[1...5].dropFirst(offset)
          let between = FetchRequest(sortedBy: sort, limit: limit, offset: offset, after: first, before: last)
          await trial.expect(between, finds: Array(rest.prefix(limit ?? rest.count)))
        }
      }
    },
    SpecimenRule("query, limit and offset count after the cursor", among: museum) { trial in
      let sort = AnySort.descending(key: "age")
      let cursor = try cursor(at: 6, sortedBy: sort)
      let query = AnyQuery.notEqual(key: "id", value: 1)
      await trial.expect(FetchRequest(query, sortedBy: sort, after: cursor), finds: [3, 7, 2, 4])
      await trial.expect(FetchRequest(query, sortedBy: sort, limit: 2, offset: 1, after: cursor), finds: [7, 2])
      await trial.expect(FetchRequest(query, sortedBy: sort, limit: 0, after: cursor), finds: [])
    },
    SpecimenRule("a cursor stays where it is when its element is gone and others come", among: museum) { trial in
      let sort = AnySort.descending(key: "age")
      let cursor = try cursor(at: 6, sortedBy: sort)
      try await trial.subject.delete([6, 5])
      try await trial.subject.save([Specimen(8).with(\.age, 9), Specimen(9).with(\.age, 4)])
      await trial.expect(FetchRequest(sortedBy: sort, after: cursor), finds: [9, 1, 3, 7, 2, 4])
    },
    SpecimenRule("texts that differ in their bytes alone have places of their own", among: texts) { trial in
      let sort = AnySort.ascending(key: "name")
      let whole = [5, 4, 3, 2, 1]
      for (index, id) in whole.enumerated() {
        let cursor = try Specimen.schema.cursor(at: texts[id - 1], sortedBy: sort)
        await trial.expect(FetchRequest(sortedBy: sort, after: cursor), finds: Array(whole.dropFirst(index + 1)))
        await trial.expect(FetchRequest(sortedBy: sort, before: cursor), finds: Array(whole.prefix(index)))
      }
    },
    SpecimenRule("a cursor of another sort is refused", among: museum) { trial in
      let cursor = try cursor(at: 3, sortedBy: .descending(key: "age"))
      for sort in [
        .primaryKey, .ascending(key: "age"), .descending(key: "mass"), .descending(key: "age", nulls: .first),
      ]
        as [AnySort]
      {
        await trial.expectRefusal(of: FetchRequest(sortedBy: sort, after: cursor))
        await trial.expectRefusal(of: FetchRequest(sortedBy: sort, before: cursor))
      }
    },
  ]

  /// The ages 3, null, 1, null, 7, 7 and 1 of specimens 1 to 7.
  private static let museum = Specimen.series(\.age, 3, nil, 1, nil, 7, 7, 1)

  /// Sorts, and the order in which each of them gives the museum.
  private static let orders: [(AnySort, [Int])] = [
    (.primaryKey, [1, 2, 3, 4, 5, 6, 7]),
    (.descending(key: "id"), [7, 6, 5, 4, 3, 2, 1]),
    (.ascending(key: "age"), [2, 4, 3, 7, 1, 5, 6]),
    (.descending(key: "age"), [5, 6, 1, 3, 7, 2, 4]),
    (.ascending(key: "age", nulls: .last), [3, 7, 1, 5, 6, 2, 4]),
    (.descending(key: "age", nulls: .first) + .descending(key: "id"), [4, 2, 6, 5, 1, 7, 3]),
  ]

  /// In the order of their bytes, the last one first.
  private static let texts = Specimen.series(\.name, "é", "e\u{301}", "a\0", "a", "")

  private static func cursor(at id: Int, sortedBy sort: AnySort) throws -> Cursor {
    try Specimen.schema.cursor(at: museum[id - 1], sortedBy: sort)
  }
}
