import Query

/// A reference as it is declared: to a model type, whose schema is read when it is needed.
///
/// Not before: a schema is a static property, and one that reads itself while it is being made, be it through another's
/// schema, would wait for itself.
@usableFromInline
struct ReferenceDeclaration: Hashable, Sendable {
  let target: any Entity.Type
  let onDelete: DeleteRule

  init(target: any Entity.Type, onDelete: DeleteRule) {
    self.target = target
    self.onDelete = onDelete
  }

  @usableFromInline
  static func == (lhs: ReferenceDeclaration, rhs: ReferenceDeclaration) -> Bool {
    ObjectIdentifier(lhs.target) == ObjectIdentifier(rhs.target) && lhs.onDelete == rhs.onDelete
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(target))
    hasher.combine(onDelete)
  }
}
