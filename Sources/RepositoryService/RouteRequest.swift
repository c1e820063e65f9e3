public import Repository
public import WebRepositoryFormat

/// A request as it is passed to the closures of a route before it runs.
public struct RouteRequest: Sendable {
  /// The name of the route.
  public let route: String
  /// The operations that write; empty for a request that reads.
  public let writes: WriteOperations
  /// The header fields. A client writes them, so they prove nothing about the client unless a closure checks them, as the
  /// signature of a token.
  public let headers: WebHeaders
  /// The identity of the client that the server has passed to ``RepositoryService/respond(to:as:)``; `nil` if it has passed none.
  public let identity: (any Sendable)?

  /// Returns the identity of the client that the server has checked.
  ///
  /// ```swift
  /// let user = try request.identity(as: User.self)
  /// ```
  ///
  /// - Parameter type: the type of the identities.
  /// - Throws: ``RouteRefusal``, with the status 401, if the server has passed no identity of this type.
  public func identity<Identity>(as type: Identity.Type = Identity.self) throws(RouteRefusal) -> Identity {
    guard let identity = identity as? Identity else { throw .unauthenticated() }
    return identity
  }
}

/// A request that a route's closure refuses.
public struct RouteRefusal: Error {
  let error: RepositoryError
  let status: Int
  let headers: WebHeaders

  /// Makes a refusal.
  ///
  /// - Parameters:
  ///   - error: the error for the client.
  ///   - status: the status; 403 by default.
  ///   - headers: header fields of the response.
  public init(_ error: RepositoryError, status: Int = 403, headers: WebHeaders = [:]) {
    (self.error, self.status, self.headers) = (error, status, headers)
  }

  /// Returns a refusal for a client that has to authenticate: the status 401.
  ///
  /// - Parameter challenge: the authentication scheme, the field `WWW-Authenticate`.
  public static func unauthenticated(challenge: String = "Bearer") -> RouteRefusal {
    RouteRefusal(
      RepositoryError(
        .unauthenticated, "the request does not identify the client",
        suggestion: "sign in, and send the token with the request"),
      status: 401, headers: ["WWW-Authenticate": challenge])
  }

  /// Returns a refusal for a client without permission: the status 403.
  public static func forbidden(_ summary: String = "the request is not allowed") -> RouteRefusal {
    RouteRefusal(RepositoryError(.forbidden, summary))
  }
}
