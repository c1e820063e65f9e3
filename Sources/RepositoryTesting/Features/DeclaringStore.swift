import Repository

/// A store whose repositories are watched.
struct DeclaringStore: Store {
  let base: any Store
  let declaration: Declaration

  func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(DeclaringRepository(base: try base.repository(schema), declaration: declaration))
  }

  func transaction<Result>(_ body: (DeclaringStore) async throws -> Result) async throws -> Result {
    try await base.transaction { inner in try await body(DeclaringStore(base: inner, declaration: declaration)) }
  }

  func read<Result>(_ body: (DeclaringStore) async throws -> Result) async throws -> Result {
    try await base.read { inner in try await body(DeclaringStore(base: inner, declaration: declaration)) }
  }
}
