import Synchronization

/// How deep errors are handled within each other: the one of this task, and those whose handlers are at work on it.
struct Nesting: Sendable {
  @TaskLocal static var current: Nesting?

  /// Whether a handling is over.
  private final class State: Sendable {
    let isOver = Atomic(false)
  }

  /// How many handlings have begun deep within the outermost one, which they share.
  private final class Total: Sendable {
    let count = Atomic(0)
  }

  /// From how deep on handlings are counted, and how many there may be: two logs that can't be written and tell of each
  /// other's failures would double with each level. What a person does in a recovery, however long, is less deep.
  private static let (deep, mostDeep) = (4, 1_000)

  /// The handlings that were not over when this one began, and this one.
  private let states: [State]
  private let total: Total

  /// Begins to handle an error, unless that is too deep.
  ///
  /// A task that a handler starts and leaves alone inherits its value. It may live for as long as the program, and start
  /// others like itself, so what is over does not count, and is not kept.
  init?(below current: Nesting?) {
    let outer = (current?.states ?? []).filter { !$0.isOver.load(ordering: .relaxed) }
    if outer.count >= ErrorHandler.maximumDepth { return nil }
    total = outer.isEmpty ? Total() : current?.total ?? Total()
    if outer.count >= Self.deep, total.count.add(1, ordering: .relaxed).newValue > Self.mostDeep { return nil }
    states = outer + [State()]
  }

  func end() { states.last?.isOver.store(true, ordering: .relaxed) }
}
