/// A random number generator whose numbers follow from a seed, so that a test that fails can be replayed.
///
/// Source of the method: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014 (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  /// The seeds of every random test: some that stay, and one that is new in each run. A failure prints the seed as the
  /// test's argument; to replay it, write it here.
  static let seeds: [UInt64] = [1, 2, 3, .random(in: 0...(.max))]

  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &self)]
  }

  /// True in a share of all cases.
  mutating func chance(_ share: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < share
  }
}
