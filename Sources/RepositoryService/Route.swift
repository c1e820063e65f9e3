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
  var filterable: [String]?
  var sortable: [String]?
  var writable: [String] = []
  var writes: WriteOperations = []
  var capabilities: RouteCapabilities = []
  var pageSize = 50
  var maximumPageSize = 500
  var maximumRowCount = 100_000
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

  /// Returns a route with all columns of the schema visible, including later ones.
  public func readingAll() -> Route {
    changed { $0.readable = $0.columnNames }
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

  /// Returns a route on which all columns of the schema may be written, including later ones.
  public func writingAll(by operations: WriteOperations = .all) -> Route {
    changed {
      $0.writable = $0.columnNames
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
  ///   throws ``RouteRefusal`` to refuse it. The condition may name hidden columns. Elements that are written have to match
  ///   it, too. Since paths would bypass it, no other route's relations lead to the rows of this one.
  public func authorizing(_ decide: @escaping @Sendable (RouteRequest) async throws -> AnyQuery) -> Route {
    changed { $0.authorize = decide }
  }

  private var columnNames: [String] { (try? schema.table())?.columns.map(\.name) ?? [] }

  private func changed(_ change: (inout Route) -> Void) -> Route {
    var route = self
    change(&route)
    return route
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
