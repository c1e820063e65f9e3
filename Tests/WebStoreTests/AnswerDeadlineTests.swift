import Foundation
import Repository
import RepositoryService
import TestSupport
import Testing

@testable import WebStore

@Suite("An answer is waited for from the moment at which the request was sent")
struct AnswerDeadlineTests {
  @Test("by the last that was known of the request")
  func rest() {
    let start = ContinuousClock.now
    func time(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
    let deadline = AnswerDeadline(in: .seconds(30), from: start)
    #expect(deadline.rest(at: start) == .seconds(30))
    #expect(deadline.rest(at: time(40)) == .seconds(-10))
    deadline.note(isProducing: true, at: time(50))
    // What is being produced may take any time.
    #expect(deadline.rest(at: time(5_000)) == .seconds(30))
    deadline.note(at: time(6_000))
    #expect(deadline.rest(at: time(6_010)) == .seconds(20))
    #expect(deadline.rest(at: time(6_031)) == .seconds(-1))
  }

  @Test("so that only the chunks that are waited for extend it")
  func body() async throws {
    let deadline = AnswerDeadline(in: .zero)
    let isAsked = AsyncStream.makeStream(of: Void.self)
    let made = AsyncStream.makeStream(of: [UInt8].self)
    let body = deadline.observing(
      WebBody(
        AsyncStream {
          isAsked.continuation.yield()
          return await made.stream.first { _ in true }
        }))
    #expect(deadline.rest() <= .zero)
    let long = AnswerDeadline(in: .seconds(900))
    #expect(long.observing(WebBody([1])).bytes == [1])
    async let all = body.collect(upTo: 10)
    var asked = isAsked.stream.makeAsyncIterator()
    for chunk: UInt8 in 1...2 {
      await asked.next()
      #expect(deadline.rest() == .zero)
      made.continuation.yield([chunk])
    }
    made.continuation.finish()
    #expect(try await all == [1, 2])
    // The time goes on again.
    #expect(deadline.rest(at: .now + .seconds(1)) < .zero)
  }

  @Test("so that a sequence may take longer than an answer")
  func sequence() async throws {
    let store = MemoryStore()
    let accounts = try store.repository(of: Account.self)
    let service = try RepositoryService(transactionsIn: store) { Route("account", accounts).open }
    // Other tests may keep all threads busy for longer than an answer is waited for, before the sequence begins or after it has
    // ended, so that it is tried with longer times, too. One that is cut off is not kept.
    for seconds in [1, 4, 16] where try await accounts.count() == 0 {
      var options = WebStoreOptions()
      options.timeout = .seconds(seconds)
      let web = try WebStore(over: service, options: options).repository(of: Account.self)
      let slow = AsyncThrowingStream<Account, any Error> { continuation in
        Task {
          for id in 1...2 {
            try await Task.sleep(for: .milliseconds(600 * seconds))
            continuation.yield(Account(id: id, balance: 0))
          }
          continuation.finish()
        }
      }
      _ = try? await web.insert(contentsOf: slow)
    }
    #expect(try await accounts.count() == 2)
  }

  /// What a server does that never answers.
  enum Silence: CaseIterable, Sendable {
    case readsNothing, readsAll
  }

  @Test("and no longer, whatever is sent", arguments: Silence.allCases, [false, true])
  func silent(_ silence: Silence, isSequence: Bool) async throws {
    struct Silent: WebTransport {
      let silence: Silence

      func send(_ request: WebRequest) async throws -> WebResponse {
        if silence == .readsAll { _ = try await request.body.collect(upTo: .max) }
        try await Task.sleep(for: .seconds(3_600))
        return WebResponse(200)
      }
    }
    var options = WebStoreOptions()
    (options.timeout, options.attempts) = (.milliseconds(50), 1)
    let web = try WebStore(over: Silent(silence: silence), options: options).repository(of: Account.self)
    await expectError(.timeout) {
      if isSequence {
        _ = try await web.insert(contentsOf: (1...10).lazy.map { Account(id: $0, balance: 0) })
      } else {
        _ = try await web.insert(Account(id: 1, balance: 0))
      }
    }
  }
}
