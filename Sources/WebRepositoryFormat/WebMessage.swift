/// An HTTP request, independent of any server or client library.
public struct WebRequest: Sendable {
  /// The method, such as `GET`, in uppercase.
  public var method: String
  /// The path and the query as in the request line (RFC 9112, section 3.2.1): `/pokemon?where=weight%20%3E%2090`.
  public var target: String
  /// The header fields.
  public var headers: WebHeaders
  /// The body; empty if there is none.
  public var body: WebBody

  /// Makes a request.
  public init(_ method: String, _ target: String, headers: WebHeaders = [:], body: WebBody = .empty) {
    (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
  }
}

/// An HTTP response.
public struct WebResponse: Sendable {
  /// The status code, such as 200.
  public var status: Int
  /// The header fields.
  public var headers: WebHeaders
  /// The body; empty if there is none.
  public var body: WebBody

  /// Makes a response.
  public init(_ status: Int, headers: WebHeaders = [:], body: WebBody = .empty) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }
}

/// A transport of requests to a server: over a network, or within a process, such as a `RepositoryService` in a test.
public protocol WebTransport: Sendable {
  /// Sends a request, and returns the response as soon as its header has arrived; the body follows as it is read.
  ///
  /// - Throws: the error that prevents a response: a `RepositoryError` is passed on unchanged, a `CancellationError` becomes
  ///   the code `cancelled`, and any other error that of its `InfrastructureError`.
  func send(_ request: WebRequest) async throws -> WebResponse
}
