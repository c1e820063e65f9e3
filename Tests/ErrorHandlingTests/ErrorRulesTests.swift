import ErrorHandling
import Foundation
import Testing

@Suite("Matchers of errors")
struct ErrorMatcherTests {
  private static let errors: [any Error] = [
    AppError.missing, AppError.numbered(1), AppError.numbered(2), OtherError(), CancellationError(),
    NSError(domain: "shop", code: 1), NSError(domain: "shop", code: 2), NSError(domain: "road", code: 1),
    CocoaError(.fileNoSuchFile), POSIXError(.ENOENT), URLLikeError(),
  ]

  /// An error as packages write them that give Foundation a domain and a code of their own.
  private struct URLLikeError: CustomNSError {
    static let errorDomain = "shop"
    let errorCode = 3
    var errorUserInfo: [String: Any] { ["path": "/box"] }
  }

  private static let one = ErrorMatcher.value(AppError.numbered(1))
  private static let two = ErrorMatcher.value(AppError.numbered(2))

  @Test(
    "match a cancellation in each of its forms",
    arguments: [
      CancellationError(), InfrastructureError(.cancelled, "stopped"), DomainError(.cancelled, "stopped"),
      PresentationError(.cancelled, "stopped"), CocoaError(.userCancelled), URLError(.cancelled),
      POSIXError(.ECANCELED), AnyFriendlyError(CancellationError()),
    ] as [any Error])
  func cancellations(error: any Error) {
    #expect(ErrorMatcher.cancellation.matches(error))
    #expect(!ErrorMatcher.cancellation.matches(DomainError(.conflict, "taken", underlying: error)))
    #expect(throws: DomainError.self) { try Translator<Int, Int> { _ in throw error }(1) }
    do { _ = try Translator<Int, Int> { _ in throw error }(1) } catch { #expect(error.isCancellation) }
  }

  @Test(
    "match what they say",
    arguments: [
      (ErrorMatcher.any, Array(0...10)),
      (!.any, []),
      (.cancellation, [4]),
      (.type(AppError.self), [0, 1, 2]),
      (.type(AppError.self) { $0 != .missing }, [1, 2]),
      (one, [1]),
      (one || two, [1, 2]),
      (one && two, []),
      (.type(AppError.self) && !one, [0, 2]),
      (!(one || .type(OtherError.self)) && .type(AppError.self), [0, 2]),
      (.nsError(domain: "shop"), [5, 6, 10]),
      (.nsError(domain: "shop", code: 1), [5]),
      (.nsError(domain: "shop", code: 3), [10]),
      (.nsError(domain: NSCocoaErrorDomain, code: CocoaError.Code.fileNoSuchFile.rawValue), [8]),
      (.nsError(domain: NSPOSIXErrorDomain, code: 2), [9]),
      (ErrorMatcher { "\($0)".hasPrefix("n") }, [1, 2]),
    ] as [(ErrorMatcher, [Int])])
  func matching(matcher: ErrorMatcher, matched: [Int]) {
    #expect(Self.errors.indices.filter { matcher.matches(Self.errors[$0]) } == matched)
  }

  @Test("are patterns of catch")
  func patterns() {
    func name(_ error: any Error) -> String {
      do {
        throw error
      } catch Self.one || Self.two {
        return "numbered"
      } catch {
        return "other"
      }
    }
    #expect([AppError.numbered(2), .missing].map(name) == ["numbered", "other"])
  }

  @Test("find what led to an error")
  func causes() {
    let cause = NSError(domain: "shop", code: 1, userInfo: [NSUnderlyingErrorKey: AppError.missing])
    let error = NSError(domain: "road", code: 2, userInfo: [NSUnderlyingErrorKey: cause])
    #expect(ErrorMatcher.caused(by: .value(AppError.missing)).matches(error))
    #expect(ErrorMatcher.caused(by: .nsError(domain: "road")).matches(error))
    #expect(!ErrorMatcher.caused(by: Self.one).matches(error))
  }
}

@Suite("Rules about errors")
struct ErrorRulesTests {
  private let journal = Journal()

  private func write(_ line: String, _ step: ErrorRules.Step) -> ErrorRules.Action {
    let journal = journal
    return { _ in
      journal.write(line)
      return step
    }
  }

  @Test(
    "are asked from the last one, until one stops; without a match those for no match, and then those for always",
    arguments: [
      (AppError.missing, ["missing 2", "missing 1", "any", "always 2", "always 1"], false),
      (.expired, ["expired", "always 2", "always 1"], true),
      (.rejected, ["no match 3", "no match 2", "always 2", "always 1"], true),
    ] as [(AppError, [String], Bool)])
  func order(error: AppError, expected: [String], isHandled: Bool) async {
    let journal = journal
    let isAny = ErrorMatcher.value(AppError.missing) || .value(AppError.expired)
    let rules = ErrorRules()
      .onNoMatch(do: write("no match 1", .stop))
      .on(matching: isAny, do: write("any", .next))
      .on(matching: .value(AppError.missing), do: write("missing 1", .next))
      .always { _ in
        journal.write("always 0")
        return .next
      }
      .always { _ in
        journal.write("always 1")
        return .stop
      }
      .onNoMatch(do: write("no match 2", .stop))
      .on(matching: .value(AppError.missing), do: write("missing 2", .next))
      .on(matching: .value(AppError.expired), do: write("expired", .stop))
      .onNoMatch(do: write("no match 3", .next))
      .always { _ in
        journal.write("always 2")
        return .next
      }
    #expect(await rules.handle(error) == isHandled)
    #expect(journal.lines == expected)
  }

  @Test("get the error as what they ask for")
  func typed() async {
    let journal = journal
    let rules = ErrorRules()
      .onError(ofType: AppError.self) { error in
        journal.write("type \(error)")
        return error == .expired ? .next : .stop
      }
      .on(AppError.missing) { error in
        journal.write("value \(error)")
        return .next
      }
      .onNSError(domain: "shop") { error in
        journal.write("shop \(error.code)")
        return .stop
      }
      .onNSError(domain: "shop", code: 2) { error in
        journal.write("shop 2, \(error.userInfo["item"] ?? "nothing")")
        return .next
      }
      .on(matching: { $0 is OtherError }) { _ in
        journal.write("condition")
        return .stop
      }
    let errors: [any Error] = [
      AppError.missing, AppError.expired, NSError(domain: "shop", code: 1),
      NSError(domain: "shop", code: 2, userInfo: ["item": "potion"]), OtherError(), CancellationError(),
    ]
    var handled: [Bool] = []
    for error in errors { handled.append(await rules.handle(error)) }
    #expect(handled == [true, false, true, true, true, false])
    #expect(
      journal.lines == [
        "value missing", "type missing", "type expired", "shop 1", "shop 2, potion", "shop 2", "condition",
      ])
  }

  @Test("are a value: who extends them changes nothing for others")
  func extending() async {
    let standard = ErrorRules().onNoMatch(do: write("standard", .stop))
    let extended = standard.on(AppError.missing) { [journal] _ in
      journal.write("extended")
      return .stop
    }
    await extended.handle(AppError.missing)
    await extended.handle(AppError.expired)
    await standard.handle(AppError.missing)
    #expect(journal.lines == ["extended", "standard", "standard"])
  }

  @Test("put what they throw in the place of the error, and still do what they always do")
  func throwing() async {
    let journal = journal
    let rules = ErrorRules()
      .on(matching: .any, do: write("not asked", .stop))
      .on(AppError.missing) { _ in throw OtherError() }
      .always { error in
        journal.write("always \(error)")
        return .next
      }
    let handler = ErrorHandler().catch(by: rules).listen { journal.write("below \($0)") }
    #expect(await handler.throw(AppError.missing) == false)
    #expect(journal.lines == ["always missing", "below OtherError()"])
  }
}
