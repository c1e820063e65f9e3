/// One rule of the contract, which a repository or a store either keeps or breaks.
public struct ConformanceRule<Subject: Sendable>: Sendable {
  /// The rule in plain words: "`!=` holds for rows whose value is null".
  public let name: String
  private let check: @Sendable (Trial<Subject>) async throws -> Void

  init(_ name: String, check: @escaping @Sendable (Trial<Subject>) async throws -> Void) {
    self.name = name
    self.check = check
  }

  /// Checks the rule.
  ///
  /// - Returns: what was found to be otherwise than it has to be; nothing where the rule is kept.
  func deviations(of subject: Subject) async -> [Deviation] {
    let trial = Trial(subject)
    do {
      try await check(trial)
    } catch {
      trial.record("to try the rule", expected: "no error", found: Trial<Subject>.describe(error))
    }
    return trial.deviations
  }
}
