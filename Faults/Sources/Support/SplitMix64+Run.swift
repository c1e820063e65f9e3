import TestSupport

extension SplitMix64 {
  /// The seed of a run: the environment's, or a new one.
  static func seed() -> UInt64 { Environment.number("REPOKIT_SEED") ?? .random(in: 0...0xFFFF_FFFF) }
}
