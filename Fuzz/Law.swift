#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What has to hold for every input.
enum Law {
  /// Ends the process where a law is broken: that is how libFuzzer learns of it, and writes the input down.
  ///
  /// The evidence is made only then, as rows take longer to print than to find.
  static func require(_ holds: Bool, _ law: String, _ evidence: @autoclosure () -> [String] = []) {
    if !holds { broken(law, evidence()) }
  }

  /// The result of what may not fail.
  static func mustSucceed<Result>(
    _ law: String, _ evidence: @autoclosure () -> [String] = [], body: () throws -> Result
  ) -> Result {
    do {
      return try body()
    } catch {
      broken(law, evidence() + ["\(error)"])
    }
  }

  private static func broken(_ law: String, _ evidence: [String]) -> Never {
    let lines = ["law broken: \(law)"] + evidence.map { "  " + SwiftText.literal($0) }
    let message = Array((lines.joined(separator: "\n") + "\n").utf8)
    _ = write(STDERR_FILENO, message, message.count)
    abort()
  }
}
