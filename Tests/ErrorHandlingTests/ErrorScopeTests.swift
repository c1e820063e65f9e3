import ErrorHandling
import Synchronization
import Testing

@Suite("A section of code")
struct SectionTests {
  private let journal = Journal()

  private var handler: ErrorHandler {
    let journal = journal
    return ErrorHandler().catch(AppError.self) { journal.write("caught \($0)") }
  }

  private func fail(_ error: any Error, after yields: Int = 1) async throws -> Int {
    for _ in 0..<yields { await Task.yield() }
    throw error
  }

  @Test("gives what it returns, or nil and its error to the tree")
  func results() async {
    let journal = journal
    #expect(
      await handler.do {
        await Task.yield(); return 7
      } == 7)
    #expect(journal.lines == [])
    #expect(await handler.do { try await fail(AppError.missing) } == nil)
    #expect(journal.lines == ["caught missing"])
    await handler.do {
      _ = try await fail(OtherError())
    } finally: {
      journal.write("finally \($0)")
    }
    #expect(journal.lines == ["caught missing", "finally false"])
  }

  @Test("that does not suspend gives its error to the tree in a task of its own")
  func synchronousSections() async {
    let (journal, handler) = (journal, handler)
    func press() -> (Int?, Int?) {
      let done = handler.do {
        7
      } finally: { _ in
        journal.write("nothing was thrown")
      }
      let failed: Int? = handler.do { throw AppError.missing }
      return (done, failed)
    }
    let pressed = press()
    #expect(pressed == (7, nil))

    let finished = AsyncStream.makeStream(of: Bool.self)
    func fail() {
      handler.do {
        throw OtherError()
      } finally: {
        finished.continuation.yield($0)
        finished.continuation.finish()
      }
    }
    fail()
    #expect(await Array(finished.stream) == [false])
  }

  @Test("that can't wait throws without waiting, and may wait for the task")
  func synchronousThrow() async {
    let (journal, handler) = (journal, handler)
    func press() -> Task<Bool, Never> {
      handler.throw(AppError.missing) { journal.write("finally \($0)") }
    }
    #expect(await press().value)
    #expect(journal.lines == ["caught missing", "finally true"])
  }

  @Test("reports to the handler of its scope, and so do its child tasks")
  func scopes() async {
    let (journal, handler) = (journal, handler)
    let inner = handler.listen { journal.write("inner \($0)") }
    @Sendable func report(_ number: Int) async {
      await ErrorHandler.current?.throw(AppError.numbered(number))
    }
    await report(0)
    await handler.do {
      await report(1)
      await withTaskGroup { group in
        group.addTask { await report(2) }
      }
      await inner.asCurrent { await report(3) }
      await inner.asCurrent { await Task.detached { await report(4) }.value }
      await Task { await report(5) }.value
    }
    await report(6)
    #expect(journal.lines == ["caught numbered(1)", "caught numbered(2)", "caught numbered(3)", "caught numbered(5)"])
    #expect(ErrorHandler.current == nil)
  }

  @Test("that is only a scope throws what it throws, with its type")
  func typedErrors() async {
    do throws(AppError) {
      try await handler.asCurrent { () async throws(AppError) in
        await Task.yield()
        throw .missing
      }
    } catch {
      #expect(error == .missing)
    }
    func check() throws(AppError) -> Bool {
      try handler.asCurrent { () throws(AppError) in ErrorHandler.current === handler }
    }
    #expect((try? check()) == false)
    #expect(journal.lines == [])
  }
}

extension Array where Element: Sendable {
  fileprivate init(_ stream: AsyncStream<Element>) async {
    self = []
    for await element in stream { append(element) }
  }
}

@Suite("Errors that are thrown while others are handled")
struct NestingTests {
  private let journal = Journal()

  /// A tree whose handlers throw at it themselves.
  private final class Tree: Sendable {
    private let handler = Mutex<ErrorHandler?>(nil)
    var errors: ErrorHandler? {
      get { handler.withLock(\.self) }
      set { handler.withLock { $0 = newValue } }
    }
  }

  @Test("are handled by the same tree before the first one goes on")
  func reentrance() async {
    let (journal, tree) = (journal, Tree())
    tree.errors = ErrorHandler()
      .catch(AppError.self) { error in
        journal.write("\(error) begins")
        if case .numbered(let number) = error, number > 0 {
          await tree.errors?.throw(AppError.numbered(number - 1)) { journal.write("finally \($0)") }
        }
        journal.write("\(error) ends")
      }
    await tree.errors?.throw(AppError.numbered(2))
    #expect(
      journal.lines == [
        "numbered(2) begins", "numbered(1) begins", "numbered(0) begins", "numbered(0) ends", "finally true",
        "numbered(1) ends", "finally true", "numbered(2) ends",
      ])
  }

  @Test("end at a depth where each causes the next, such as a log that can't be written")
  func endlessness() async {
    let (journal, tree) = (journal, Tree())
    tree.errors = ErrorHandler().listen { error in
      journal.write("\(error)")
      await tree.errors?.do { throw OtherError() }
    }
    #expect(await tree.errors?.throw(AppError.missing) == false)
    #expect(journal.lines == ["missing"] + Array(repeating: "OtherError()", count: ErrorHandler.maximumDepth - 1))
    // And the tree is as good as before.
    await tree.errors?.throw(AppError.expired)
    #expect(journal.lines.count == 2 * ErrorHandler.maximumDepth)
  }

  @Test("end also where two of a tree cause two more each")
  func doubling() async {
    let (journal, tree) = (journal, Tree())
    tree.errors = ErrorHandler()
      .listen { _ in
        journal.write("first")
        await tree.errors?.do { throw OtherError() }
      }
      .listen { _ in
        journal.write("second")
        await tree.errors?.do { throw OtherError() }
      }
    #expect(await tree.errors?.throw(AppError.missing) == false)
    // Without a bound, 2 to the power of 32.
    #expect(journal.lines.count < 10_000)
  }

  @Test("count only while the first is handled, not in a task that a handler leaves behind")
  func generations() async {
    let (journal, tree) = (journal, Tree())
    let count = ErrorHandler.maximumDepth * 3
    let done = AsyncStream.makeStream(of: Void.self)
    /// Throws an error, and opens the gate once that is over.
    @Sendable func generation(_ number: Int, _ gate: AsyncStream<Void>.Continuation) async {
      let isHandled = await tree.errors?.throw(AppError.numbered(number))
      gate.finish()
      if isHandled != true { done.continuation.finish() }
    }
    let first = AsyncStream.makeStream(of: Void.self)
    let gates = Mutex([1: first])
    tree.errors = ErrorHandler().catch { error in
      guard case .numbered(let number) = error as? AppError else { throw error }
      journal.write("\(number)")
      if number == count { return done.continuation.finish() }
      let next = AsyncStream.makeStream(of: Void.self)
      let gate = gates.withLock { gates in
        gates[number + 1] = next
        return gates[number]
      }
      // Inherits that this error is handled, and goes on when it is not any more.
      Task {
        if let gate { for await _ in gate.stream {} }
        await generation(number + 1, next.continuation)
      }
    }
    await generation(1, first.continuation)
    for await _ in done.stream {}
    #expect(journal.lines == (1...count).map(String.init))
  }
}

/// What each numbered error met, in order, while errors take turns at will.
private final class Encounters: Sendable {
  private let met = Mutex<[Int: [String]]>([:])

  func write(_ error: any Error, _ place: String) {
    guard case .numbered(let number)? = error as? AppError else { return }
    met.withLock { $0[number, default: []].append(place) }
  }

  var places: [Int: [String]] { met.withLock(\.self) }
}

@Suite("One tree and many tasks")
struct ConcurrencyTests {
  @Test("each error meets the handlers in order, is handled once, and reports to its own thrower")
  func manyTasks() async {
    let (tasks, errors) = (16, 200)
    let encounters = Encounters()
    let root = ErrorHandler(unhandled: { encounters.write($0, "unhandled") })
      .listen { error in
        encounters.write(error, "root")
        await Task.yield()
      }
      .catch(matching: .type(AppError.self) { if case .numbered(let number) = $0 { number % 3 == 0 } else { false } }) {
        encounters.write($0, "root caught")
      }
    await withTaskGroup { group in
      for task in 0..<tasks {
        group.addTask {
          // Each task has a screen of its own, which comes and goes.
          for error in 0..<errors {
            let number = task * errors + error
            let screen = root.catch(matching: ErrorMatcher { _ in number % 3 == 1 }) { encounters.write($0, "screen") }
            await screen.asCurrent {
              await ErrorHandler.current?.throw(AppError.numbered(number)) {
                encounters.write(AppError.numbered(number), "finally \($0)")
              }
            }
          }
        }
      }
    }
    let places = encounters.places
    #expect(places.count == tasks * errors)
    let expected = [
      ["root", "root caught", "finally true"], ["root", "screen", "finally true"],
      ["root", "unhandled", "finally false"],
    ]
    let wrong = places.filter { $0.value != expected[$0.key % 3] }
    #expect(wrong.isEmpty)
  }

  @Test("handlers that throw at the tree from many tasks at once end at the same depth")
  func nestedInManyTasks() async {
    let journal = Journal()
    let tree = ErrorHandler().listen { error in
      journal.write("\(error)")
      await ErrorHandler.current?.throw(OtherError())
    }
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { await tree.do { throw AppError.missing } }
      }
    }
    // A section's scope ends where it throws, so each error is handled once.
    #expect(journal.lines.count == 16)
    await withTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { await tree.asCurrent { _ = await tree.throw(AppError.missing) } }
      }
    }
    #expect(journal.lines.count == 16 + 16 * ErrorHandler.maximumDepth)
  }
}
