/// A random number generator whose numbers follow from a seed, so that a test that fails can be replayed.
///
/// Source of the method: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  /// The seeds of a random test: some that stay (`make random` has three), and one that is new in each run; or the one that
  /// `REPOKIT_SEED` gives. A failure prints the seed as the test's argument.
  package static let seeds: [UInt64] = {
    if let given = Environment.number("REPOKIT_SEED") { return [given] }
    return (Effort.isFull ? [1, 2, 3] : [1]) + [newSeed()]
  }()

  /// Returns the seed that `REPOKIT_SEED` gives, or another one in each run.
  package static func newSeed() -> UInt64 {
    Environment.number("REPOKIT_SEED") ?? .random(in: 0...UInt64(UInt32.max))
  }

  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension RandomNumberGenerator {
  /// A member by chance; the collection is not empty.
  package mutating func pick<Element>(_ elements: some Collection<Element>) -> Element {
    elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
  }

  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// True in a share of all cases.
  package mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < share
  }
}
