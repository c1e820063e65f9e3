import Foundation

/// How much a test does whose questions are made at random: as much as a run of all tests has time for, or all of it with
/// `REPOKIT_FULL=1`, as `make random` sets it.
package enum Effort {
  package static let isFull = ProcessInfo.processInfo.environment["REPOKIT_FULL"] != nil

  /// How many rounds to go of those that the full size has.
  package static func rounds(_ full: Int) -> Int { isFull ? full : (full + 9) / 10 }

  /// How various the elements are that the conformance suite makes of samples: as by default, or none besides the samples.
  package static let varieties: [Int] = isFull ? [3, .max] : []

  /// By which ``sample(_:)`` chooses; a failure names its case, and this replays a whole run.
  private static let seed: UInt64 = {
    if let given = Environment.number("REPOKIT_SEED") { return given }
    let drawn = UInt64.random(in: 0...UInt64(UInt32.max))
    if !isFull { print("cases were drawn with REPOKIT_SEED=\(drawn)") }
    return drawn
  }()

  /// Some of many cases, others in each run.
  package static func sample<Case>(_ all: [Case]) -> [Case] {
    if isFull { return all }
    var generator = SplitMix64(seed: seed)
    return Array(all.shuffled(using: &generator).prefix((all.count + 9) / 10))
  }
}
