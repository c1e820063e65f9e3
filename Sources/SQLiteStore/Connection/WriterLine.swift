import Repository

/// How a writer waits for the locks of other processes, and lets those go first who have waited longer.
struct WriterLine {
  /// The path of the file that shows others that somebody waits; `nil` where there are no others.
  private let path: String?
  private let deadline: Deadline
  private var patience: Patience
  private var place: QueueFile?
  private let start = ContinuousClock.now
  /// Who has waited for so long takes a place in the line. Before, it would cost more than it helps.
  private static let hurry = Duration.milliseconds(5)

  init(path: String?, until deadline: Deadline) {
    self.path = path
    self.deadline = deadline
    patience = Patience(until: deadline)
  }

  /// Whether somebody else is to go first.
  var isOthersTurn: Bool {
    if let place { return !place.isFirst }
    return path.map { QueueFile.isTaken(path: $0) } ?? false
  }

  /// Waits for one step, suspended; false where time is up.
  mutating func wait() async throws(RepositoryError) -> Bool {
    queue()
    return try await patience.wait()
  }

  /// Waits for one step, with the thread blocked; false where time is up.
  mutating func waitBlocking() -> Bool {
    queue()
    return patience.waitBlocking()
  }

  private mutating func queue() {
    guard let path, place == nil, .now - start >= Self.hurry else { return }
    place = QueueFile(path: path)
  }
}
