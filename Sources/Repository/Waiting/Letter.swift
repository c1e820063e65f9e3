import Dispatch
import Synchronization

/// One answer, for which a thread waits.
final class Letter<Content: Sendable>: Sendable {
  private let content = Mutex<Content?>(nil)
  private let arrival = DispatchSemaphore(value: 0)

  func send(_ content: Content) {
    self.content.withLock { $0 = content }
    arrival.signal()
  }

  /// Waits; `nil` where nothing came in time.
  func receive(until deadline: Deadline) -> Content? {
    guard arrival.wait(timeout: deadline.dispatchTime) == .success else { return nil }
    return content.withLock { $0 }
  }
}

extension Deadline {
  fileprivate var dispatchTime: DispatchTime {
    guard let remaining else { return .distantFuture }
    let (seconds, attoseconds) = remaining.components
    return .now() + .seconds(Int(clamping: seconds)) + .nanoseconds(Int(attoseconds / 1_000_000_000))
  }
}
