import Repository
import Synchronization

/// Shows on a terminal how far a backup is, on one line that is gone in the end.
final class BackupMeter: Sendable {
  private let isShown: Bool
  private let percentage = Atomic(-1)

  init(isShown: Bool) {
    self.isShown = isShown
  }

  func show(_ progress: WorkProgress) {
    guard isShown, let total = progress.total, total > 0 else { return }
    let percentage = progress.done * 100 / total
    // As often as there is something new to see.
    if self.percentage.exchange(percentage, ordering: .relaxed) == percentage { return }
    StandardStreams.report("\rcopying: \(percentage) %\u{1B}[K")
  }

  func showCheck() {
    if isShown { StandardStreams.report("\rchecking the copy\u{1B}[K") }
  }

  func clear() {
    if isShown { StandardStreams.report("\r\u{1B}[K") }
  }
}
