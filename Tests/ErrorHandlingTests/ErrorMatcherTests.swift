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
    ])
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
