import ErrorHandling
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
    #expect(journal.lines == (1...20).map(String.init) + ["finally false"])
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

  @Test("tells of an error that nobody handles where it has a last word, and of no other")
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
