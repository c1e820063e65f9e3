#if NSError || canImport(ObjectiveC)
  public import Foundation

  extension ErrorRules {
    /// Adds a rule for the errors of a domain of Foundation's.
    ///
    /// - Parameters:
    ///   - code: the one code that is meant; nil for all.
    ///   - action: gets the error as an `NSError`, with its `userInfo`.
    public func onNSError(
      domain: String, code: Int? = nil, do action: @escaping @Sendable (NSError) async throws -> Step
    ) -> ErrorRules {
      on(matching: .nsError(domain: domain, code: code)) { try await action(NSError(form: $0)) }
    }
  }
#endif
