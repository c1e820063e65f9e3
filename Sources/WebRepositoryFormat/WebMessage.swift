/// A request of HTTP, as any server or client library can make it or take it apart.
public struct WebRequest: Sendable {
  /// The method, such as `GET`, in upper case.
  public var method: String
  /// The path and the query as they stand in the request line (RFC 9112, section 3.2.1): `/pokemon?where=weight%20%3E%2090`.
  public var target: String
  /// The header fields.
  public var headers: WebHeaders
  /// The body; empty where there is none.
  public var body: WebBody

  /// Makes a request.
  public init(_ method: String, _ target: String, headers: WebHeaders = [:], body: WebBody = .empty) {
    (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
  }
}

/// A response of HTTP.
public struct WebResponse: Sendable {
  /// The status code, such as 200.
  public var status: Int
  /// The header fields.
  public var headers: WebHeaders
  /// The body; empty where there is none.
  public var body: WebBody

  /// Makes a response.
  public init(_ status: Int, headers: WebHeaders = [:], body: WebBody = .empty) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// Carries requests to a server: over a network, or within a process, as a `RepositoryService` does in a test.
public protocol WebTransport: Sendable {
  /// Sends a request, and gives the response as soon as its header is there; the body follows as it is read.
  ///
  /// - Throws: what keeps the response from coming: a `RepositoryError` is passed on as it is, a `CancellationError` becomes
  ///   the code `cancelled`, and anything else the code that `InfrastructureError` has for it.
  func send(_ request: WebRequest) async throws -> WebResponse
}
