import Query
public import Repository

// Versions: an element is changed only if no other client has changed it in the meantime, without a transaction.
extension WebRepository {
  /// Finds the element with a key, with its version: its `ETag`.
  ///
  /// ```swift
  /// guard var (snorlax, version) = try await pokedex.findVersioned(143) else { return }
  /// snorlax.weight = 450
  /// version = try await pokedex.save(snorlax, ifVersion: version)
  /// ```
  ///
  /// - Returns: `nil` if no element has that key.
  /// - Throws: as ``find(_:)`` does, and `RepositoryError` with the code `unsupported` for a key that is not a valid address, such
  ///   as an empty text.
  public func findVersioned(
    _ id: Element.ID
  ) async throws(RepositoryError) -> (element: Element, version: String)? {
    let request = WebRequest("GET", try address(of: id), headers: ["Accept": MediaType.json])
    do throws(RepositoryError) {
      return try await connection.exchange(request) { response throws(RepositoryError) in
        let version = try Self.version(of: response)
        let bytes = try await connection.body(of: response)
        return (try element(of: try values(of: bytes[...])), version)
      }
    } catch {
      if error.code == .notFound { return nil }
      throw error
    }
  }

  /// Saves an element if the one that it replaces still has a version.
  ///
  /// - Returns: the new version.
  /// - Throws: as ``save(_:)`` does, and `RepositoryError` with the code `changedMeanwhile` if it has another version, or was deleted.
  @discardableResult
  public func save(_ element: Element, ifVersion version: String) async throws(RepositoryError) -> String {
    var body: [UInt8] = []
    format.append(try schema.row(from: element, in: table), to: &body)
    let request = once(
      WebRequest(
        "PUT", try address(of: element.id),
        headers: ["Accept": MediaType.json, "Content-Type": MediaType.json, "If-Match": version], body: WebBody(body)))
    return try await connection.exchange(request) { response throws(RepositoryError) in
      try Self.version(of: response)
    }
  }

  private func address(of id: Element.ID) throws(RepositoryError) -> String {
    if let path = Self.path(of: try table.key(id)) { return WebTarget.text(path: [route] + path) }
    throw RepositoryError(
      .unsupported, "the key is not usable in a URL", suggestion: "find the element, and save it without a version")
  }

  private static func version(of response: WebResponse) throws(RepositoryError) -> String {
    if let tag = response.headers["ETag"] { return tag }
    throw WebConnection.unreadable("the element has no version")
  }
}
