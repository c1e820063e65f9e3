@_exported public import Repository
@_exported public import WebRepositoryFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store of the repositories of a server with a web API, that of a `RepositoryService`.
///
/// ```swift
/// let store = try WebStore(url) { ["Authorization": "Bearer \(try await session.token())"] }
/// let pokedex = try store.repository(of: Pokemon.self)
/// ```
///
/// A request is sent as a GET, whose items are the query, or as a POST if it is long. Answers are decoded by the schema, and
/// errors of the server are the same `RepositoryError` that its own repository throws. Transactions and snapshots, which HTTP
/// does not have, are refused with the code `unsupported`.
public struct WebStore: Store {
  /// The type of a transaction, which this store does not support.
  public typealias Transaction = WebStore

  let connection: WebConnection

  /// Makes a store over a network, with Foundation's `URLSession`.
  ///
  /// - Parameters:
  ///   - url: the base address of the routes: `https://example.com/api`.
  ///   - options: times, sizes and attempts.
  ///   - headers: returns the header fields of each attempt, such as a token.
  /// - Throws: `RepositoryError` with the code `cannotOpen` if the address is not one of HTTP, or has a query or a fragment,
  ///   which no request would contain.
  public init(
    _ url: URL, options: WebStoreOptions = WebStoreOptions(),
    headers: @escaping @Sendable () async throws -> WebHeaders = { [:] }
  ) throws(RepositoryError) {
    try URLSessionTransport.check(url)
    self.init(over: URLSessionTransport(url, timeout: options.timeout), options: options, headers: headers)
  }

  /// Makes a store over another transport, such as a `RepositoryService` in the same process.
  public init(
    over transport: some WebTransport, options: WebStoreOptions = WebStoreOptions(),
    headers: @escaping @Sendable () async throws -> WebHeaders = { [:] }
  ) {
    connection = WebConnection(transport: transport, options: options, headers: headers)
  }

  /// Opens the repository of a schema, whose route has the name of its table, or the name in ``WebStoreOptions/routes``.
  ///
  /// No request is sent: whether the server has such a route shows with the first request.
  ///
  /// - Throws: `RepositoryError` if the schema contradicts itself.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    let table = try schema.table().name
    return AnyRepository(try WebRepository(connection, schema, route: connection.options.routes[table] ?? table))
  }

  /// Opens the repository of a model type at a route, without type erasure: it has calls for versions of elements.
  ///
  /// - Parameters:
  ///   - type: the model type.
  ///   - route: the name of the route.
  /// - Throws: as ``repository(_:)`` does.
  public func webRepository<Element: Entity>(
    of type: Element.Type, at route: String
  ) throws(RepositoryError) -> WebRepository<Element> {
    try WebRepository(connection, type.schema, route: route)
  }

  /// Throws: a server would have to keep a transaction open for as long as a client wants.
  @discardableResult
  public func transaction<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    throw RepositoryError(
      .unsupported, "there are no transactions over HTTP",
      suggestion: "save elements in one call, which is all or nothing, or let the server combine the writes")
  }

  /// Throws, as ``transaction(_:)`` does.
  public func read<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    throw RepositoryError(
      .unsupported, "there are no snapshots over HTTP", suggestion: "request related data in one request")
  }
}

/// The options of a ``WebStore`` for its requests.
public struct WebStoreOptions: Sendable {
  /// The maximum wait for an answer from the moment at which the request has been sent, and for another attempt that the server
  /// defers by `Retry-After`.
  public var timeout = Duration.seconds(30)
  /// The maximum number of attempts of a request, if no answer arrives or the server is busy.
  public var attempts = 3
  /// The maximum number of attempts in a row to restore the connection of live results; the first connection is tried as any
  /// request is.
  public var reconnections = 1_000
  /// The waits between two attempts, in addition to that for which the server asks by `Retry-After`.
  public var backoff = Backoff.exponential(from: .milliseconds(100), atMost: .seconds(5))
  /// The maximum number of bytes of cached answers, which are reused if the server reports that nothing has changed; 0 for none.
  public var cacheBytes = 4_194_304
  /// The maximum number of bytes of an address; a longer query is sent as a body.
  public var targetBytes = 2_000
  /// The maximum number of bytes of a row.
  public var rowBytes = 67_108_864
  /// The names of routes by the names of the client's tables, where both differ: `["pokemon": "pokedex"]`. Requests name
  /// routes, in relations, too, whatever the tables of the server are called.
  public var routes: [String: String] = [:]

  /// Makes the default options.
  public init() {}
}
