#if canImport(Darwin)
  package import Darwin
#elseif canImport(Glibc)
  package import Glibc
#elseif canImport(Musl)
  package import Musl
#endif

// The handler of a signal, which the systems keep in unions of different names.
extension sigaction {
  package typealias Handler = @convention(c) (Int32) -> Void

  /// Whether the signal is ignored. Functions can't be compared, and `SIG_IGN` is a number cast to a function.
  package var isIgnored: Bool {
    let ignoring: Handler? = SIG_IGN
    return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(ignoring, to: UInt.self)
  }

  #if canImport(Darwin)
    private var handler: Handler? { __sigaction_u.__sa_handler }
    package mutating func setHandler(_ handler: @escaping Handler) { __sigaction_u.__sa_handler = handler }
  #elseif canImport(Glibc)
    private var handler: Handler? { __sigaction_handler.sa_handler }
    package mutating func setHandler(_ handler: @escaping Handler) { __sigaction_handler.sa_handler = handler }
  #elseif canImport(Musl)
    private var handler: Handler? { __sa_handler.sa_handler }
    package mutating func setHandler(_ handler: @escaping Handler) { __sa_handler.sa_handler = handler }
  #endif
}
