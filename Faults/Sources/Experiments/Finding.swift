/// What came out of an experiment.
struct Finding: Sendable {
  /// What was measured, in a few words each.
  private(set) var figures: [String] = []
  /// What should not have been; the first ones of many.
  private(set) var faults: [String] = []
  private(set) var faultCount = 0

  /// Notes what was measured.
  mutating func note(_ figure: String) { figures.append(figure) }

  /// Notes a fault unless something is as it should be.
  mutating func expect(_ isRight: Bool, _ fault: @autoclosure () -> String) {
    if isRight { return }
    faultCount += 1
    if faults.count < 5 { faults.append(fault()) }
  }

  /// Takes over what another one holds.
  mutating func add(_ other: Finding) {
    figures += other.figures
    faults += other.faults
    faultCount += other.faultCount
  }
}
