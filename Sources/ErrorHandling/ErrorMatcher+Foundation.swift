#if NSError || canImport(ObjectiveC)
  import Foundation

  extension ErrorMatcher {
    /// The errors of a domain of Foundation's, as `NSError` names it, whether they are objects or Swift values.
    ///
    /// - Parameter code: the one code that is meant; nil for all.
    public static func nsError(domain: String, code: Int? = nil) -> ErrorMatcher {
      ErrorMatcher { error in
        let form = NSError(form: error)
        return form.domain == domain && (code == nil || form.code == code)
      }
    }
  }
#endif
