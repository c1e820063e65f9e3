import Query
import Repository

/// Rules of the order of results, and of parts of results: limits, offsets and cursors.
enum OrderingRules {
  static let all: [RequestRule] = sorts + pages

  private static let sorts: [RequestRule] = [
    RequestRule(
      "without a sort, elements are in the order of their keys", among: [3, -1, 10, 2].map { Specimen($0) },
      ["true → -1 2 3 10", "true | → -1 2 3 10"], samples: .table("true |")),
    RequestRule(
      "a sort goes up or down", among: .series(\.age, 5, 1, 9),
      ["true | age → 2 1 3", "true | age desc → 3 1 2", "true | id desc → 3 2 1"],
      samples: .columns(part: .values()) { $0.isKey || $0.isUnique }),
    RequestRule(
      "null is the least value unless told otherwise", among: .series(\.age, 5, nil, -1),
      ["true | age → 2 3 1", "true | age desc → 1 3 2"], samples: .columns(part: .nulls) { $0.hasNull }),
    RequestRule(
      "nulls come first or last as told", among: .series(\.age, 5, nil, 1, nil),
      [
        "true | age nulls first → 2 4 3 1", "true | age nulls last → 3 1 2 4", "true | age desc nulls first → 2 4 1 3",
        "true | age desc nulls last → 1 3 2 4",
      ], samples: .columns("true | K nulls last", "true | K desc nulls first", part: .nulls)),
    RequestRule(
      "keys decide between rows that are equal in a sort, in ascending order",
      // Three specimens have one age, two another; all have the same mass and no finder. They are saved out of order.
      among: [5, 3, 1, 4, 2].map { id in Specimen(id).with(\.age, id < 4 ? 9 : 2) },
      [
        "true | age → 4 5 1 2 3", "true | age desc → 1 2 3 4 5", "true | mass desc → 1 2 3 4 5",
        "true | finder → 1 2 3 4 5",
      ], samples: .columns(part: .ties) { $0.hasTies }),
    RequestRule(
      "of several sort keys, the first decides first",
      among: [
        Specimen(1).with(\.age, 1).with(\.name, "b"), Specimen(2).with(\.age, 2).with(\.name, "a"),
        Specimen(3).with(\.age, 1).with(\.name, "a"), Specimen(4).with(\.age, 2).with(\.name, "b"), Specimen(5),
      ],
      [
        "true | age, name → 5 3 1 2 4", "true | age desc, name → 2 4 3 1 5",
        "true | age nulls last, name desc → 1 3 4 2 5",
        "true | name, id desc → 5 3 2 4 1",
      ],
      samples: .neighbours("true | K desc, J desc", "true | J desc, K", part: .both) {
        ($0.hasTies || $1.hasTies) && !$0.hasNull && !$1.hasNull
      }),
    RequestRule(
      "a repeated sort key counts once", among: .series(\.age, 5, 1, 9),
      ["true | age, age desc → 2 1 3", "true | id desc, age → 3 2 1"],
      samples: .columns("true | K desc, K", part: .values()) { $0.isKey }),
    RequestRule(
      "text is sorted by its UTF-8 bytes",
      among: .series(\.name, "z", "é", "Z", "e\u{301}", "", "😀", "a\u{1}", "a", "\u{FFFD}", "ez", "10", "9"),
      ["true | name → 5 11 12 3 8 7 10 4 1 2 9 6", "true | name desc → 6 9 2 1 4 10 7 8 3 12 11 5"],
      samples: .columns(part: .values(.text)) { $0.holds(.text) }),
    RequestRule(
      "numbers are sorted by value", among: .series(\.mass, 10, 9, -1, .infinity, 0.5, -.infinity, 0, -0.0),
      ["true | mass → 6 3 7 8 5 2 1 4", "true | mass desc → 4 1 2 5 7 8 3 6"],
      samples: .columns(part: .values(.number)) { $0.holds(.number) }),
    RequestRule(
      "blobs are sorted by their bytes", among: .series(\.scan, [0x80], [], nil, [0x7F, 0xFF], [0], [0, 0]),
      ["true | scan → 3 2 5 6 4 1", "true | scan desc → 1 4 6 5 2 3"],
      samples: .columns(part: .values(.blob)) { $0.holds(.blob) }),
    RequestRule(
      "enums and Booleans are sorted by their stored values",
      among: [
        Specimen(1).with(\.kingdom, .plant), Specimen(2).with(\.isExtinct, true), Specimen(3).with(\.kingdom, .fungus),
      ], ["true | kingdom → 2 3 1", "true | extinct desc → 2 1 3"]),
    RequestRule(
      "the results of a query are sorted", among: .series(\.age, 5, 1, 9, nil, 7),
      ["age > 4 | age desc → 3 5 1", "not age > 4 | age → 4 2"],
      samples: .columns("K != :v and K is not null | K", "K != :v and K is not null | K desc", part: .values())),
  ]

  private static let pages: [RequestRule] = [
    RequestRule(
      "a limit returns only the first elements", among: .series(5),
      [
        "true || limit 2 → 1 2", "true || limit count → 1 2 3 4 5", "true || limit 9 → 1 2 3 4 5",
        "true || limit max → 1 2 3 4 5",
      ],
      samples: .table()),
    RequestRule(
      "a limit of 0 gives nothing", among: .series(2), ["true || limit 0 →", "true || limit 0 | offset 1 →"],
      samples: .table()),
    RequestRule(
      "an offset skips the first elements", among: .series(5),
      [
        "true || offset 2 → 3 4 5", "true || offset 0 → 1 2 3 4 5", "true || limit 2 | offset 1 → 2 3",
        "true || limit 2 | offset 4 → 5",
      ], samples: .table()),
    RequestRule(
      "an offset beyond the end gives nothing", among: .series(3),
      [
        "true || offset count →", "true || offset 99 →", "true || offset max →", "true || limit max | offset max →",
        "true || limit 2 | offset count →",
      ], samples: .table()),
    RequestRule(
      "limit and offset count the elements found, in their order", among: .series(\.age, 5, 1, 9, nil, 7),
      [
        "age > 0 | age desc | limit 2 → 3 5", "age > 0 | age desc | limit 2 | offset 1 → 5 1",
        "age > 0 | age desc | offset 3 → 2", "false | age desc | limit 2 →",
      ],
      samples: .columns(
        "K != :v | K desc | limit 1", "K != :v | K desc | limit 2 | offset 1", "K != :v | K desc | offset 1"
      ) { $0.isKey || $0.isUnique && !$0.hasNull }),
  ]

  /// Rules of parts of an order, by limit and offset or between cursors.
  static let windows: [WindowRule] = [
    WindowRule("pages never overlap and skip nothing", sorts: .ties) { count, _ in
      [1, 2, 3, 7, 20].flatMap { size in
        stride(from: 0, through: min(count, 20), by: size).map { Window($0..<$0 + size, limit: size, offset: $0) }
      } + [Window(1..<count, offset: 1)]
    },
    WindowRule("a page after a cursor equals the page at the same offset") { count, positions in
      positions.flatMap { start in
        [1, 3, 10].map { Window(start + 1..<start + 1 + $0, limit: $0, after: start) }
          + [Window(start + 1..<count, after: start)]
      }
    },
    WindowRule("a page before a cursor ends at the start of the next page, in the same order") { _, positions in
      positions.flatMap { end in
        [1, 3, 10].map { Window(end - $0..<end, limit: $0, before: end) } + [Window(0..<end, before: end)]
      }
    },
    WindowRule("before a cursor alone, limit and offset count back from it") { _, positions in
      positions.flatMap { end in
        [1, 2, 9].flatMap { offset in
          [
            Window(min(0, end - offset)..<end - offset, offset: offset, before: end),
            Window(end - offset - 2..<end - offset, limit: 2, offset: offset, before: end),
          ]
        }
      }
    },
    WindowRule("a page between two cursors excludes the elements at the cursors") { _, positions in
      positions.dropFirst(2).map { Window($0 - 1..<$0, after: $0 - 2, before: $0) }
        + positions.dropFirst(5).map { Window($0 - 3..<$0, after: $0 - 4, before: $0) }
    },
    WindowRule("between two cursors, limit and offset count from the first") { count, positions in
      let gap = min(6, count - 1)
      let parts: [(Int?, Int)] = [(1, 0), (1, 1), (2, 0), (2, 1), (9, 2), (nil, 1), (nil, 3), (0, 1), (2, 5)]
      return positions.dropFirst(gap).flatMap { end in
        parts.map { limit, offset in
          let start = min(end, end - gap + 1 + offset)
          let found = start..<min(end, start + (limit ?? gap))
          return Window(found, limit: limit, offset: offset, after: end - gap, before: end)
        }
      }
    },
    WindowRule("query, limit and offset count after the cursor") { count, positions in
      positions.prefix(2).flatMap { start in
        [
          Window(start + 2..<start + 4, limit: 2, offset: 1, after: start),
          Window(start + 2..<count, offset: 1, after: start),
          Window(0..<0, limit: 0, after: start),
        ]
      }
    },
  ]

  /// Rules of cursors beyond the windows.
  static let cursors: [RequestRule] = [
    RequestRule("text that differs only in its bytes has separate positions", among: texts) { context in
      let whole = [5, 4, 3, 2, 1]
      for (index, id) in whole.enumerated() {
        let cursor = try Specimen.schema.cursor(at: texts[id - 1], sortedBy: .ascending(key: "name"))
        let sort = AnySort.ascending(key: "name")
        await context.expect(FetchRequest(sortedBy: sort, after: cursor), finds: Array(whole.dropFirst(index + 1)))
        await context.expect(FetchRequest(sortedBy: sort, before: cursor), finds: Array(whole.prefix(index)))
      }
    },
    RequestRule(
      "a cursor keeps its position when its element is deleted and others are added", among: WindowRule.museum
    ) {
      context in
      let sort = AnySort.descending(key: "age")
      let cursor = try Specimen.schema.cursor(at: WindowRule.museum[5], sortedBy: sort)
      try await context.subject.delete([6, 5])
      try await context.subject.save([Specimen(8).with(\.age, 9), Specimen(9).with(\.age, 4)])
      await context.expect(FetchRequest(sortedBy: sort, after: cursor), finds: [9, 1, 3, 7, 2, 4])
    },
    RequestRule("a cursor of another sort is refused", among: WindowRule.museum) { context in
      let cursor = try Specimen.schema.cursor(at: WindowRule.museum[2], sortedBy: .descending(key: "age"))
      for sort in ["", "age", "mass desc", "age desc nulls first"] {
        let sort = try AnySort(parsing: sort)
        await context.expectRefusal(of: FetchRequest(sortedBy: sort, after: cursor))
        await context.expectRefusal(of: FetchRequest(sortedBy: sort, before: cursor))
      }
    },
  ]

  /// Specimens whose names are in the descending order of their bytes.
  private static let texts: [Specimen] = .series(\.name, "é", "e\u{301}", "a\u{1}", "a", "")
}

/// A part of an order: the limit, the offset and the cursors of a request, and the positions of the elements that it finds.
struct Window {
  let found: Range<Int>
  let limit: Int?
  let offset: Int
  /// The positions of the elements to which the cursors belong.
  let after: Int?
  let before: Int?

  init(_ found: Range<Int>, limit: Int? = nil, offset: Int = 0, after: Int? = nil, before: Int? = nil) {
    self.found = found
    self.limit = limit
    self.offset = offset
    self.after = after
    self.before = before
  }
}

/// A rule about parts of an order, which is checked with orders that are written by hand, and with the orders of samples.
struct WindowRule: Sendable {
  let name: String
  private let isAboutTies: Bool
  private let windows: @Sendable (_ count: Int, _ positions: Range<Int>) -> [Window]

  enum Sorts { case all, ties }

  init(
    _ name: String, sorts: Sorts = .all,
    _ windows: @escaping @Sendable (_ count: Int, _ positions: Range<Int>) -> [Window]
  ) {
    self.name = name
    isAboutTies = sorts == .ties
    self.windows = windows
  }

  /// The rule over hand-written orders.
  var handWritten: SpecimenRule {
    if isAboutTies {
      return SpecimenRule(name, among: Self.ties) { context in
        let whole = [2, 5, 8, 11, 14, 17, 20, 1, 4, 7, 10, 13, 16, 19, 3, 6, 9, 12, 15, 18].map { Self.ties[$0 - 1] }
        let sort = AnySort.descending(key: "age")
        try await check(context, Specimen.schema, whole, sort, positions: 0..<whole.count)
      }
    }
    return SpecimenRule(name, among: Self.museum) { context in
      for (sort, whole) in Self.orders {
        try await check(context, Specimen.schema, whole.map { Self.museum[$0 - 1] }, sort, positions: 0..<whole.count)
      }
      if name.hasPrefix("query") { try await checkQuery(context) }
    }
  }

  /// Checks the rule over the orders of samples.
  func check<Model: Entity>(_ context: SampleContext<Model>) async throws {
    for sort in sorts(of: context) {
      let whole = try context.samples.answer(FetchRequest(sortedBy: sort))
      try await check(context.checks, Model.schema, whole, sort, positions: 0..<min(8, whole.count))
    }
  }

  private func sorts(of context: SampleContext<some Entity>) -> [AnySort] {
    let ties = context.columns.filter { $0.hasTies && !$0.hasNull }
    if isAboutTies { return ties.prefix(3).map { .descending(key: $0.key) } }
    // Of all columns, those with nulls, those with ties and that of the key detect most mistakes.
    let columns =
      context.columns.filter(\.hasNull).prefix(2) + ties.prefix(2) + context.columns.filter(\.isKey).prefix(1)
    return columns.reduce(into: [.primaryKey]) { sorts, column in
      sorts += [.ascending(key: column.key), .descending(key: column.key)]
      if column.hasNull { sorts.append(.ascending(key: column.key, nulls: .last)) }
    }
  }

  private func check<Model: Entity>(
    _ context: CheckContext<AnyRepository<Model>>, _ schema: Schema<Model>, _ whole: [Model], _ sort: AnySort,
    positions: Range<Int>
  ) async throws {
    func cursor(_ position: Int?) throws -> Cursor? {
      try position.map { try schema.cursor(at: whole[$0], sortedBy: sort) }
    }
    for window in windows(whole.count, positions) {
      let request = FetchRequest(
        sortedBy: sort, limit: window.limit, offset: window.offset, after: try cursor(window.after),
        before: try cursor(window.before))
      await context.expect(request, finds: whole[window.found.clamped(to: whole.indices)].map(\.id))
    }
  }

  private func checkQuery(_ context: SpecimenContext) async throws {
    let sort = AnySort.descending(key: "age")
    let cursor = try Specimen.schema.cursor(at: Self.museum[5], sortedBy: sort)
    let query = AnyQuery.notEqual(key: "id", value: 1)
    await context.expect(FetchRequest(query, sortedBy: sort, after: cursor), finds: [3, 7, 2, 4])
    await context.expect(FetchRequest(query, sortedBy: sort, limit: 2, offset: 1, after: cursor), finds: [7, 2])
  }

  /// Twenty specimens with three different ages.
  private static let ties: [Specimen] = (1...20).map { Specimen($0).with(\.age, $0 % 3) }

  /// The ages 3, null, 1, null, 7, 7 and 1 of specimens 1 to 7.
  static let museum: [Specimen] = .series(\.age, 3, nil, 1, nil, 7, 7, 1)

  /// Sorts, with the keys of the museum in the order of each.
  private static let orders: [(AnySort, [Int])] = [
    (.primaryKey, [1, 2, 3, 4, 5, 6, 7]),
    (.descending(key: "id"), [7, 6, 5, 4, 3, 2, 1]),
    (.ascending(key: "age"), [2, 4, 3, 7, 1, 5, 6]),
    (.descending(key: "age"), [5, 6, 1, 3, 7, 2, 4]),
    (.ascending(key: "age", nulls: .last), [3, 7, 1, 5, 6, 2, 4]),
    (.descending(key: "age", nulls: .first) + .descending(key: "id"), [4, 2, 6, 5, 1, 7, 3]),
  ]
}
