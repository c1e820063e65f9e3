/// The limits of a service, so that no request takes more time or memory than intended.
public struct ServiceLimits: Sendable {
  /// The maximum number of bytes of the path and the query of an address.
  public var targetBytes = 16_384
  /// The maximum number of bytes of a query's body.
  public var queryBytes = 65_536
  /// The maximum number of bytes of a write's body, unless it is a stream of lines, and of each line of a stream.
  public var bodyBytes = 1_048_576
  /// The maximum number of bytes of a stream of lines.
  public var streamBytes = 1_073_741_824
  /// The maximum number of conditions of a query, and of terms of its order and its groups.
  public var conditions = 200
  /// The maximum number of answers to writes that are stored by their idempotency keys, and their maximum total size in bytes.
  public var rememberedWrites = (count: 10_000, bytes: 33_554_432)
  /// The interval between two signs of life in a stream of live results.
  public var heartbeat = Duration.seconds(15)

  /// Makes the default limits.
  public init() {}
}
