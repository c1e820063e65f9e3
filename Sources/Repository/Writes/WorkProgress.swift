/// How far long work has come: writing many elements, an import, a backup.
public struct WorkProgress: Hashable, Sendable {
  /// How many units are done, such as elements.
  public let done: Int
  /// How many there are in all, where that is known beforehand.
  public let total: Int?

  /// Notes how far work has come.
  public init(done: Int, total: Int? = nil) {
    self.done = done
    self.total = total
  }

  /// The share that is done, from 0 to 1, where the total is known.
  public var fraction: Double? {
    total.map { $0 == 0 ? 1 : min(1, Double(done) / Double($0)) }
  }
}
