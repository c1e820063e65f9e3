#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How long a person who pressed a key does not mind to wait.
struct CompletionPatience {
  /// For the values of a column.
  let values: Duration
  /// For all there is, in seconds.
  let total: UInt32

  /// What a key may take, unless `REPOKIT_COMPLETION_SECONDS` says otherwise: where that is a whole number, both limits
  /// are as many seconds. For tests, which want the answer of a busy machine too, and for slow disks.
  static var current: CompletionPatience {
    let seconds = getenv("REPOKIT_COMPLETION_SECONDS").flatMap { UInt32(String(cString: $0)) }
    guard let seconds, seconds > 0 else { return CompletionPatience(values: .milliseconds(300), total: 1) }
    return CompletionPatience(values: .seconds(Int64(seconds)), total: seconds)
  }
}
