import RepositoryTesting
import Testing

/// Something that a repository can get wrong, and the rules under which the suite has to report it, and no others.
struct Fault: CustomTestStringConvertible {
  let testDescription: String
  let rules: [String]
  let makeRepository: @Sendable () throws -> FaultyRepository<Specimen>

  init(
    _ description: String, breaking rules: [String],
    makeRepository: @escaping @Sendable () throws -> FaultyRepository<Specimen>
  ) {
    testDescription = description
    self.rules = rules
    self.makeRepository = makeRepository
  }

  static let all: [Fault] = conditions + pages + aggregates + writes + updates
}
