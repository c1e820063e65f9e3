#if NSError || canImport(ObjectiveC)
  import Foundation

  extension ErrorMatcher {
    /// Returns a matcher of the errors of a Foundation domain, as in `NSError`, whether they are objects or Swift values.
    ///
    /// - Parameter code: the code to match; `nil` for all.
    public static func nsError(domain: String, code: Int? = nil) -> ErrorMatcher {
      ErrorMatcher { error in
        let form = NSError(form: error)
        return form.domain == domain && (code == nil || form.code == code)
      }
    }
  }
#endif
