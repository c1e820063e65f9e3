import Model

/// The times of a workload's contenders, round by round.
struct Rounds {
  private static let most = 31

  private(set) var seconds: [String: [Double]] = [:]

  /// Lets the contenders take turns; each round begins with another one. Short rounds are more, until some time is over.
  ///
  /// - Parameters:
  ///   - count: how many rounds there are at least.
  ///   - duration: how long there are more of them.
  /// - Throws: ``WrongAnswer`` where two contenders found different things, and what a contender throws.
  init(_ contenders: [Contender], of workload: Workload, count: Int, duration: Duration) async throws {
    let clock = ContinuousClock()
    let end = clock.now + duration
    var expected: (digest: Digest, from: String)?
    var round = workload.warmsUp ? -1 : 0
    while round < count || round < Self.most && clock.now < end {
      defer { round += 1 }
      for place in contenders.indices {
        let contender = contenders[(place + max(0, round)) % contenders.count]
        let work = try contender.prepare()
        let start = workload.stopwatch.seconds()
        let answer =
          switch work {
          case .blocking(let body): try body()
          case .suspending(let body): try await body()
          }
        let time = workload.stopwatch.seconds() - start
        let digest = try answer.digest()
        if contender.isCompared {
          if let expected, expected.digest != digest {
            throw WrongAnswer(workload: workload.name, contenders: [expected.from, contender.name])
          }
          expected = (digest, contender.name)
        }
        if round >= 0 { seconds[contender.name, default: []].append(time / Double(contender.operations)) }
      }
    }
  }

  /// The ratio of each round's times, so that what slows the machine down for a while slows both.
  func ratios(_ comparison: Comparison) -> Spread? {
    guard let times = seconds[comparison.contender], let rivals = seconds[comparison.rival] else { return nil }
    return Spread(zip(times, rivals).map { $0 / $1 })
  }
}

/// Two contenders that do not agree: one of them is fast because it is wrong.
struct WrongAnswer: Error, CustomStringConvertible {
  let workload: String
  let contenders: [String]

  var description: String { "wrong answer: \(contenders.joined(separator: " and ")) disagree in \(workload)" }
}
