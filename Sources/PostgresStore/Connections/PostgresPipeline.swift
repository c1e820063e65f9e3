import Dispatch
import SQL
import SQLStore
import Synchronization

/// The session in which all tasks find rows by their keys, in libpq's pipeline mode.
///
/// Requests that arrive while the answers to others are pending are sent together. A statement that waits, for a lock or for
/// anything else, is abandoned after a moment, and so are the statements that were sent after it in the same part: the callers
/// repeat those reads with connections of their own.
final class PostgresPipeline: ReadPipeline {
  /// The maximum duration of a read: longer than it takes to find a row by its key on a busy server, and too short to be noticed.
  private static let timeout = Duration.milliseconds(250)
  private static let lockTimeout = Duration.milliseconds(20)
  private static let maximumPlanCount = 64
  /// The time without a retry after the session could not be opened.
  private static let retryDelay = Duration.seconds(1)

  private let server: PostgresServer
  private let queue = DispatchQueue(label: "repository-kit.pipeline")
  private let requests = Mutex(Requests())
  /// Used only on the queue.
  @exclusivity(unchecked) nonisolated(unsafe) private var state = State()

  private struct Request {
    let statement: CompiledStatement
    let answer: UnsafeContinuation<PipelinedRow, Never>
  }

  private struct Requests {
    var waiting: [Request] = []
    /// Whether the dispatch queue is processing requests.
    var isServed = false
    var isStopped = false
  }

  private struct State {
    var session: ServerSession?
    var nextTry = ContinuousClock.now
    var plans: [StatementText: PreparedPlan] = [:]
    var planCount = 0
    let statementPrefix = PostgresServer.makeStatementPrefix()
    /// Whether a table may have changed since the statements were prepared.
    var isOutdated = false
    var parameters = ParameterBuffer()
    /// The parts of the pipeline that were sent, the oldest first.
    var sent: [Part] = []
  }

  /// The requests that were sent together.
  private struct Part {
    var requests: [(answer: UnsafeContinuation<PipelinedRow, Never>, decoders: [ColumnDecoder])] = []
    var answered = 0
  }

  init(to server: PostgresServer) { self.server = server }

  func stop() { requests.withLock { $0.isStopped = true } }

  func firstRow(of statement: CompiledStatement) async -> PipelinedRow {
    await withUnsafeContinuation { answer in
      let (isAccepted, isServed) = requests.withLock { requests in
        if requests.isStopped { return (false, true) }
        requests.waiting.append(Request(statement: statement, answer: answer))
        defer { requests.isServed = true }
        return (true, requests.isServed)
      }
      if !isAccepted { answer.resume(returning: .unanswered) }
      if !isServed { queue.async { self.serve() } }
    }
  }

  // MARK: On the queue

  /// Sends requests and reads answers, until there is neither.
  private func serve() {
    while true {
      let waiting = requests.withLock { requests -> [Request]? in
        if requests.waiting.isEmpty, state.sent.isEmpty {
          requests.isServed = false
          return nil
        }
        defer { requests.waiting.removeAll(keepingCapacity: true) }
        return requests.waiting
      }
      guard let waiting else { return }
      if !waiting.isEmpty { send(waiting) }
      receive()
    }
  }

  private func send(_ requests: [Request]) {
    guard let session = preparedSession(for: requests) else {
      for request in requests { request.answer.resume(returning: .unanswered) }
      return
    }
    var part = Part()
    for request in requests {
      guard let plan = state.plans[request.statement.text], write(request.statement, for: plan),
        session.send(plan, state.parameters)
      else {
        request.answer.resume(returning: .unanswered)
        continue
      }
      part.requests.append((request.answer, plan.decoders))
    }
    if part.requests.isEmpty { return }
    state.sent.append(part)
    if !session.endPart() { giveUp() }
  }

  private func write(_ statement: CompiledStatement, for plan: PreparedPlan) -> Bool {
    state.parameters.removeAll()
    for (position, value) in statement.bindings.enumerated() {
      guard position < plan.parameters.count, state.parameters.append(value, as: plan.parameters[position]) else {
        return false
      }
    }
    return statement.lists.isEmpty
  }

  /// Reads the available answers, after waiting for the first one.
  private func receive() {
    guard let session = state.session else { return }
    repeat {
      guard !state.sent.isEmpty else { return }
      let position = state.sent[0].answered
      let (answer, decoders) = state.sent[0].requests[position]
      switch session.nextAnswer() {
      case .result(let result):
        let hasRow = result.rowCount > 0
        answer.resume(returning: hasRow ? .row(PostgresRow(0, of: result, decoders)) : .noRow)
      case .failed(let sqlState):
        state.isOutdated = state.isOutdated || Self.isOutdated(sqlState)
        answer.resume(returning: .unanswered)
      case .lost:
        return giveUp()
      }
      state.sent[0].answered += 1
      if state.sent[0].answered == state.sent[0].requests.count {
        guard session.awaitEndOfPart() else {
          state.sent.removeFirst()
          return giveUp()
        }
        state.sent.removeFirst()
      }
    } while !session.isWaitingForAnswer
  }

  /// Returns whether a table may have changed since a statement was prepared, which then has to be prepared again: its columns
  /// (0A000), the type of a parameter's column (42883, 42804 and others of the class 42), or a part of it by which the server still
  /// plans (the class XX); or whether the session no longer has the statement (26000). Locks and timeouts leave it as it is.
  private static func isOutdated(_ sqlState: String) -> Bool { ["0A", "26", "42", "XX"].contains(sqlState.prefix(2)) }

  /// Closes the session, with everything that was sent in it unanswered.
  private func giveUp() {
    for part in state.sent {
      for (answer, _) in part.requests[part.answered...] { answer.resume(returning: .unanswered) }
    }
    state.sent = []
    state.session = nil
    (state.plans, state.isOutdated) = ([:], false)
  }

  // MARK: The session

  /// Returns a session in which the statements of some requests are prepared; `nil` if there is none.
  private func preparedSession(for requests: [Request]) -> ServerSession? {
    if state.sent.isEmpty, let session = state.session, !(session.checkIsAlive() && server.isCurrent(session)) {
      giveUp()
    }
    if !state.isOutdated, let session = state.session,
      requests.allSatisfy({ state.plans[$0.statement.text] != nil })
    {
      return session
    }
    // No request may be pending while a session is opened, or a statement prepared.
    while !state.sent.isEmpty { receive() }
    guard let session = state.session ?? openSession() else { return nil }
    guard session.leavePipeline() else {
      giveUp()
      return nil
    }
    do throws(PostgresError) {
      if state.isOutdated || state.plans.count >= Self.maximumPlanCount {
        (state.plans, state.isOutdated) = ([:], false)
        try session.run("DEALLOCATE ALL")
      }
      for text in requests.map(\.statement.text) where state.plans[text] == nil {
        state.planCount += 1
        state.plans[text] = try PreparedPlan(
          of: text.sql, named: "\(state.statementPrefix)\(state.planCount)", in: session)
      }
    } catch {
      // The statements that have been prepared can be run; the requests of the others remain unanswered.
    }
    guard session.enterPipeline() else {
      giveUp()
      return nil
    }
    return session
  }

  private func openSession() -> ServerSession? {
    guard .now >= state.nextTry else { return nil }
    guard let session = try? server.connect(),
      (try? session.run(server.settings(timeout: Self.timeout, lockTimeout: Self.lockTimeout))) != nil,
      session.enterPipeline()
    else {
      state.nextTry = .now + Self.retryDelay
      return nil
    }
    state.session = session
    return session
  }
}
