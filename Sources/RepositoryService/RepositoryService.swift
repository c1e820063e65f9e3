@_exported public import Repository
@_exported public import WebRepositoryFormat

/// A service that answers HTTP requests from repositories, without a server: any framework mounts it in a few lines.
///
/// ```swift
/// let service = try RepositoryService(transactionsIn: store) {
///   Route("pokemon", pokedex).reading(\.id, \.name, \.weight).writing(\.weight, by: .update)
/// }
/// let response = await service.respond(to: WebRequest("GET", "/pokemon?where=weight%20%3E%2090"))
/// ```
///
/// The article *Serving a repository* lists the possible requests. As a ``/WebRepositoryFormat/WebTransport`` it replaces a
/// network in tests.
public struct RepositoryService: WebTransport {
  let routes: [String: RouteHandler]
  let limits: ServiceLimits
  let transactions: (any Store)?
  let memory: IdempotencyMemory
  let report: (@Sendable (RepositoryError) -> Void)?

  /// Makes a service.
  ///
  /// - Parameters:
  ///   - limits: the limits beyond which requests are refused.
  ///   - store: the store of the repositories, in whose transactions requests run that read before they write: those with
  ///     conditions, versions or hidden columns. Without one, other writes may come in between.
  ///   - report: called with errors of which clients receive no details.
  ///   - routes: the routes.
  /// - Throws: `RepositoryError` with the code `invalidSchema` if a route contradicts itself, or if two have the same name.
  public init(
    limits: ServiceLimits = ServiceLimits(), transactionsIn store: (any Store)? = nil,
    reportingTo report: (@Sendable (RepositoryError) -> Void)? = nil, @RouteBuilder routes: () -> [AnyRoute]
  ) throws(RepositoryError) {
    var handlers: [RouteHandler] = []
    for route in routes() {
      let handler = try route.handler()
      if handlers.contains(where: { $0.name == handler.name }) {
        throw RepositoryError(.invalidSchema, "two routes have the name \(handler.name)")
      }
      handlers.append(handler)
    }
    var byName: [String: RouteHandler] = [:]
    for var handler in handlers {
      try handler.relate(to: handlers)
      byName[handler.name] = handler
    }
    self.routes = byName
    self.limits = limits
    self.report = report
    transactions = store
    memory = IdempotencyMemory(limits)
  }

  /// Answers a request. An error is also a response, with problem details.
  ///
  /// The rows of a result are in memory at the same time, up to the number that the route allows.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - identity: the identity of the client, as a middleware of the server has checked it, for ``RouteRequest/identity(as:)``.
  public func respond(to request: WebRequest, as identity: (any Sendable)? = nil) async -> WebResponse {
    var response: WebResponse
    do throws(Refusal) {
      response = try await answer(to: request, as: identity)
    } catch {
      response = error.response
    }
    if let bytes = response.body.bytes, response.status != 204, response.status != 304 {
      response.headers.append("Content-Length", "\(bytes.count)")
    }
    response.headers.append("X-Content-Type-Options", "nosniff")
    if request.method == "HEAD" { response.body = .empty }
    return response
  }

  /// Answers a request, as a transport.
  public func send(_ request: WebRequest) async -> WebResponse { await respond(to: request) }

  /// Returns a transport that sends requests to the service as an identity, for tests of clients.
  public func transport(as identity: any Sendable) -> some WebTransport {
    IdentifiedTransport(service: self, identity: identity)
  }

  private func answer(to request: WebRequest, as identity: (any Sendable)?) async throws(Refusal) -> WebResponse {
    if request.target.utf8.count > limits.targetBytes {
      throw Refusal(
        414, .tooBig, "the URL is too long", reason: "the URL can have \(limits.targetBytes) bytes",
        suggestion: "send the query as the body of a POST to …:find")
    }
    guard let target = WebTarget(request.target) else {
      throw Refusal(
        400, .invalidQuery, "malformed URL", suggestion: "percent-encode characters that a URL does not allow")
    }
    guard let first = target.segments.first else { throw Self.noRoute }
    if target.segments == ["openapi.json"] {
      if ["GET", "HEAD"].contains(request.method) { return try description() }
      return try Self.otherMethod(request.method, allowed: ["GET", "HEAD"])
    }
    let colon = routes[first] == nil ? first.lastIndex(of: ":") : nil
    guard let route = routes[colon.map { String(first[..<$0]) } ?? first] else { throw Self.noRoute }
    let resource: RouteResource
    if let colon {
      guard let verb = Verb(rawValue: String(first[first.index(after: colon)...])), target.segments.count == 1 else {
        throw Self.noRoute
      }
      resource = .verb(verb)
    } else if target.segments.count == 1 {
      resource = .collection
    } else {
      resource = .element(Array(target.segments.dropFirst()))
    }
    guard let writes = resource.writes(by: request.method), route.writes.isSuperset(of: writes) else {
      return try Self.otherMethod(request.method, allowed: resource.methods(of: route))
    }
    let asked = RouteRequest(route: route.name, writes: writes, headers: request.headers, identity: identity)
    let exchange = Exchange(
      service: self, route: route, request: request, items: target.items,
      condition: try await condition(for: asked, of: route), filled: try await filled(by: asked, of: route),
      writes: writes)
    if writes.isEmpty { return try await exchange.read(resource) }
    return try await memory.once(request, for: exchange.scope) { request async throws(Refusal) in
      try await exchange.with(request).write(resource)
    }
  }

  /// Answers to a method that an address does not have, or to the question which it has.
  private static func otherMethod(_ method: String, allowed: [String]) throws(Refusal) -> WebResponse {
    let allow = (allowed + ["OPTIONS"]).joined(separator: ", ")
    if method == "OPTIONS" { return WebResponse(204, headers: ["Allow": allow]) }
    throw Refusal(
      405, .unsupported, "this method is not allowed here", suggestion: "the allowed methods are \(allow)",
      headers: ["Allow": allow])
  }

  private static var noRoute: Refusal {
    Refusal(
      404, .missingTable, "unknown path", reason: "no route has this name",
      suggestion: "GET /openapi.json lists the routes")
  }

  /// Returns the query that rows have to match to exist for a request.
  private func condition(for request: RouteRequest, of route: RouteHandler) async throws(Refusal) -> AnyQuery {
    guard let authorize = route.authorize else { return .true }
    return try await translatingRefusals(of: route) { try await authorize(request) }
  }

  /// Returns the values of the columns that the server fills in new and saved elements, in the order of the route.
  private func filled(by request: RouteRequest, of route: RouteHandler) async throws(Refusal) -> [Value] {
    if request.writes.isDisjoint(with: [.insert, .save]) { return [] }
    var values: [Value] = []
    for (_, filling) in route.fillings {
      values.append(
        try await translatingRefusals(of: route) {
          let assignment = try await filling.assignment(request)
          if let error = assignment.error { throw error }
          return assignment.value ?? .null
        })
    }
    return values
  }

  /// Calls a closure of a route, whose errors become refusals.
  private func translatingRefusals<Result>(
    of route: RouteHandler, _ body: () async throws -> Result
  ) async throws(Refusal) -> Result {
    do {
      return try await body()
    } catch let refusal as RouteRefusal {
      throw Refusal(refusal.error, status: refusal.status, headers: refusal.headers)
    } catch {
      throw refusal(error as? RepositoryError ?? RepositoryError(translating: error), of: route)
    }
  }

  /// Returns the refusal for an error; an error with few details for the client is also reported.
  func refusal(_ error: RepositoryError, of route: RouteHandler) -> Refusal {
    let refusal = route.refusal(error)
    if refusal.status >= 500 { report?(error) }
    return refusal
  }
}

/// A transport to a service for the requests of one identity.
private struct IdentifiedTransport: WebTransport {
  let service: RepositoryService
  let identity: any Sendable

  func send(_ request: WebRequest) async -> WebResponse { await service.respond(to: request, as: identity) }
}

/// The limits of a service, so that no request takes more time or memory than intended.
public struct ServiceLimits: Sendable {
  /// The maximum number of bytes of the path and the query of an address.
  public var targetBytes = 16_384
  /// The maximum number of bytes of a query's body.
  public var queryBytes = 65_536
  /// The maximum number of bytes of a write's body, unless it is a stream of lines, and of each line of a stream.
  public var bodyBytes = 1_048_576
  /// The maximum number of bytes of a stream of lines.
  public var streamBytes = 1_073_741_824
  /// The maximum number of conditions of a query, and of terms of its order and its groups.
  public var conditions = 200
  /// The maximum number of answers to writes that are stored by their idempotency keys, and their maximum total size in bytes.
  public var rememberedWrites = (count: 10_000, bytes: 33_554_432)
  /// The interval between two signs of life in a stream of live results.
  public var heartbeat = Duration.seconds(15)

  /// Makes the default limits.
  public init() {}
}
