#if NSError || canImport(ObjectiveC)
  import Foundation
#elseif canImport(FoundationEssentials)
  import FoundationEssentials
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
#endif

// The border from the system to infrastructure.
extension InfrastructureError {
  /// Makes an error of infrastructure from any error of the system or of Foundation; an error of this type is not changed.
  ///
  /// The texts are those of the given error.
  ///
  /// - Parameter code: the code, if the caller knows it; by default that of the first error in the chain that has a code.
  public init(_ error: any Error, as code: Code? = nil) {
    if let error = error as? InfrastructureError {
      self = error
      return
    }
    let friendly = AnyFriendlyError(error)
    self.init(
      code ?? friendly.chain.lazy.compactMap { Code($0.base) }.first ?? .other, friendly.summary,
      reason: friendly.reason, suggestion: friendly.suggestion, underlying: error)
  }

  /// Runs a closure that accesses the system, and translates its errors: the border to infrastructure.
  ///
  /// ```swift
  /// let notes = try InfrastructureError.translating("the notes can't be read") { try Data(contentsOf: url) }
  /// ```
  ///
  /// - Parameters:
  ///   - summary: the summary of the errors, which names what was accessed. Their reason is the first cause.
  ///   - access: accesses the system.
  public static func translating<Result, Failure: Error>(
    _ summary: String, _ access: () throws(Failure) -> Result
  ) throws(InfrastructureError) -> Result {
    do throws(Failure) {
      return try access()
    } catch {
      let cause = AnyFriendlyError(error).chain.last
      throw InfrastructureError(
        InfrastructureError(error).code, summary, reason: cause?.summary, suggestion: cause?.suggestion,
        underlying: error)
    }
  }
}

extension InfrastructureError.Code {
  fileprivate init?(_ error: any Error) {
    if let error = error as? InfrastructureError {
      self = error.code
      return
    }
    if error is CancellationError {
      self = .cancelled
      return
    }
    #if NSError || canImport(ObjectiveC)
      let form = NSError(form: error)
      let code: Self? =
        switch form.domain {
        case NSPOSIXErrorDomain: Self(posix: form.code)
        case NSCocoaErrorDomain: Self(cocoa: form.code)
        case NSURLErrorDomain: Self(url: form.code)
        default: nil
        }
    #else
      let code: Self? =
        switch error {
        case let error as POSIXError: Self(posix: Int(error.code.rawValue))
        case let error as CocoaError: Self(cocoa: error.code.rawValue)
        default: nil
        }
    #endif
    guard let code else { return nil }
    self = code
  }

  private init?(posix code: Int) {
    switch Int32(exactly: code) {
    case ECONNREFUSED, ECONNRESET, ECONNABORTED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, ENOTCONN, EPIPE:
      self = .connection
    case EAGAIN, EBUSY: self = .busy
    case ETIMEDOUT: self = .timeout
    case ENOSPC, EDQUOT: self = .diskFull
    case EACCES, EPERM, EROFS: self = .permission
    case ENOENT, ENOTDIR: self = .missing
    case EIO: self = .inputOutput
    case ECANCELED: self = .cancelled
    default: return nil
    }
  }

  private init?(cocoa code: Int) {
    switch CocoaError.Code(rawValue: code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: self = .missing
    case .fileReadNoPermission, .fileWriteNoPermission, .fileWriteVolumeReadOnly: self = .permission
    case .fileWriteOutOfSpace: self = .diskFull
    case .fileReadCorruptFile: self = .corrupt
    case .userCancelled: self = .cancelled
    default: return nil
    }
  }

  #if NSError || canImport(ObjectiveC)
    /// Makes the error of a code of `URLError`: on Linux that type is in a module that nothing else here needs.
    /// https://developer.apple.com/documentation/foundation/1508628-url-loading-system-error-codes
    private init?(url code: Int) {
      switch code {
      case -999: self = .cancelled
      case -1001: self = .timeout
      case -1003, -1004, -1005, -1006, -1009: self = .connection
      default: return nil
      }
    }
  #endif
}
