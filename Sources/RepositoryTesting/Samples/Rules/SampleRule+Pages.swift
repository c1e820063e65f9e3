import Query
import Repository

extension SampleRule {
  /// Limits and offsets.
  static var pages: [SampleRule] {
    [
      SampleRule("a limit gives the first ones alone") { examination in
        let count = examination.elements.count
        for limit in [1, 2, count - 1, count, count + 1, .max] { await examination.ask(FetchRequest(limit: limit)) }
      },
      SampleRule("a limit of 0 gives nothing") { examination in
        await examination.ask(FetchRequest(limit: 0))
        await examination.ask(FetchRequest(limit: 0, offset: 1))
      },
      SampleRule("an offset leaves the first ones out") { examination in
        let count = examination.elements.count
        for offset in [0, 1, count - 1] {
          await examination.ask(FetchRequest(offset: offset))
          await examination.ask(FetchRequest(limit: 2, offset: offset))
        }
      },
      SampleRule("an offset beyond the end gives nothing") { examination in
        let count = examination.elements.count
        for offset in [count, count + 1, .max] {
          await examination.ask(FetchRequest(offset: offset))
          await examination.ask(FetchRequest(limit: .max, offset: offset))
        }
      },
      SampleRule("limit and offset count what was found, in its order") { examination in
        for column in examination.columns where column.isKey || column.isUnique && !column.hasNull {
          guard let value = column.values.first else { continue }
          let query = AnyQuery.notEqual(key: column.key, value: value)
          let sort = AnySort.descending(key: column.key)
          await examination.ask(FetchRequest(query, sortedBy: sort, limit: 1))
          await examination.ask(FetchRequest(query, sortedBy: sort, limit: 2, offset: 1))
          await examination.ask(FetchRequest(query, sortedBy: sort, offset: 1))
        }
      },
      SampleRule("pages never overlap and leave nothing out") { examination in
        for column in examination.columns.filter({ $0.hasTies && !$0.hasNull }).prefix(3) {
          for size in [1, 2] {
            for offset in stride(from: 0, through: min(examination.elements.count, 12), by: size) {
              await examination.ask(
                FetchRequest(sortedBy: .descending(key: column.key), limit: size, offset: offset))
            }
          }
        }
      },
    ]
  }

  /// Pages that begin or end at a cursor.
  static var cursors: [SampleRule] {
    [
      cursor("a page after a cursor gives what the same page by offset gives") { cursors, sort in
        cursors.flatMap { cursor in
          [1, 3, nil].map { FetchRequest(sortedBy: sort, limit: $0, after: cursor) }
        }
      },
      cursor("a page before a cursor ends where the next one begins, in the same order") { cursors, sort in
        cursors.flatMap { cursor in
          [1, 3, nil].map { FetchRequest(sortedBy: sort, limit: $0, before: cursor) }
        }
      },
      cursor("what stands between two cursors is found without them") { cursors, sort in
        zip(cursors, cursors.dropFirst(2)).map { FetchRequest(sortedBy: sort, after: $0, before: $1) }
      },
      cursor("limit and offset count after the cursor") { cursors, sort in
        cursors.prefix(2).flatMap { cursor in
          [
            FetchRequest(sortedBy: sort, limit: 1, offset: 1, after: cursor),
            FetchRequest(sortedBy: sort, offset: 1, after: cursor),
            FetchRequest(sortedBy: sort, limit: 0, after: cursor),
          ]
        }
      },
      cursor("before a cursor alone, limit and offset count back from it") { cursors, sort in
        cursors.suffix(2).flatMap { cursor in
          [nil, 1].map { FetchRequest(sortedBy: sort, limit: $0, offset: 1, before: cursor) }
        }
      },
      cursor("between two cursors, limit and offset count from the first") { cursors, sort in
        zip(cursors, cursors.dropFirst(3)).flatMap { first, last in
          [(1, 0), (1, 1), (nil, 1)].map { limit, offset in
            FetchRequest(sortedBy: sort, limit: limit, offset: offset, after: first, before: last)
          }
        }
      },
      SampleRule("a cursor stays where it is when its element is gone") { examination in
        guard let element = examination.elements.last else { return }
        let cursor = try Model.schema.cursor(at: element, sortedBy: .primaryKey)
        // As long as the element is there, the same.
        let request = FetchRequest(after: cursor)
        let expected = try examination.samples.answer(request).map(\.id)
        try await examination.repository.delete(element.id)
        await examination.trial.expect(request, finds: expected)
      },
      SampleRule("a cursor of another sort is refused") { examination in
        guard let element = examination.elements.first, let column = examination.columns.last else { return }
        let cursor = try Model.schema.cursor(at: element, sortedBy: .descending(key: column.key))
        for sort in [AnySort.primaryKey, .ascending(key: column.key)] {
          await examination.ask(FetchRequest(sortedBy: sort, after: cursor))
          await examination.ask(FetchRequest(sortedBy: sort, before: cursor))
        }
      },
    ]
  }

  /// A rule about the places of some elements in several sorts.
  private static func cursor(
    _ name: String, _ requests: @escaping @Sendable ([Cursor], AnySort) -> [FetchRequest]
  ) -> SampleRule {
    SampleRule(name) { examination in
      var sorts: [AnySort] = [.primaryKey]
      // A column with nulls, one with ties, and one more tell most.
      let columns =
        examination.columns.filter(\.hasNull).prefix(2)
        + examination.columns.filter { $0.hasTies && !$0.hasNull }.prefix(2)
        + examination.columns.filter(\.isKey).prefix(1)
      for column in columns {
        sorts += [.ascending(key: column.key), .descending(key: column.key)]
        if column.hasNull { sorts.append(.ascending(key: column.key, nulls: .last)) }
      }
      for sort in sorts {
        var cursors: [Cursor] = []
        for element in try examination.samples.answer(FetchRequest(sortedBy: sort)).prefix(8) {
          cursors.append(try Model.schema.cursor(at: element, sortedBy: sort))
        }
        for request in requests(cursors, sort) { await examination.ask(request) }
      }
    }
  }
}
