import Query
import Repository
import Synchronization

/// Rules of sequences that are written in the order in which their elements arrive, all or nothing.
enum StreamRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("a sequence that fails in the middle writes nothing") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      try await visitors.insert(Visitor(id: 1, name: "Ada", friend: nil, tour: nil))
      let many = (1...3_000).lazy.map { Visitor(id: $0, name: $0 == 2_500 ? "refused" : "x", friend: nil, tour: nil) }
      await context.expect("save", throws: .constraint) { try await visitors.save(contentsOf: many) }
      await context.expect("the stored elements", ["Ada"]) { try await visitors.findAll().map(\.name) }
      await context.expect("save those before", 2_499) { try await visitors.save(contentsOf: many.prefix(2_499)) }
    },
    ConformanceRule("an element is requested after the previous element was written", needs: [.transactions]) {
      context in
      let visitors = try context.subject.repository(of: Visitor.self)
      // Within a transaction, what has been written is seen at once.
      let counts = Mutex<[Int]>([])
      try await context.subject.transaction { transaction in
        let within = try transaction.repository(of: Visitor.self)
        let elements = Asking(count: 5) {
          try await within.count()
        } report: { count in
          counts.withLock { $0.append(count) }
        }
        try await visitors.insert(contentsOf: elements)
      }
      await context.expect("the number of stored elements at each request", [0, 1, 2, 3, 4, 5]) {
        counts.withLock(\.self)
      }
    },
    ConformanceRule("progress is reported after every thousand elements and at the end") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      let told = Mutex<[WorkProgress]>([])
      func save(_ elements: some Sequence<Visitor>) async throws -> [WorkProgress] {
        told.withLock { $0 = [] }
        _ = try await visitors.save(contentsOf: elements) { progress in told.withLock { $0.append(progress) } }
        return told.withLock(\.self)
      }
      await context.expect("2,500 of a known number", progress(1_000, 2_000, 2_500, of: 2_500)) {
        try await save((1...2_500).lazy.map { Visitor(id: $0, name: "x", friend: nil, tour: nil) })
      }
      await context.expect("1,000 of an unknown number", progress(1_000, of: nil)) {
        try await save(
          (1...1_999).lazy.filter { $0 % 2 == 1 }.map { Visitor(id: $0, name: "y", friend: nil, tour: nil) })
      }
      await context.expect("none", progress(0, of: 0)) { try await save([Visitor]()) }
    },
    ConformanceRule("a sequence that is cancelled between two elements is not written at all") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      let task = Task {
        try await visitors.save(
          contentsOf: (1...10).lazy.map { number in
            if number == 5 { withUnsafeCurrentTask { $0?.cancel() } }
            return Visitor(id: number, name: "x", friend: nil, tour: nil)
          })
      }
      await context.expect("save", throws: .cancelled) { try await task.value }
      await context.expect("count", 0) { try await visitors.count() }
      await context.expect("save afterwards", 1) {
        try await visitors.insert(contentsOf: [Visitor(id: nil, name: "x", friend: nil, tour: nil)])
      }
    },
    ConformanceRule("a sequence that fails writes nothing, and its error is thrown") { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      let failing = AsyncThrowingStream { continuation in
        for number in 1...3 { continuation.yield(Visitor(id: number, name: "x", friend: nil, tour: nil)) }
        continuation.finish(throwing: Broken())
      }
      await context.expect("whether the error contains the error of the sequence", true) {
        do throws(RepositoryError) {
          try await visitors.save(contentsOf: failing)
          return false
        } catch {
          return error.underlying is Broken
        }
      }
      await context.expect("count", 0) { try await visitors.count() }
    },
    ConformanceRule("a sequence goes with the transaction that it is written in", needs: [.transactions]) { context in
      let visitors = try context.subject.repository(of: Visitor.self)
      _ = try? await context.subject.transaction { _ in
        try await visitors.save(contentsOf: (1...3).lazy.map { Visitor(id: $0, name: "x", friend: nil, tour: nil) })
        throw Broken()
      }
      await context.expect("count", 0) { try await visitors.count() }
      try await context.subject.transaction { _ in
        try await visitors.save(contentsOf: (1...3).lazy.map { Visitor(id: $0, name: "x", friend: nil, tour: nil) })
        _ = try? await visitors.insert(contentsOf: [Visitor(id: 4, name: "y", friend: 9, tour: nil)])
      }
      await context.expect("count afterwards", 3) { try await visitors.count() }
    },
  ]

  /// The rules with more elements than a store writes at once.
  static let large: [SpecimenRule] = [
    SpecimenRule("a lazy sequence is saved and inserted, and counted", among: .series(2)) { context in
      await context.expect("save 1,500 specimens", 1_500) {
        try await context.subject.save(contentsOf: (2..<1_502).lazy.map { Specimen($0).with(\.age, 1) })
      }
      await context.expect("insert 2 specimens", 2) {
        try await context.subject.insert(contentsOf: (1_502..<1_504).lazy.map { Specimen($0) })
      }
      await context.expect("count", 1_503) { try await context.subject.count() }
      await context.expect(find: 2, Specimen(2).with(\.age, 1))
      await context.expect("insert one that exists", throws: .conflict) {
        try await context.subject.insert(contentsOf: CollectionOfOne(Specimen(7).with(\.label, "another")))
      }
      await context.expect("save nothing", 0) { try await context.subject.save(contentsOf: EmptyCollection()) }
    }
  ]

  private struct Broken: Error {}

  /// A sequence that reports the answer of a closure each time that an element is requested.
  private struct Asking: AsyncSequence, AsyncIteratorProtocol {
    let count: Int
    let ask: @Sendable () async throws -> Int
    let report: @Sendable (Int) -> Void
    private var made = 0

    init(
      count: Int, ask: @escaping @Sendable () async throws -> Int, report: @escaping @Sendable (Int) -> Void
    ) {
      self.count = count
      self.ask = ask
      self.report = report
    }

    func makeAsyncIterator() -> Asking { self }

    mutating func next() async throws -> Visitor? {
      report(try await ask())
      made += 1
      return made > count ? nil : Visitor(id: nil, name: "x", friend: nil, tour: nil)
    }
  }

  private static func progress(_ done: Int..., of total: Int?) -> [WorkProgress] {
    done.map { WorkProgress(done: $0, total: total) }
  }
}

extension SampleRule {
  /// The rules of sequences whose elements are written as they arrive.
  static var sequences: [SampleRule] {
    [
      SampleRule("a lazy sequence is saved and inserted, and counted", startingEmpty: true) { context in
        let (elements, repository) = (context.elements, context.repository)
        guard let last = elements.last else { return }
        await context.checks.expect("insert a sequence of one", 1) {
          try await repository.insert(contentsOf: CollectionOfOne(last))
        }
        await context.checks.expect("insert it again", throws: .conflict) {
          try await repository.insert(contentsOf: CollectionOfOne(last))
        }
        await context.checks.expect("save a sequence of all", elements.count) {
          try await repository.save(contentsOf: elements.lazy.map { $0 })
        }
        try await context.expectAll(elements)
        await context.checks.expect("save nothing", 0) {
          try await repository.save(contentsOf: EmptyCollection())
        }
      },
      SampleRule("an asynchronous sequence is saved and inserted", startingEmpty: true) { context in
        let (elements, repository) = (context.elements, context.repository)
        await context.checks.expect("insert a sequence of one", 1) {
          try await repository.insert(contentsOf: stream(of: elements.suffix(1)))
        }
        await context.checks.expect("save a sequence of all", elements.count) {
          try await repository.save(contentsOf: stream(of: elements[...]))
        }
        try await context.expectAll(elements)
      },
    ]
  }

  private static func stream(of elements: ArraySlice<Model>) -> AsyncStream<Model> {
    AsyncStream { continuation in
      for element in elements { continuation.yield(element) }
      continuation.finish()
    }
  }
}
