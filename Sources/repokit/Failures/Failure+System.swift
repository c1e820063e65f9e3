#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Failure {
  /// A call of the operating system that failed, with its own words as the reason.
  ///
  /// - Parameter code: the value of `errno` right after the call.
  init(_ summary: String, code: Int32) {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    self.init(summary, details: [reason.prefix(1).lowercased() + reason.dropFirst()])
  }
}
