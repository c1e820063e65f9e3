package import Repository
package import RepositoryService
import Synchronization
package import WebStore

/// A store whose tables are shown by a service as they are opened, and asked over HTTP: what a deployment does by hand.
package struct ServedStore<Base: Store>: Store {
  package typealias Transaction = WebStore

  private let base: Base
  private let server: GrowingService
  private let web: WebStore

  /// Other tests may keep all threads busy for long.
  package static var patient: WebStoreOptions {
    var options = WebStoreOptions()
    options.timeout = .seconds(900)
    return options
  }

  package init(_ base: Base, options: WebStoreOptions = patient) {
    self.base = base
    server = GrowingService(store: base)
    web = WebStore(over: server, options: options)
  }

  package func repository<Element: Storable>(_ schema: Schema<Element>) throws(RepositoryError) -> AnyRepository<
    Element
  > {
    let table = try schema.table()
    try server.add(Route(table.name, try base.repository(schema), schema: schema).open, named: table.name)
    return try web.repository(schema)
  }

  package func transaction<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    try await web.transaction(body)
  }

  package func read<Result>(_ body: (WebStore) async throws -> Result) async throws -> Result {
    try await web.read(body)
  }
}

extension Route {
  /// The route with nothing left out.
  package var open: Route {
    readingAll().writingAll().allowing(.all).pages(of: 100, atMost: 1_000_000, wholeResults: 1_000_000)
  }
}

/// A service that gets routes while it runs.
package final class GrowingService: WebTransport {
  private let state = Mutex<(routes: [String: AnyRoute], service: RepositoryService?)>(([:], nil))
  private let store: any Store

  package init(store: any Store) { self.store = store }

  package func add<Element>(_ route: Route<Element>, named name: String) throws(RepositoryError) {
    let erased = AnyRoute(route)
    let routes = state.withLock { state in
      state.routes[name] = erased
      return Array(state.routes.values)
    }
    // What follows a route in tests is larger than what a server takes from strangers.
    var limits = ServiceLimits()
    (limits.queryBytes, limits.bodyBytes, limits.conditions) = (268_435_456, 268_435_456, .max)
    let service = try RepositoryService(limits: limits, transactionsIn: store) { routes }
    state.withLock { $0.service = service }
  }

  package func send(_ request: WebRequest) async throws -> WebResponse {
    guard let service = state.withLock(\.service) else { throw RepositoryError(.unreachable, "there is no server") }
    return await service.respond(to: request)
  }
}
