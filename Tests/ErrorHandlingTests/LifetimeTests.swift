import ErrorHandling
import Synchronization
import Testing

@Suite("What a tree keeps alive")
struct LifetimeTests {
  /// Holds its handler, whose actions act on it.
  private final class Screen: Sendable {
    private let handler = Mutex<ErrorHandler?>(nil)
    let journal: Journal

    init(below parent: ErrorHandler, _ journal: Journal) {
      self.journal = journal
      let errors =
        parent
        .listen(for: self) { $0.show("heard", $1) }
        .catch(AppError.missing, for: self) { $0.show("value", $1) }
        .catch(AppError.self, for: self) { $0.show("type", $1) }
        .catch(matching: .type(CancellationError.self), for: self) { $0.show("matching", $1) }
        .catch(for: self) { $0.show("any", $1) }
      handler.withLock { $0 = errors }
    }

    var errors: ErrorHandler? { handler.withLock(\.self) }
    private func show(_ word: String, _ error: any Error) { journal.write("\(word) \(error)") }
  }

  @Test("an object that holds its handler is acted on, and gone when its owner lets it go")
  func owners() async throws {
    let journal = Journal()
    var screen: Screen? = Screen(below: ErrorHandler(), journal)
    weak let released = screen
    let errors = try #require(screen?.errors)
    let thrown: [any Error] = [AppError.missing, AppError.expired, CancellationError(), OtherError()]
    for error in thrown { #expect(await errors.throw(error)) }
    #expect(
      journal.lines == [
        "heard missing", "value missing", "heard expired", "type expired", "heard CancellationError()",
        "matching CancellationError()", "heard OtherError()", "any OtherError()",
      ])
    screen = nil
    #expect(released == nil)
    // The handler is still held here, and lets pass what it has nobody for.
    for error in thrown { #expect(await errors.throw(error) == false) }
    #expect(journal.lines.count == 8)
  }

  @Test("a handler is kept by those below it, not by those above")
  func handlers() async {
    let root = ErrorHandler()
    var flow: ErrorHandler? = root.catch(AppError.missing) { _ in }
    weak let heldByScreen = flow
    var screen = flow?.listen { _ in }
    weak let heldByNobody = screen
    flow = nil
    #expect(heldByScreen != nil)
    #expect(await screen?.throw(AppError.missing) == true)
    screen = nil
    #expect(heldByNobody == nil && heldByScreen == nil)
  }

  @Test("a screen that is let go while its error is handled is not asked, and its handlers are safe")
  func releasedMeanwhile() async throws {
    let journal = Journal()
    let shown = Mutex<Screen?>(nil)
    weak let released: Screen?
    do {
      let root = ErrorHandler { journal.write("nobody: \($0)") }
        .listen { _ in _ = shown.withLock { $0.take() } }
      let screen = Screen(below: root, journal)
      shown.withLock { $0 = screen }
      released = screen
    }
    let thrower = shown.withLock { $0?.errors }
    await thrower?.throw(AppError.missing) { journal.write("finally \($0)") }
    #expect(released == nil)
    #expect(journal.lines == ["nobody: missing", "finally false"])
  }

  @Test("the handlers above a thrower live until its error is handled, though nobody else holds them")
  func heldWhileHandling() async {
    let journal = Journal()
    let held = Mutex<ErrorHandler?>(nil)
    let root = ErrorHandler().listen { _ in held.withLock { $0 = nil } }
    held.withLock { $0 = root.listen { _ in journal.write("listened") }.catch { _ in journal.write("caught") } }
    let task = held.withLock { $0.map { handler in { @Sendable in handler.throw(AppError.missing) }() } }
    #expect(await task?.value == true)
    #expect(journal.lines == ["listened", "caught"])
    #expect(held.withLock { $0 == nil })
  }
}
