import Foundation

/// How much a test does whose questions are made at random: as much as a run of all tests has time for, or all of it with
/// `REPOKIT_FULL=1`, as `make random` sets it.
package enum Effort {
  package static let isFull = ProcessInfo.processInfo.environment["REPOKIT_FULL"] != nil

  /// How many rounds to go of those that the full size has.
  package static func rounds(_ full: Int) -> Int { isFull ? full : (full + 9) / 10 }

  /// How various the elements are that the conformance suite makes of samples: as by default, or none besides the samples.
  package static let varieties: [Int] = isFull ? [3, .max] : []

  /// Some of many cases, others in each run.
  package static func sample<Case>(_ all: [Case]) -> [Case] {
    isFull ? all : Array(all.shuffled().prefix((all.count + 9) / 10))
  }
}
