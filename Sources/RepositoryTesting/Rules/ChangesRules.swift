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
    ConformanceRule("a live result is there at once, and new ones follow the changes") {
      context in
      let (places, observer) = try await observe(context, .notEqual(key: "country", value: "FR"))
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      try await places.save(rome)
      await context.expect("the result after a save", ["Bonn", "Rome"]) { await observer.next() }
      try await places.delete("Bonn")
      await context.expect("the result after a deletion", ["Rome"]) { await observer.next() }
      observer.cancel()
    },
    ConformanceRule("a live result is not given again where it is the same") { context in
      let (places, observer) = try await observe(context, .notEqual(key: "country", value: "FR"))
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      try await places.save(paris)
      try await places.save(bonn)
      try await places.delete("Nowhere")
      try await places.save(rome)
      await context.expect("the next result, after three writes that changed nothing of it", ["Bonn", "Rome"]) {
        await observer.next()
      }
      observer.cancel()
    },
    ConformanceRule(
      "a live result changes once with a transaction, and never with one that fails", needs: [.transactions]
    ) { context in
      let (places, observer) = try await observe(context, .true)
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      _ = try? await context.subject.transaction { _ in
        try await places.save(paris)
        throw CancellationError()
      }
      try await context.subject.transaction { _ in
        try await places.save(paris)
        try await places.delete("Bonn")
        try await places.save(rome)
      }
      await context.expect("the result after both", ["Paris", "Rome"]) { await observer.next() }
      observer.cancel()
    },
    ConformanceRule(
      "an observer that looks late gets the latest result, not each one in between", needs: [.latestResults]
    ) { context in
      let places: AnyRepository<Place> = try context.subject.repository()
      var results = places.changes().makeAsyncIterator()
      await context.expect("the result at first", []) { try await results.next()?.map(\.name) ?? ["the end"] }
      for number in 1...5 { try await places.save(Place(name: "\(number)", country: nil)) }
      await context.expect("the result after five saves", ["1", "2", "3", "4", "5"]) {
        try await results.next()?.map(\.name) ?? ["the end"]
      }
    },
    ConformanceRule("a live result keeps to its order and limit") { context in
      let places: AnyRepository<Place> = try context.subject.repository()
      var results = places.changes(sortedBy: .descending(\.name), limit: 2).makeAsyncIterator()
      try await places.save([bonn, paris, rome])
      await context.expect("the result", ["Rome", "Paris"]) { try await results.next()?.map(\.name) ?? ["the end"] }
    },
    ConformanceRule("live results end when their task is cancelled") { context in
      let (_, observer) = try await observe(context, .true)
      await context.expect("the result at first", ["Bonn"]) { await observer.next() }
      observer.cancel()
      await context.expect("what comes after", "the end") { await observer.end() }
    },
    ConformanceRule("live results are refused within a transaction", needs: [.liveResults, .transactions]) { context in
      let places: AnyRepository<Place> = try context.subject.repository()
      try await context.subject.transaction { transaction in
        let within: AnyRepository<Place> = try transaction.repository()
        for repository in [places, within] {
          var results = repository.changes().makeAsyncIterator()
          await context.expect("the first result", throws: .unsupported) { try await results.next() ?? [] }
        }
      }
    },
    ConformanceRule("what is read of several tables is given anew when one of them has changed", needs: [.transactions])
    { context in
      let (places, loans) = (
        try context.subject.repository(of: Place.self), try context.subject.repository(of: Loan.self)
      )
      try await places.save([bonn, rome])
      var counts = context.subject.changes { _ in [try await places.count(), try await loans.count()] }
        .makeAsyncIterator()
      await context.expect("the counts at first", [2, 0]) { try await counts.next() ?? [] }
      try await places.save(bonn)
      try await context.subject.transaction { _ in
        try await places.delete("Rome")
        try await loans.save(Loan(id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)), until: nil))
      }
      await context.expect("the counts after both have changed at once", [1, 1]) { try await counts.next() ?? [] }
    },
    ConformanceRule("live results of what can't be asked fail at once") { context in
      let (_, observer) = try await observe(context, .equal(key: "land", value: "x"))
      await context.expect("what comes first", "the error invalidQuery") { await observer.end() }
    },
  ]

  private static let bonn = Place(name: "Bonn", country: "DE")
  private static let paris = Place(name: "Paris", country: "FR")
  private static let rome = Place(name: "Rome", country: nil)

  private static func observe(
    _ context: CheckContext<any Store>, _ query: AnyQuery
  ) async throws -> (AnyRepository<Place>, Observer) {
    let places: AnyRepository<Place> = try context.subject.repository()
    try await places.save(bonn)
    return (places, Observer(of: places.changes(where: query)))
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

    init(of changes: Changes<Place>) {
      task = Task { [notebook] in
        do throws(RepositoryError) {
          for try await places in changes {
            notebook.log.withLock { $0.results.append(places.map(\.name)) }
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
