import Foundation

/// Keeps the steps that are ready until one is chosen.
package final class StepExecutor: TaskExecutor, @unchecked Sendable {
  private let condition = NSCondition()
  private var ready: [(job: UnownedJob, executor: UnownedTaskExecutor)] = []

  package func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job), to: asUnownedTaskExecutor()) }

  fileprivate func add(_ job: UnownedJob, to executor: UnownedTaskExecutor) {
    condition.withLock {
      ready.append((job, executor))
      condition.signal()
    }
  }

  /// Runs one of the steps that are ready, out of so many.
  ///
  /// - Returns: false where none becomes ready; nothing that is known wakes a task then.
  func runStep(choosing choose: (Int) -> Int) -> Bool {
    let step = condition.withLock { () -> (job: UnownedJob, executor: UnownedTaskExecutor)? in
      let end = Date(timeIntervalSinceNow: 20)
      while ready.isEmpty { if !condition.wait(until: end) { return nil } }
      return ready.remove(at: choose(ready.count))
    }
    guard let step else { return false }
    step.job.runSynchronously(on: step.executor)
    return true
  }

  /// Runs steps until none is ready.
  func runReadySteps() {
    while let step = condition.withLock({ ready.isEmpty ? nil : ready.removeFirst() }) {
      step.job.runSynchronously(on: step.executor)
    }
  }
}

/// An executor of its own whose steps are steps of the program, too, in place of a thread that waits for a server: others may
/// have their turn before a task gets there, and before it is back.
package final class RemoteStepExecutor: TaskExecutor {
  private let steps: StepExecutor

  package init(of steps: StepExecutor) { self.steps = steps }

  package func enqueue(_ job: consuming ExecutorJob) { steps.add(UnownedJob(job), to: asUnownedTaskExecutor()) }
}
