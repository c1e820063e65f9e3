/// Something that is done in several ways, whose answers have to be the same.
struct Workload: Sendable {
  let name: String
  /// What an operation is, in the words of `ns a row`.
  let unit: String
  let comparisons: [Comparison]
  /// Whether a round that does not count comes first.
  let warmsUp: Bool
  let stopwatch: Stopwatch
  let contenders: @Sendable (Bed) throws -> [Contender]

  init(
    _ name: String, unit: String, _ comparisons: [Comparison], warmsUp: Bool = true, stopwatch: Stopwatch = .processor,
    contenders: @escaping @Sendable (Bed) throws -> [Contender]
  ) {
    self.name = name
    self.unit = unit
    self.comparisons = comparisons
    self.warmsUp = warmsUp
    self.stopwatch = stopwatch
    self.contenders = contenders
  }
}
