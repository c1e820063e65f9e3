public import Query
public import Repository

/// A route: the name of a repository on the web, its visible columns, and the allowed operations on them.
///
/// Nothing is visible that is not declared here. A hidden column does not exist for a client: it can't be read, filtered,
/// sorted by, grouped by or guessed, and a query that names it is refused like one with any unknown key.
///
/// ```swift
/// Route("pokemon", pokedex)
///   .reading(\.id, \.name, \.type, \.weight)
///   .allowing(.textSearch, .aggregates)
///   .writing(\.name, \.weight, by: [.insert, .update])
/// ```
public struct Route<Element: Storable>: Sendable {
  let name: String
  let repository: any Repository<Element>
  let schema: Schema<Element>
  var readable: [String] = []
  var readsAll = false
  var filterable: [String]?
  var sortable: [String]?
  var writable: [String] = []
  var writesAll = false
  var writes: WriteOperations = []
  var capabilities: RouteCapabilities = []
  var pageSize = 50
  var maximumPageSize = 500
  var maximumRowCount = 100_000
  var fillings: [Filling] = []
  var authorize: (@Sendable (RouteRequest) async throws -> AnyQuery)?

  /// Makes a route without visible columns.
  ///
  /// - Parameters:
  ///   - name: the segment of the path, preferably of letters, digits, `-` and `_`.
  ///   - repository: the repository of the elements.
  public init(_ name: String, _ repository: some Repository<Element>) where Element: Entity {
    self.init(name, repository, schema: Element.schema)
  }

  /// Makes a route of elements with an explicit schema.
  public init(_ name: String, _ repository: some Repository<Element>, schema: Schema<Element>) {
    (self.name, self.repository, self.schema) = (name, repository, schema)
  }

  /// Returns a route with some visible columns: they may be read, and filtered and sorted by unless ``filtering(_:)`` and
  /// ``sorting(_:)`` restrict it.
  ///
  /// The primary key has to be among them, because it is the address of an element. Contradictions are reported by the
  /// initializer of ``RepositoryService``, with the code `invalidSchema`.
  public func reading(_ columns: PartialKeyPath<Element>...) -> Route {
    changed { $0.readable += columns.map { path in schema.key(of: path) } }
  }

  /// Returns a route with all columns of the schema visible, including later ones, except for those that
  /// ``filling(_:with:)`` names.
  public func readingAll() -> Route {
    changed { $0.readsAll = true }
  }

  /// Returns a route whose conditions may only name some of the visible columns.
  public func filtering(_ columns: PartialKeyPath<Element>...) -> Route {
    changed { $0.filterable = ($0.filterable ?? []) + columns.map { path in schema.key(of: path) } }
  }

  /// Returns a route whose orders may only name some of the visible columns, and the primary key. Groups that are asked for in no
  /// order come in that of their keys, whichever these are.
  public func sorting(_ columns: PartialKeyPath<Element>...) -> Route {
    changed { $0.sortable = ($0.sortable ?? []) + columns.map { path in schema.key(of: path) } }
  }

  /// Returns a route that allows more than comparisons, orders and pages.
  public func allowing(_ capabilities: RouteCapabilities...) -> Route {
    changed { route in capabilities.forEach { route.capabilities.formUnion($0) } }
  }

  /// Returns a route on which some of the visible columns may be written. The primary key can always be set in a new element.
  ///
  /// A column that can't be written is ignored in an element that a client sends, so that clients need not know of it: a new
  /// element has the server's value, which is the default, the time of a timestamp, or null, and a saved element keeps the
  /// stored value. A request that sets the column itself, by a query or in a part of an element, is refused. A route with a
  /// column that can't be written and has no such value is not valid if it allows inserts.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - operations: the allowed operations that write.
  public func writing(_ columns: PartialKeyPath<Element>..., by operations: WriteOperations) -> Route {
    changed {
      $0.writable += columns.map { path in schema.key(of: path) }
      $0.writes.formUnion(operations)
    }
  }

  /// Returns a route on which all columns of the schema may be written, including later ones, except for those that
  /// ``filling(_:with:)`` names.
  public func writingAll(by operations: WriteOperations = .all) -> Route {
    changed {
      $0.writesAll = true
      $0.writes.formUnion(operations)
    }
  }

  /// Returns a route with another page size, maximum page size, and maximum size of whole results. Sizes below 1 become 1.
  ///
  /// - Parameters:
  ///   - size: the number of rows of a page by default.
  ///   - maximum: the maximum number of rows of a page.
  ///   - rows: the maximum number of rows of a whole result; a request for more is refused with the code `tooBig`.
  public func pages(of size: Int, atMost maximum: Int, wholeResults rows: Int? = nil) -> Route {
    changed {
      // One row more is asked for, which tells whether there are more.
      func bounded(_ count: Int) -> Int { min(max(1, count), .max - 1) }
      ($0.pageSize, $0.maximumPageSize) = (bounded(min(size, maximum)), bounded(maximum))
      if let rows { $0.maximumRowCount = bounded(rows) }
    }
  }

  /// Returns a route on which the server writes a column: each element that is inserted or saved has a value that is computed
  /// from the request, such as the tenant of the client's identity.
  ///
  /// ```swift
  /// Route("ticket", tickets).reading(\.id, \.title).writing(\.title, by: .all)
  ///   .filling(\.tenant) { request in try request.identity(as: User.self).tenant }
  ///   .authorizing { request, ticket in ticket.tenant == (try request.identity(as: User.self).tenant) }
  /// ```
  ///
  /// Clients can't write the column, and don't see the column unless ``reading(_:)`` names it. An update leaves the value as it
  /// is. The closure restricts nothing: `authorizing` does. Without it, a request finds the elements of
  /// all tenants, and saving one of them changes its tenant.
  ///
  /// - Parameters:
  ///   - column: the column, which is no part of the primary key.
  ///   - value: returns the value, or throws ``RouteRefusal`` to refuse the request.
  public func filling<Property>(
    _ column: any KeyPath<Element, Property> & Sendable,
    with value: @escaping @Sendable (RouteRequest) async throws -> Property
  ) -> Route {
    changed {
      $0.fillings.append(
        Filling(key: schema.key(of: column)) { [schema] request in
          schema.assignment(of: try await value(request), to: column)
        })
    }
  }

  /// Returns a route that calls a closure before each request.
  ///
  /// ```swift
  /// Route("note", notes).readingAll().authorizing { request in
  ///   guard let user = await users.user(of: request.headers["Authorization"]) else { throw RouteRefusal.unauthenticated() }
  ///   return .equal(key: "owner", value: user.id)
  /// }
  /// ```
  ///
  /// - Parameter decide: returns the condition that rows have to match to exist for this request, `.true` for all, and
  ///   throws ``RouteRefusal`` to refuse it. The condition may name hidden columns, and follow relations to other tables of the
  ///   store. Elements that are written have to match it, too. Since paths would bypass it, no other route's relations lead to
  ///   the rows of this one.
  public func authorizing(_ decide: @escaping @Sendable (RouteRequest) async throws -> AnyQuery) -> Route {
    changed { $0.authorize = decide }
  }

  /// Returns a route that calls a closure before each request, as the other `authorizing` does, with the fields of an element for its
  /// condition.
  ///
  /// ```swift
  /// Route("comment", comments).readingAll().authorizing { request, comment in
  ///   comment.ticket.tenant == (try request.identity(as: User.self).tenant)
  /// }
  /// ```
  public func authorizing(
    _ decide: @escaping @Sendable (RouteRequest, Fields<Element>) async throws -> AnyQuery
  ) -> Route {
    changed { $0.authorize = { [schema] request in try await decide(request, Fields(schema)) } }
  }

  private func changed(_ change: (inout Route) -> Void) -> Route {
    var route = self
    change(&route)
    return route
  }
}

/// A column that the server writes.
struct Filling: Sendable {
  let key: String
  /// Returns the assignment of the column's value in the elements that a request writes.
  let assignment: @Sendable (RouteRequest) async throws -> Assignment

  init(key: String, _ assignment: @escaping @Sendable (RouteRequest) async throws -> Assignment) {
    (self.key, self.assignment) = (key, assignment)
  }
}

/// A result builder that combines routes of several types of elements.
@resultBuilder
public enum RouteBuilder {
  /// Converts a route to a list.
  public static func buildExpression<Element>(_ route: Route<Element>) -> [AnyRoute] { [AnyRoute(route)] }
  /// Returns routes that were made elsewhere.
  public static func buildExpression(_ routes: [AnyRoute]) -> [AnyRoute] { routes }
  /// Combines lists of routes.
  public static func buildBlock(_ routes: [AnyRoute]...) -> [AnyRoute] { routes.flatMap(\.self) }
  /// Returns the routes if a condition is true, otherwise none.
  public static func buildOptional(_ routes: [AnyRoute]?) -> [AnyRoute] { routes ?? [] }
}

/// A route of any type of elements.
public struct AnyRoute: Sendable {
  let handler: @Sendable () throws(RepositoryError) -> RouteHandler

  /// Makes a type-erased route.
  public init<Element>(_ route: Route<Element>) {
    handler = { () throws(RepositoryError) in try RouteHandler(route) }
  }
}
