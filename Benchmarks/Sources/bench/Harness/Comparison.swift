/// Two contenders of a workload whose times are divided, and what may come of it.
struct Comparison: Sendable {
  let contender: String
  let rival: String
  /// The budget; `nil` where the ratio is only told.
  let most: Double?

  init(_ contender: String = "subject", to rival: String, most: Double? = nil) {
    self.contender = contender
    self.rival = rival
    self.most = most
  }

  var name: String { "\(contender)/\(rival)" }

  /// What a ratio means for the budget.
  ///
  /// - Parameters:
  ///   - ratio: the ratio, which counts to the two digits that are printed.
  ///   - floor: what hand-written C calls come to against the same rival: a goal below it is out of reach.
  func verdict(on ratio: Double, floor: Double?) -> Verdict? {
    guard let most else { return nil }
    if (ratio * 100).rounded() <= most * 100 { return Verdict(isMet: true, text: "ok (\(most))") }
    var text = "misses \(most) by \(Int(((ratio / most - 1) * 100).rounded(.up))) %"
    if let floor, rival != "raw", floor > most { text += "; raw itself is at \(Aggregates.ratio(floor))" }
    return Verdict(isMet: false, text: text)
  }
}
