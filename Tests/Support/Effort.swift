import Foundation

/// How much a test does whose questions are made at random: as much as a run of all tests has time for, or all of it with
/// `REPOKIT_FULL=1`, as `make random` sets it.
package enum Effort {
  package static let isFull = ProcessInfo.processInfo.environment["REPOKIT_FULL"] != nil

  /// How many rounds to go of those that the full size has: a tenth, or another part where a round takes long.
  package static func rounds(_ full: Int, oneIn part: Int = 10) -> Int { isFull ? full : (full + part - 1) / part }

  /// How various the elements are that the conformance suite makes of samples: as by default, or none besides the samples.
  package static let varieties: [Int] = isFull ? [3, .max] : []

  /// The seed by which ``sample(_:)`` chooses.
  private static let seed = SplitMix64.newSeed()

  /// Some of many cases, others in each run. A failure names its case, and `REPOKIT_FULL=1` runs all of them.
  package static func sample<Case>(_ all: [Case]) -> [Case] {
    if isFull { return all }
    var generator = SplitMix64(seed: seed)
    return Array(all.shuffled(using: &generator).prefix((all.count + 9) / 10))
  }
}
