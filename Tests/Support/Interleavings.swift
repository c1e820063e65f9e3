import Foundation
import Synchronization

/// Runs the tasks of a small program in the orders that their suspensions allow, one step at a time.
///
/// A step is what a task does between two suspensions. The first order takes the steps as they become ready. Every other one
/// delays some: a step that is passed over by another is one delay. All orders of so many delays are tried, each from the
/// start. Few delays show most faults: Emmi, Qadeer, Rakamarić, *Delay-bounded scheduling*, POPL 2011.
///
/// What tasks wait for has to come from the program's own tasks. A program whose tasks all wait for each other is a fault.
package struct Interleavings {
  /// One run of a program, from new stores on.
  package struct Program: Sendable {
    package typealias Body = @Sendable () async throws -> Void
    /// Run beside each other until all of them have ended.
    let tasks: [Body]
    /// Are cancelled once the others have ended and nothing more happens.
    let observers: [Body]
    /// What is wrong at the end; `nil` if nothing is.
    let check: @Sendable () async throws -> String?

    package init(tasks: [Body], observers: [Body] = [], check: @escaping @Sendable () async throws -> String?) {
      (self.tasks, self.observers, self.check) = (tasks, observers, check)
    }

    /// The same program, with another check after its own.
    package func checking(_ further: @escaping @Sendable () async throws -> String?) -> Program {
      Program(tasks: tasks, observers: observers) { [check] in
        if let fault = try await check() { return fault }
        return try await further()
      }
    }
  }

  /// What came of the orders that were tried.
  package struct Outcome: Sendable {
    package var orders = 0
    /// Whether `REPOKIT_ORDER` gave the only order.
    package let isReplay: Bool
    /// Whether there are orders beyond the limit, which were not tried.
    package var isCutShort = false
    /// What was wrong first, and the order that shows it.
    package var fault: String?
  }

  /// The order that `REPOKIT_ORDER` gives, if it does.
  private static var givenOrder: [Int]? {
    ProcessInfo.processInfo.environment["REPOKIT_ORDER"]?.split(separator: ",").compactMap { Int($0) }
  }

  /// Whether one order alone is repeated.
  package static var isReplay: Bool { givenOrder != nil }

  /// Runs a program in each order.
  ///
  /// - Parameters:
  ///   - delays: how many there may be in an order.
  ///   - limit: no more orders are tried.
  ///   - make: makes the program and its stores anew. It gets the executor for further tasks of the program's own.
  /// - Returns: how many orders were tried, and the first fault. The environment variable `REPOKIT_ORDER` repeats one order.
  package static func explore(
    delays: Int, limit: Int = .max, _ make: @escaping @Sendable (StepExecutor) async throws -> Program
  ) async throws -> Outcome {
    let given = givenOrder
    return try await OwnThread.run {
      var outcome = Outcome(isReplay: given != nil)
      var next: [Int]? = given ?? []
      while let order = next {
        if outcome.orders == limit {
          outcome.isCutShort = true
          break
        }
        outcome.orders += 1
        var run = Run(order: order)
        if let fault = run.fault(of: make) {
          outcome.fault = "\(fault); REPOKIT_ORDER=\(run.steps.map { "\($0.chosen)" }.joined(separator: ","))"
          break
        }
        next = given == nil ? run.next(within: delays) : nil
      }
      return outcome
    }
  }
}

/// One order of a program's steps.
private struct Run {
  private let order: [Int]
  private let executor = StepExecutor()
  /// Which of the steps that were ready was taken each time, and how many were ready.
  private(set) var steps: [(chosen: Int, ready: Int)] = []

  init(order: [Int]) { self.order = order }

  /// What is wrong after this order; `nil` if nothing is.
  mutating func fault(of make: @escaping @Sendable (StepExecutor) async throws -> Interleavings.Program) -> String? {
    let made = start { [executor] in try await make(executor) }
    guard finish([made]) else { return "the program can't be made" }
    guard case .success(let program)? = made.result else { return "the program can't be made: \(made.text)" }
    let observers = program.observers.map { body in start { try await body() } }
    let tasks = program.tasks.map { body in start { try await body() } }
    // The choices are those of the program alone.
    while tasks.contains(where: { !$0.hasEnded }) {
      let isRunning = executor.runStep { [order] ready in
        let chosen = steps.count < order.count ? min(order[steps.count], ready - 1) : 0
        steps.append((chosen, ready))
        return chosen
      }
      guard isRunning else { return "no task can go on" }
    }
    executor.runReadySteps()
    observers.forEach { $0.cancel() }
    guard finish(observers) else { return "an observer does not end" }
    for ended in tasks + observers {
      if case .failure(let error)? = ended.result, !(error is CancellationError) { return "a task failed: \(error)" }
    }
    let check = start { try await program.check() }
    guard finish([check]) else { return "the check does not end" }
    guard case .success(let fault)? = check.result else { return "the check failed: \(check.text)" }
    // Tasks that end by themselves, such as those that wait for a deadline, would otherwise never be freed.
    executor.runReadySteps()
    return fault
  }

  /// The order after this one, the last possible step being delayed by one more; `nil` after the last.
  func next(within delays: Int) -> [Int]? {
    var delayed = steps.reduce(0) { $0 + $1.chosen }
    for position in steps.indices.reversed() {
      let (chosen, ready) = steps[position]
      if chosen + 1 < ready, delayed < delays { return steps[..<position].map(\.chosen) + [chosen + 1] }
      delayed -= chosen
    }
    return nil
  }

  private func start<Success: Sendable>(_ body: @escaping @Sendable () async throws -> Success) -> StepTask<Success> {
    StepTask(on: executor, body)
  }

  /// Runs steps as they become ready until some tasks have ended; false where they wait for ever.
  private func finish<Success>(_ tasks: [StepTask<Success>]) -> Bool {
    while tasks.contains(where: { !$0.hasEnded }) {
      guard executor.runStep(choosing: { _ in 0 }) else { return false }
    }
    return true
  }
}

/// A task that runs on a ``StepExecutor`` and keeps its result.
private final class StepTask<Success: Sendable>: Sendable {
  private let state = Mutex<(task: Task<Void, Never>?, result: Result<Success, any Error>?)>((nil, nil))

  init(on executor: StepExecutor, _ body: @escaping @Sendable () async throws -> Success) {
    let task = Task(executorPreference: executor) { [self] in
      let result: Result<Success, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      state.withLock { $0.result = result }
    }
    state.withLock { $0.task = task }
  }

  // Without key paths: in a generic type, each use makes one anew, which took two fifths of a program's time.
  var result: Result<Success, any Error>? { state.withLock { $0.result } }
  var hasEnded: Bool { result != nil }
  var text: String { "\(String(describing: result))" }
  func cancel() { state.withLock { $0.task }?.cancel() }
}
