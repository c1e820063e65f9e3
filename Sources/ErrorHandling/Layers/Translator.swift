/// Makes a model of the domain from what a repository keeps, or the other way around.
///
/// ```swift
/// let translator = Translator<Row, Trainer> { row in
///   guard row.badges >= 0 else { throw TrainerError.badges(row.badges) }
///   return Trainer(name: row.name, badges: row.badges)
/// }
/// let trainer = try translator(Row(name: "Red", badges: 8))
/// ```
public struct Translator<Source, Target>: Sendable {
  private let translate: @Sendable (Source) throws -> Target

  /// Makes a translator.
  ///
  /// - Parameter translate: makes the other model; throws where there is none.
  public init(_ translate: @escaping @Sendable (Source) throws -> Target) {
    self.translate = translate
  }

  /// Makes the other model.
  ///
  /// - Throws: ``DomainError`` with the code ``DomainError/Code/translationFailed`` and the words of what the closure
  ///   has thrown, which is its `underlying`; a ``DomainError`` of the closure as it is, and a cancellation as one.
  public func callAsFunction(_ source: Source) throws(DomainError) -> Target {
    do {
      return try translate(source)
    } catch let error as DomainError {
      throw error
    } catch {
      if ErrorMatcher.cancellation.matches(error) {
        throw DomainError(.cancelled, AnyFriendlyError(error).summary, underlying: error)
      }
      let friendly = AnyFriendlyError(error)
      throw DomainError(
        .translationFailed, friendly.summary, reason: friendly.reason, suggestion: friendly.suggestion,
        underlying: error)
    }
  }

  /// Makes the other models, all or none.
  ///
  /// - Throws: as for one of them.
  public func callAsFunction(_ sources: [Source]) throws(DomainError) -> [Target] {
    try sources.map { source throws(DomainError) in try self(source) }
  }
}
