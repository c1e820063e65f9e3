import ErrorHandling
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
