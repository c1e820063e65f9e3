import Synchronization

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
