#if NSError || canImport(ObjectiveC)
  // All of Foundation and not FoundationEssentials, which has no NSError on Linux.
  public import Foundation

  extension AnyFriendlyError {
    /// The error as Foundation's `NSError`, with the texts of the friendly form and the underlying error in its `userInfo`.
    ///
    /// An error with its own `NSError` keeps its domain, its code and the content of its `userInfo`.
    public var nsError: NSError {
      let error = NSError(form: base)
      var info = error.userInfo
      let words: [(String, Any?)] = [
        (NSLocalizedDescriptionKey, summary), (NSLocalizedFailureReasonErrorKey, reason),
        (NSLocalizedRecoverySuggestionErrorKey, suggestion), (NSUnderlyingErrorKey, underlying),
      ]
      for (key, value) in words where info[key] == nil { info[key] = value }
      return NSError(domain: error.domain, code: error.code, userInfo: info)
    }

    /// Makes the friendly form from Foundation's description of an error; `nil` if that only names the error's type.
    init?(foundation error: any Error) {
      let form = NSError(form: error)
      if form.domain == NSPOSIXErrorDomain {
        self.init(posix: error, form)
        return
      }
      let localized = error as? any LocalizedError
      let isForeign = type(of: error) is NSError.Type || error is any CustomNSError
      if !isForeign, localized?.errorDescription == nil { return nil }
      let number = isForeign ? "the error code is \(form.code) of \(form.domain)" : nil
      self.init(
        error, localized?.errorDescription ?? form.localizedDescription,
        reason: localized?.failureReason ?? form.localizedFailureReason ?? number,
        suggestion: localized?.recoverySuggestion ?? form.localizedRecoverySuggestion, underlying: form.cause)
    }

    private init(posix error: any Error, _ form: NSError) {
      let words = Int32(exactly: form.code).flatMap(strerror).map { String(cString: $0) }
      let suggestion: String? =
        switch Int32(exactly: form.code) {
        case ENOENT, ENOTDIR: "check the path"
        case EACCES, EPERM: "check the permissions"
        case EROFS: "choose a writable location"
        case ENOSPC, EDQUOT: "free space, and try again"
        case EAGAIN, EBUSY, EINTR, ETIMEDOUT: "try again in a moment"
        case ECONNREFUSED, ECONNRESET, EHOSTUNREACH, ENETUNREACH, ENETDOWN: "check the connection, and try again"
        case EMFILE, ENFILE: "close some files, and try again"
        default: nil
        }
      let given = form.userInfo[NSLocalizedDescriptionKey] as? String
      self.init(
        // Foundation on Linux crashes when it describes a number that is not an `Int32`.
        error, given ?? words ?? "the operating system failed",
        // Without its own reason, an error of this domain returns its description as the reason.
        reason: form.userInfo[NSLocalizedFailureReasonErrorKey] as? String
          ?? "the error code is \(form.code)",
        suggestion: form.localizedRecoverySuggestion ?? suggestion, underlying: form.cause)
    }
  }

  extension NSError {
    /// Makes an error with the domain, the code and the `userInfo` of any error, the same on every platform.
    convenience init(form error: any Error) {
      let form: NSError
      #if canImport(ObjectiveC)
        form = error as NSError
      #else
        // Without Objective-C a cast gives some of Foundation's own errors the name of their Swift type as their domain.
        if let custom = error as? any CustomNSError {
          form = NSError(domain: type(of: custom).errorDomain, code: custom.errorCode, userInfo: custom.errorUserInfo)
        } else {
          form = error as NSError
        }
      #endif
      self.init(domain: form.domain, code: form.code, userInfo: form.userInfo)
    }

    fileprivate var cause: (any Error)? {
      userInfo[NSUnderlyingErrorKey] as? any Error
        ?? (userInfo["NSMultipleUnderlyingErrorsKey"] as? [any Error])?.first
    }
  }
#endif
