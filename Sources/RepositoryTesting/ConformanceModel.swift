public import Repository

/// A model of the suite's own, and the rules that every repository of it has to keep.
public protocol ConformanceModel: Entity {
  /// The rules, each of which needs an empty repository.
  static var rules: [ConformanceRule<AnyRepository<Self>>] { get }

  /// The names of the properties in which an element differs from another, compared exactly: texts by their bytes.
  func differences(from other: Self) -> [String]
}
