import ErrorHandling
import Synchronization
import Testing

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

  @Test("end also where two of a tree cause two more each", .timeLimit(.minutes(1)))
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
