import ErrorHandling
import Synchronization
import Testing

@Suite("A tree of error handlers")
struct ErrorHandlerTests {
  private let journal = Journal()

  @Test("asks the root first, and then each handler above the one that was thrown at, in order")
  func order() async {
    let journal = journal
    var handler = ErrorHandler()
    for level in 1...20 { handler = handler.listen { _ in journal.write("\(level)") } }
    _ = handler.listen { _ in journal.write("below") }
    _ = handler.catch { _ in journal.write("beside") }
    await handler.throw(AppError.missing) { journal.write("finally \($0)") }
    let levels = (1...20).map { "\($0)" }
    #expect(journal.lines == levels + ["finally false"])
  }

  @Test("waits for each handler before it asks the next")
  func waiting() async {
    let journal = journal
    let handler = ErrorHandler()
      .listen { _ in
        for _ in 0..<10 { await Task.yield() }
        journal.write("slow")
      }
      .catch { _ in
        for _ in 0..<10 { await Task.yield() }
        journal.write("caught")
      }
    await handler.throw(AppError.missing) { journal.write("finally \($0)") }
    #expect(journal.lines == ["slow", "caught", "finally true"])
  }

  @Test("ends with the handler that returns, whatever the form of the handler")
  func forms() async {
    let isMissing = ErrorMatcher.value(AppError.missing)
    typealias Form = @Sendable (ErrorHandler, Journal) -> ErrorHandler
    let forms: [(name: String, make: Form, consumed: [AppError])] = [
      ("catch", { tree, journal in tree.catch { _ in journal.write("did") } }, [.expired, .missing]),
      ("type", { tree, journal in tree.catch(AppError.self) { _ in journal.write("did") } }, [.expired, .missing]),
      ("other type", { tree, journal in tree.catch(OtherError.self) { _ in journal.write("did") } }, []),
      ("value", { tree, journal in tree.catch(AppError.missing) { _ in journal.write("did") } }, [.missing]),
      ("matcher", { tree, journal in tree.catch(matching: !isMissing) { _ in journal.write("did") } }, [.expired]),
    ]
    for form in forms {
      for error in [AppError.expired, .missing] {
        let journal = Journal()
        let handler = form.make(ErrorHandler(), journal).listen { _ in journal.write("below") }
        let isHandled = await handler.throw(error)
        #expect(isHandled == form.consumed.contains(error), "\(form.name), \(error)")
        #expect(journal.lines == [isHandled ? "did" : "below"], "\(form.name), \(error)")
      }
    }
  }

  @Test("goes on after those that only listen")
  func listening() async {
    let journal = journal
    let handler = ErrorHandler()
      .listen { _ in journal.write("any") }
      .listen(AppError.self) { _ in journal.write("type") }
      .listen(OtherError.self) { _ in journal.write("other type") }
      .listen(AppError.missing) { _ in journal.write("value") }
      .listen(AppError.expired) { _ in journal.write("other value") }
      .listen(matching: .any) { _ in journal.write("matching") }
      .listen(matching: !.any) { _ in journal.write("matching nothing") }
    #expect(await handler.throw(AppError.missing) == false)
    #expect(journal.lines == ["any", "type", "value", "matching"])
  }

  @Test("shows those below what a handler throws in the place of an error, and those above what it was")
  func replacing() async {
    let journal = journal
    let handler = ErrorHandler(unhandled: { journal.write("unhandled \($0)") })
      .listen { journal.write("1 \($0)") }
      .replace(OtherError.self) { _ in AppError.missing }
      .listen { journal.write("2 \($0)") }
      .catch { _ in throw AppError.numbered(3) }
      .listen { journal.write("3 \($0)") }
      .replace(matching: .value(AppError.numbered(3))) { _ in AppError.numbered(4) }
    #expect(await handler.throw(OtherError()) == false)
    #expect(journal.lines == ["1 OtherError()", "2 missing", "3 numbered(3)", "unhandled numbered(4)"])
  }

  @Test("tells of an error that no handler takes where it has a last word, and of no other")
  func lastWord() async {
    let journal = journal
    let handler = ErrorHandler { journal.write("unhandled \($0)") }.catch(AppError.missing) { _ in }
    #expect(await handler.throw(AppError.missing))
    #expect(await handler.throw(AppError.expired) == false)
    #expect(journal.lines == ["unhandled expired"])
    #expect(await ErrorHandler().throw(AppError.expired) == false)
  }

  @Test("takes rules and catches at any place")
  func bothStyles() async {
    let journal = journal
    func step(_ name: String, _ step: ErrorRules.Step) -> ErrorRules.Action {
      { error in
        journal.write("\(name) \(error)")
        return step
      }
    }
    let rules = ErrorRules()
      .on(matching: .value(AppError.expired), do: step("stops", .stop))
      .on(matching: .value(AppError.missing), do: step("passes", .next))
      .on(matching: .value(AppError.rejected)) { _ in throw AppError.numbered(1) }
    let handler = ErrorHandler().listen { journal.write("above \($0)") }.catch(by: rules)
      .catch(AppError.self) { journal.write("below \($0)") }
    for error in [AppError.expired, .missing, .rejected] {
      #expect(await handler.throw(error))
    }
    #expect(
      journal.lines == [
        "above expired", "stops expired", "above missing", "passes missing", "below missing", "above rejected",
        "below numbered(1)",
      ])
  }

  @Test("handles the errors of a cancelled task")
  func cancelled() async {
    let journal = journal
    let handler = ErrorHandler().catch { error in journal.write("\(error), cancelled: \(Task.isCancelled)") }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await handler.do { try Task.checkCancellation() }
    }
    await task.value
    #expect(journal.lines == ["CancellationError(), cancelled: true"])
  }

  @Test("runs a handler on the actor that it names")
  func isolation() async {
    let journal = journal
    let handler = ErrorHandler().catch { @MainActor _ in
      MainActor.assertIsolated()
      journal.write("on the main actor")
    }
    await handler.throw(AppError.missing)
    #expect(journal.lines == ["on the main actor"])
  }
}

@Suite("The objects that a tree retains")
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
    // The handler is still held here, and lets pass what it has no handler for.
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
      let root = ErrorHandler { journal.write("unhandled: \($0)") }
        .listen { _ in _ = shown.withLock { $0.take() } }
      let screen = Screen(below: root, journal)
      shown.withLock { $0 = screen }
      released = screen
    }
    let thrower = shown.withLock { $0?.errors }
    await thrower?.throw(AppError.missing) { journal.write("finally \($0)") }
    #expect(released == nil)
    #expect(journal.lines == ["unhandled: missing", "finally false"])
  }

  @Test("the handlers above a thrower live until its error is handled, though nothing else holds them")
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

/// What handlers were asked, in order, from any task.
final class Journal: Sendable {
  private let written = Mutex<[String]>([])

  func write(_ line: String) { written.withLock { $0.append(line) } }

  /// Takes the last line away, if there is one.
  func removeLast() -> String? { written.withLock { $0.popLast() } }

  var lines: [String] { written.withLock(\.self) }
}

enum AppError: Error, Hashable {
  case expired, rejected, missing
  case numbered(Int)
}

struct OtherError: Error {}
