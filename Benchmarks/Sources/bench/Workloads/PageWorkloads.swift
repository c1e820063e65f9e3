import Model
import Peers
import Raw
import SQLiteStore

/// Pages of twenty rows, one after another, of a sort that has an index.
enum PageWorkloads {
  static let all = [keyset, first, awaited, offset]

  private static let size = 20
  // What is left after the position, of the fewest rows that there may be, is enough for them.
  private static let pages = 50
  private static let sort = AnySort.ascending(key: "name")

  /// Of 200,000 rows the 190,000th.
  private static func position(_ bed: Bed) -> Int { bed.rows.count / 20 * 19 }

  private static func last(before position: Int, in bed: Bed) -> Pokemon? {
    position == 0 ? nil : bed.rows.sorted { Array($0.name.utf8).lexicographicallyPrecedes($1.name.utf8) }[position - 1]
  }

  private static let keyset = Workload(
    "keyset-page", unit: "page",
    [
      .init(to: "raw", most: 1.25), .init(to: "subject-first-page", most: 1.5), .init(to: "grdb", most: 1.0),
      .init(to: "grdb-usual", most: 1.0),
    ]
  ) { bed in
    let last = last(before: position(bed), in: bed)
    var first = subject("subject-first-page", bed, from: nil)
    first.isCompared = false
    return [
      subject("subject", bed, from: last), first,
      byName("raw", from: last) { try bed.raw.page(after: $0) },
      byName("grdb", from: last) { try bed.peer.page(after: $0) },
      byName("grdb-usual", from: last) { try bed.peer.usualPage(after: $0) },
    ]
  }

  private static let first = Workload(
    "first-page", unit: "page", [.init(to: "raw", most: 1.25), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual")]
  ) { bed in
    [
      subject("subject", bed, from: nil), byName("raw", from: nil) { try bed.raw.page(after: $0) },
      byName("grdb", from: nil) { try bed.peer.page(after: $0) },
      byName("grdb-usual", from: nil) { try bed.peer.usualPage(after: $0) },
    ]
  }

  /// As a program would write it that awaits: the call leaves the caller's executor and comes back.
  private static let awaited = Workload("keyset-page-async", unit: "page", [.init(to: "raw")], stopwatch: .wall) {
    bed in
    let last = last(before: position(bed), in: bed)
    let repository = try bed.store.repository(Pokemon.schema)
    let start = try last.map { try Pokemon.schema.cursor(at: $0, sortedBy: sort) }
    return [
      .suspending("subject", operations: pages) {
        var lists: [[Pokemon]] = []
        var cursor = start
        for _ in 0..<pages {
          let page = try await repository.sorted { $0.name.ascending }.page(size: size, after: cursor)
          lists.append(page.elements)
          cursor = page.next
        }
        return Answer(lists)
      },
      byName("raw", from: last) { try bed.raw.page(after: $0) },
    ]
  }

  /// What a keyset is there to avoid.
  private static let offset = Workload(
    "offset-page", unit: "page",
    [.init(to: "raw"), .init("keyset", to: "subject"), .init(to: "grdb"), .init(to: "grdb-usual")]
  ) { bed in
    let offset = position(bed)
    let last = last(before: offset, in: bed)
    let request = FetchRequest(
      sortedBy: sort, limit: size, after: try last.map { try Pokemon.schema.cursor(at: $0, sortedBy: sort) })
    return [
      .blocking("subject", operations: 1) {
        Answer(try bed.subject.findAll(FetchRequest(sortedBy: sort, limit: size, offset: offset)))
      },
      .blocking("keyset", operations: 1) { Answer(try bed.subject.findAll(request)) },
      .blocking("raw", operations: 1) { Answer(try bed.raw.page(at: offset)) },
      .blocking("grdb", operations: 1) { Answer(try bed.peer.page(at: offset)) },
      .blocking("grdb-usual", operations: 1) { Answer(try bed.peer.usualPage(at: offset)) },
    ]
  }

  /// With the cursor for the next page made of each page's last row.
  private static func subject(_ name: String, _ bed: Bed, from last: Pokemon?) -> Contender {
    .blocking(name, operations: pages) {
      var lists: [[Pokemon]] = []
      var cursor = try last.map { try Pokemon.schema.cursor(at: $0, sortedBy: sort) }
      for _ in 0..<pages {
        let page = try bed.subject.findAll(FetchRequest(sortedBy: sort, limit: size, after: cursor))
        cursor = try page.last.map { try Pokemon.schema.cursor(at: $0, sortedBy: sort) }
        lists.append(page)
      }
      return Answer(lists)
    }
  }

  private static func byName(
    _ name: String, from last: Pokemon?, _ page: @escaping (_ after: String) throws -> [Pokemon]
  ) -> Contender {
    .blocking(name, operations: pages) {
      var lists: [[Pokemon]] = []
      // Before all texts that a name can be.
      var place = last?.name ?? ""
      for _ in 0..<pages {
        let list = try page(place)
        place = list.last?.name ?? place
        lists.append(list)
      }
      return Answer(lists)
    }
  }
}
