#if NSError || canImport(ObjectiveC)
  public import Foundation

  extension ErrorRules {
    /// Returns rules with one added for the errors of a Foundation domain.
    ///
    /// - Parameters:
    ///   - code: the code to match; `nil` for all.
    ///   - action: receives the error as an `NSError`, with its `userInfo`.
    public func onNSError(
      domain: String, code: Int? = nil, do action: @escaping @Sendable (NSError) async throws -> Step
    ) -> ErrorRules {
      on(matching: .nsError(domain: domain, code: code)) { try await action(NSError(form: $0)) }
    }
  }
#endif
