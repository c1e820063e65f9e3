import Query
import Repository
import Synchronization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of observing a store's changes.
enum ChangesRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("a live result arrives at once, and again after each change") {
      context in
      let (stations, observer) = try await observe(context, .notEqual(key: "country", value: "FR"))
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      try await stations.save(rome)
      await context.expect("the result after a save", ["Bonn", "Rome"]) { await observer.next() }
      try await stations.delete("Bonn")
      await context.expect("the result after a deletion", ["Rome"]) { await observer.next() }
      observer.cancel()
    },
    ConformanceRule("a live result is not repeated if it is equal") { context in
      let (stations, observer) = try await observe(context, .notEqual(key: "country", value: "FR"))
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      try await stations.save(paris)
      try await stations.save(bonn)
      try await stations.delete("Nowhere")
      try await stations.save(rome)
      await context.expect("the next result, after three writes that changed nothing of it", ["Bonn", "Rome"]) {
        await observer.next()
      }
      observer.cancel()
    },
    ConformanceRule(
      "a live result changes once with a transaction, and never with a failed transaction", needs: [.transactions]
    ) { context in
      let (stations, observer) = try await observe(context, .true)
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      _ = try? await context.subject.transaction { _ in
        try await stations.save(paris)
        throw CancellationError()
      }
      try await context.subject.transaction { _ in
        try await stations.save(paris)
        try await stations.delete("Bonn")
        try await stations.save(rome)
      }
      await context.expect("the result after both", ["Paris", "Rome"]) { await observer.next() }
      observer.cancel()
    },
    ConformanceRule(
      "a late observer gets the latest result, not each result in between", needs: [.latestResults]
    ) { context in
      let stations = try context.subject.repository(of: Station.self)
      var results = stations.selection().changes().makeAsyncIterator()
      await context.expect("the result at first", []) { try await results.next()?.map(\.name) ?? ["the end"] }
      for number in 1...5 { try await stations.save(Station(name: "\(number)", country: nil)) }
      await context.expect("the result after five saves", ["1", "2", "3", "4", "5"]) {
        try await results.next()?.map(\.name) ?? ["the end"]
      }
    },
    ConformanceRule("a live result keeps to its order and limit") { context in
      let stations = try context.subject.repository(of: Station.self)
      var results = stations.sorted { $0.name.descending }.prefix(2).changes().makeAsyncIterator()
      try await stations.save([bonn, paris, rome])
      await context.expect("the result", ["Rome", "Paris"]) { try await results.next()?.map(\.name) ?? ["the end"] }
    },
    ConformanceRule("a live result before a cursor has the order of its request") { context in
      let stations = try context.subject.repository(of: Station.self)
      try await stations.save([bonn, paris, rome])
      let sort = try AnySort(parsing: "name")
      let request = FetchRequest(
        sortedBy: sort, limit: 2, before: try Station.schema.cursor(at: rome, sortedBy: sort))
      var results = stations.changes(request).makeAsyncIterator()
      await context.expect("the result", ["Bonn", "Paris"]) { try await results.next()?.map(\.name) ?? ["the end"] }
    },
    ConformanceRule("live results end when their task is cancelled") { context in
      let (_, observer) = try await observe(context, .true)
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      observer.cancel()
      await context.expect("the result after the end", "the end") { await observer.end() }
    },
    ConformanceRule("live results are refused within a transaction", needs: [.liveResults, .transactions]) { context in
      let stations = try context.subject.repository(of: Station.self)
      try await context.subject.transaction { transaction in
        let within = try transaction.repository(of: Station.self)
        for repository in [stations, within] {
          var results = repository.selection().changes().makeAsyncIterator()
          await context.expect("the first result", throws: .unsupported) { try await results.next() ?? [] }
        }
      }
    },
    ConformanceRule(
      "results from several tables are repeated when one of the tables has changed", needs: [.transactions]
    ) { context in
      let (stations, loans) = (
        try context.subject.repository(of: Station.self), try context.subject.repository(of: Loan.self)
      )
      try await stations.save([bonn, rome])
      var counts = context.subject.changes { _ in [try await stations.count(), try await loans.count()] }
        .makeAsyncIterator()
      await context.expect("the counts at first", [2, 0]) { try await counts.next() ?? [] }
      try await stations.save(bonn)
      try await context.subject.transaction { _ in
        try await stations.delete("Rome")
        try await loans.save(Loan(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), until: nil))
      }
      await context.expect("the counts after both have changed at once", [1, 1]) { try await counts.next() ?? [] }
    },
    ConformanceRule("invalid live results fail at once") { context in
      let (_, observer) = try await observe(context, .equal(key: "land", value: "x"))
      await context.expect("the first result", "the error invalidQuery") { await observer.end() }
    },
  ]

  private static let bonn = Station(name: "Bonn", country: "DE")
  private static let paris = Station(name: "Paris", country: "FR")
  private static let rome = Station(name: "Rome", country: nil)

  private static func observe(
    _ context: CheckContext<any Store>, _ query: AnyQuery
  ) async throws -> (AnyRepository<Station>, Observer) {
    let stations = try context.subject.repository(of: Station.self)
    try await stations.save(bonn)
    return (stations, Observer(of: stations.filter(query).changes()))
  }

  /// A task that records its observations, so that a result that never arrives is a violated rule rather than a test that
  /// hangs.
  private final class Observer: Sendable {
    private struct Log {
      var results: [[String]] = []
      var end: String?
      var readCount = 0
    }

    private final class Notebook: Sendable {
      let log = Mutex(Log())
    }

    private let notebook = Notebook()
    private let task: Task<Void, Never>

    init(of changes: Changes<Station>) {
      task = Task { [notebook] in
        do throws(RepositoryError) {
          for try await stations in changes {
            notebook.log.withLock { $0.results.append(stations.map(\.name)) }
          }
          notebook.log.withLock { $0.end = "the end" }
        } catch {
          notebook.log.withLock { $0.end = "the error \(error.code.rawValue)" }
        }
      }
    }

    func cancel() { task.cancel() }

    /// Returns the next unread result.
    func next() async -> [String] {
      await waiting { log in
        guard log.readCount < log.results.count else { return nil }
        log.readCount += 1
        return log.results[log.readCount - 1]
      } ?? ["nothing within ten seconds"]
    }

    /// Returns how the live results ended.
    func end() async -> String {
      await waiting { log in log.end } ?? "no end within ten seconds"
    }

    private func waiting<Answer>(_ look: (inout Log) -> Answer?) async -> Answer? {
      for _ in 0..<5_000 {
        if let answer = notebook.log.withLock({ look(&$0) }) { return answer }
        try? await Task.sleep(for: .milliseconds(2))
      }
      return nil
    }
  }
}
