import Query

/// How SQLite goes about a statement, step by step. https://www.sqlite.org/eqp.html
package struct QueryPlan: Hashable, Sendable {
  /// A step, and how deep it stands below others.
  package struct Step: Hashable, Sendable {
    /// What is done.
    package let action: PlanAction
    /// How many steps this one is a part of.
    package let depth: Int
    /// The step in SQLite's own words.
    package let detail: String
  }

  /// The steps, each before those that it consists of.
  package let steps: [Step]

  init(steps: [Step]) {
    self.steps = steps
  }

  /// The names of the indexes that are used, in the order of the steps, each once.
  package var indexes: [String] {
    var names: [String] = []
    for case .index(let name, _)? in steps.map(\.action.path) where !names.containsExactly(name) { names.append(name) }
    return names
  }
}
