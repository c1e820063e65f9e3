@_exported public import Repository
@_exported public import WebRepositoryFormat

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The repositories of a server, behind its web API: what a `RepositoryService` shows.
///
/// ```swift
/// let store = WebStore(url) { ["Authorization": "Bearer \(try await session.token())"] }
/// let pokedex: AnyRepository<Pokemon> = try store.repository()
/// ```
///
/// A request travels as a GET, whose items are the query, or as a POST where it is long. What comes back is read by the schema,
/// and errors of the server are the same `RepositoryError` that its own repository throws. What HTTP has no form for,
/// transactions and snapshots, is refused with the code `unsupported`.
public struct WebStore: Store {
  /// A store within a transaction, which this one has not.
  public typealias Transaction = WebStore

  let connection: WebConnection

  /// Makes a store over a network, by Foundation's `URLSession`.
  ///
  /// - Parameters:
  ///   - url: the address below which the routes are: `https://example.com/api`.
  ///   - options: times, sizes and attempts.
  ///   - headers: gives the header fields of each attempt, such as a token.
  public init(
    _ url: URL, options: WebStoreOptions = WebStoreOptions(),
    headers: @escaping @Sendable () async throws -> WebHeaders = { [:] }
  ) {
    self.init(over: URLSessionTransport(url, timeout: options.timeout), options: options, headers: headers)
  }

  /// Makes a store over another transport, such as a `RepositoryService` in the same process.
  public init(
    over transport: some WebTransport, options: WebStoreOptions = WebStoreOptions(),
    headers: @escaping @Sendable () async throws -> WebHeaders = { [:] }
  ) {
    connection = WebConnection(transport: transport, options: options, headers: headers)
  }

  /// Opens the repository of a schema, whose route has the name of its table.
  ///
  /// Nothing is sent: whether the server has such a route is told by the first request.
  ///
  /// - Throws: `RepositoryError` where the schema contradicts itself.
  public func repository<Element: Storable>(
    _ schema: Schema<Element>
  ) throws(RepositoryError) -> AnyRepository<Element> {
    AnyRepository(try WebRepository(connection, schema, route: try schema.table().name))
  }

  /// Opens the repository of a model type at a route of another name.
  ///
  /// - Throws: as ``repository(_:)`` does.
  public func repository<Element: Entity>(
    of type: Element.Type = Element.self, at route: String
  ) throws(RepositoryError) -> WebRepository<Element> {
    try WebRepository(connection, type.schema, route: route)
  }

  /// Refused: a server would have to keep a transaction open for as long as a client likes.
  @discardableResult
  public func transaction<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    throw RepositoryError(
      .unsupported, "there are no transactions over HTTP",
      suggestion: "save elements in one call, which is all or nothing, or let the server do what belongs together")
  }

  /// Refused, as ``transaction(_:)`` is.
  public func read<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    throw RepositoryError(
      .unsupported, "there are no snapshots over HTTP", suggestion: "ask for what belongs together in one request")
  }
}

/// How a ``WebStore`` sends its requests.
public struct WebStoreOptions: Sendable {
  /// How long an answer is waited for.
  public var timeout = Duration.seconds(30)
  /// How often a request is sent at most, where no answer comes or the server is busy.
  public var attempts = 3
  /// How often in a row live results try to make a connection again that was lost; a first one is tried as any request is.
  public var reconnections = 1_000
  /// How long is waited between two attempts.
  public var backoff = Backoff.exponential(from: .milliseconds(100), atMost: .seconds(5))
  /// How many bytes of answers are kept, to be used again where the server says that nothing has changed; 0 for none.
  public var cacheBytes = 4_194_304
  /// How many bytes an address may have; a longer query is sent as a body.
  public var targetBytes = 2_000
  /// How many bytes a row may have.
  public var rowBytes = 67_108_864

  /// The options as they are by default.
  public init() {}
}
