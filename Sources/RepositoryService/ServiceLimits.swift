/// Sizes beyond which a service refuses requests, so that none takes more time or memory than is meant for it.
public struct ServiceLimits: Sendable {
  /// How many bytes the path and the query of an address may have.
  public var targetBytes = 16_384
  /// How many bytes the body of a query may have.
  public var queryBytes = 65_536
  /// How many bytes the body of a write may have that is not a stream of lines, and each line of one.
  public var bodyBytes = 1_048_576
  /// How many bytes a stream of lines may have.
  public var streamBytes = 1_073_741_824
  /// How many conditions a query may have, and how many terms its order and its groups.
  public var conditions = 200
  /// How many answers to writes are remembered by their idempotency keys, and how many bytes they may have together.
  public var rememberedWrites = (count: 10_000, bytes: 33_554_432)
  /// How often a stream of live results says that it is alive.
  public var heartbeat = Duration.seconds(15)

  /// The limits as they are by default.
  public init() {}
}
