/// A place that keeps tables: a database, or memory.
///
/// A program takes `any Store` where it starts, and hands out repositories from there.
public protocol Store: Sendable {
  /// Opens a repository over the table that a schema describes; a table that does not exist yet is created.
  ///
  /// - Throws: ``RepositoryError`` where the schema contradicts itself, the table in the store differs from it, or the
  ///   table can't be created.
  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element>
}

extension Store {
  /// Opens the repository of a model type: `let pokedex: AnyRepository<Pokemon> = try store.repository()`.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Entity>() throws(RepositoryError) -> AnyRepository<Element> {
    try repository(Element.schema)
  }
}
