/// How SQLite goes about a statement, step by step. https://www.sqlite.org/eqp.html
public struct QueryPlan: Hashable, Sendable {
  /// A step, and how deep it stands below others.
  public struct Step: Hashable, Sendable {
    /// What is done.
    public let action: PlanAction
    /// How many steps this one is a part of.
    public let depth: Int
    /// The step in SQLite's own words.
    public let detail: String
  }

  /// The steps, each before those that it consists of.
  public let steps: [Step]

  init(steps: [Step]) {
    self.steps = steps
  }

  /// The names of the indexes that are used, in the order of the steps, each once.
  public var indexes: [String] {
    var names: [String] = []
    for case .index(let name, _)? in steps.map(\.action.path) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Whether all rows of some table are read one after another, be it by an index.
  public var scansEverything: Bool {
    steps.contains { step in
      if case .scan = step.action { true } else { false }
    }
  }
}
