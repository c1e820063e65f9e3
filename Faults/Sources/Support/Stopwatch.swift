/// How long something takes.
struct Stopwatch {
  private let start = ContinuousClock.now

  var elapsed: Duration { .now - start }
}

extension Duration {
  /// The time in seconds.
  var inSeconds: Double { self / .seconds(1) }
  /// The time in milliseconds.
  var inMilliseconds: Double { self / .milliseconds(1) }
  /// The time as a table shows it.
  var text: String {
    let milliseconds = inMilliseconds
    if milliseconds >= 1_000 { return "\((inSeconds * 100).rounded() / 100) s" }
    return "\((milliseconds * 10).rounded() / 10) ms"
  }
}
