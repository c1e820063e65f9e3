import Query

/// The constraint that a row violates, for programs that know the row and may show its values to their user.
package final class BrokenConstraint: Hashable, Sendable {
  /// The kind of a constraint.
  package enum Kind: Hashable, Sendable {
    case unique, notNull
    case reference(ReferenceRule)
  }

  package let kind: Kind
  /// The columns of the row that the constraint is about.
  package let columns: [String]

  package init(_ kind: Kind, _ columns: [String]) {
    (self.kind, self.columns) = (kind, columns)
  }

  package static func == (lhs: BrokenConstraint, rhs: BrokenConstraint) -> Bool {
    lhs.kind == rhs.kind && lhs.columns == rhs.columns
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    hasher.combine(columns)
  }
}

extension RepositoryError {
  /// Returns the error with the constraint that the row violates.
  package func breaking(_ constraint: BrokenConstraint?) -> RepositoryError {
    var error = self
    error.brokenConstraint = constraint
    return error
  }
}
