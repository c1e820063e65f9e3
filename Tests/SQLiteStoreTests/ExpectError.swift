import Repository
import Testing

/// Expects a repository's error with a code, which says certain words.
func expectError(
  _ code: RepositoryError.Code, _ words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Any
) async {
  do {
    let result = try await body()
    Issue.record("no error, but \(result)", sourceLocation: sourceLocation)
  } catch {
    check(error, code, words, sourceLocation)
  }
}

/// The same for what does not suspend.
func expectError(
  _ code: RepositoryError.Code, _ words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> some Any
) {
  do {
    let result = try body()
    Issue.record("no error, but \(result)", sourceLocation: sourceLocation)
  } catch {
    check(error, code, words, sourceLocation)
  }
}

private func check(
  _ error: any Error, _ code: RepositoryError.Code, _ words: String, _ sourceLocation: SourceLocation
) {
  let found = error as? RepositoryError
  #expect(found?.code == code, "\(error)", sourceLocation: sourceLocation)
  #expect(found?.description.contains(words) ?? false || words.isEmpty, "\(error)", sourceLocation: sourceLocation)
}
