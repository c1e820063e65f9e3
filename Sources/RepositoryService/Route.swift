public import Query
public import Repository

/// What a repository shows to the web: under which name, which columns of it, and what may be done with them.
///
/// Nothing is shown that is not said here. A column that is not read does not exist for a client: it can't be read, filtered,
/// sorted by, grouped by or guessed, and a query that names it is refused as one that names any unknown key.
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

  /// Makes a route that shows nothing yet.
  ///
  /// - Parameters:
  ///   - name: the segment of the path, best of letters, digits, `-` and `_`.
  ///   - repository: where the elements are kept.
  public init(_ name: String, _ repository: some Repository<Element>) where Element: Entity {
    self.init(name, repository, schema: Element.schema)
  }

  /// Makes a route of elements whose schema is not known by their type.
  public init(_ name: String, _ repository: some Repository<Element>, schema: Schema<Element>) {
    (self.name, self.repository, self.schema) = (name, repository, schema)
  }

  /// Shows some columns: they may be read, and filtered and sorted by unless ``filtering(_:)`` and ``sorting(_:)`` say less.
  ///
  /// The primary key has to be among them, because it is the address of an element. What contradicts itself is told by the
  /// initializer of ``RepositoryService``, with the code `invalidSchema`.
  public func reading(_ columns: PartialKeyPath<Element>...) -> Route {
    changed { $0.readable += columns.map { path in schema.key(of: path) } }
  }

  /// Shows all columns that the schema has, later ones included.
  public func readingAll() -> Route {
    changed { $0.readable = $0.columnNames }
  }

  /// Lets conditions name some of the columns that are read alone.
  public func filtering(_ columns: PartialKeyPath<Element>...) -> Route {
    changed { $0.filterable = ($0.filterable ?? []) + columns.map { path in schema.key(of: path) } }
  }

  /// Lets orders name some of the columns that are read alone, and the primary key.
  public func sorting(_ columns: PartialKeyPath<Element>...) -> Route {
    changed { $0.sortable = ($0.sortable ?? []) + columns.map { path in schema.key(of: path) } }
  }

  /// Allows what is more than comparisons, orders and pages.
  public func allowing(_ capabilities: RouteCapabilities...) -> Route {
    changed { route in capabilities.forEach { route.capabilities.formUnion($0) } }
  }

  /// Allows writing some of the columns that are read. The primary key can always be given to a new element.
  ///
  /// A column that can't be written keeps its value, and has its default or null in a new element; without either there, new
  /// elements are refused.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - operations: by what they may be written.
  public func writing(_ columns: PartialKeyPath<Element>..., by operations: WriteOperations) -> Route {
    changed {
      $0.writable += columns.map { path in schema.key(of: path) }
      $0.writes.formUnion(operations)
    }
  }

  /// Allows writing all columns that the schema has, later ones included.
  public func writingAll(by operations: WriteOperations = .all) -> Route {
    changed {
      $0.writable = $0.columnNames
      $0.writes.formUnion(operations)
    }
  }

  /// Sets the size of a page, the greatest that may be asked for, and that of whole results. Sizes below 1 become 1.
  ///
  /// - Parameters:
  ///   - size: how many rows a page has unless the request says so.
  ///   - maximum: how many it has at most.
  ///   - rows: how many rows a whole result has at most; a request for more is refused with the code `tooBig`.
  public func pages(of size: Int, atMost maximum: Int, wholeResults rows: Int? = nil) -> Route {
    changed {
      // One row more is asked for, which tells whether there are more.
      func bounded(_ count: Int) -> Int { min(max(1, count), .max - 1) }
      ($0.pageSize, $0.maximumPageSize) = (bounded(min(size, maximum)), bounded(maximum))
      if let rows { $0.maximumRowCount = bounded(rows) }
    }
  }

  /// Asks a closure before each request.
  ///
  /// ```swift
  /// Route("note", notes).readingAll().authorizing { request in
  ///   guard let user = await users.user(of: request.headers["Authorization"]) else { throw RouteRefusal.unauthenticated() }
  ///   return .equal(key: "owner", value: user.id)
  /// }
  /// ```
  ///
  /// - Parameter decide: gives the condition that rows have to match to exist for this request, `.true` for all, and throws
  ///   ``RouteRefusal`` to refuse it. The condition may name columns that are not shown. Elements that are written have to
  ///   match it, too. Since paths would lead past it, no other route's relations lead to the rows of this one.
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

/// What a route allows beyond comparisons, orders and pages.
public struct RouteCapabilities: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// `contains`, `starts with`, `ends with` and `like`.
  public static let textSearch = RouteCapabilities(rawValue: 1)
  /// Expressions of several keys and values.
  public static let expressions = RouteCapabilities(rawValue: 2)
  /// Paths to rows of other routes' tables, and conditions on the rows that refer to a row.
  public static let relations = RouteCapabilities(rawValue: 4)
  /// Aggregates, of groups too.
  public static let aggregates = RouteCapabilities(rawValue: 8)
  /// Some columns alone, and what is computed of rows.
  public static let projections = RouteCapabilities(rawValue: 16)
  /// Whole results, without pages.
  public static let wholeResults = RouteCapabilities(rawValue: 32)
  /// Live results.
  public static let liveResults = RouteCapabilities(rawValue: 64)
  /// Everything there is.
  public static let all = RouteCapabilities(rawValue: 127)
}

/// By what a route lets its elements be written.
public struct WriteOperations: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a set of its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// New elements.
  public static let insert = WriteOperations(rawValue: 1)
  /// Elements that take the place of those with the same key.
  public static let save = WriteOperations(rawValue: 2)
  /// Columns of one element.
  public static let update = WriteOperations(rawValue: 4)
  /// One element.
  public static let delete = WriteOperations(rawValue: 8)
  /// Columns of all elements that match a query.
  public static let updateByQuery = WriteOperations(rawValue: 16)
  /// All elements that match a query, or that have some keys.
  public static let deleteByQuery = WriteOperations(rawValue: 32)
  /// Everything there is.
  public static let all = WriteOperations(rawValue: 63)
}

/// A request as the closure of a route sees it before it runs.
public struct RouteRequest: Sendable {
  /// The name of the route.
  public let route: String
  /// What is to be written; empty for a request that reads.
  public let writes: WriteOperations
  /// The header fields.
  public let headers: WebHeaders
}

/// A request that a route's closure refuses.
public struct RouteRefusal: Error {
  let error: RepositoryError
  let status: Int
  let headers: WebHeaders

  /// Refuses a request.
  ///
  /// - Parameters:
  ///   - error: the error that the client gets.
  ///   - status: the status; 403 by default.
  ///   - headers: header fields of the response.
  public init(_ error: RepositoryError, status: Int = 403, headers: WebHeaders = [:]) {
    (self.error, self.status, self.headers) = (error, status, headers)
  }

  /// The client has to say who it is: the status 401.
  ///
  /// - Parameter challenge: how it may do so, the field `WWW-Authenticate`.
  public static func unauthenticated(challenge: String = "Bearer") -> RouteRefusal {
    RouteRefusal(
      RepositoryError(
        .unauthenticated, "the server does not know who asks",
        suggestion: "sign in, and send the token with the request"),
      status: 401, headers: ["WWW-Authenticate": challenge])
  }

  /// The client may not do this: the status 403.
  public static func forbidden(_ summary: String = "this is not allowed") -> RouteRefusal {
    RouteRefusal(RepositoryError(.forbidden, summary))
  }
}

/// Puts routes of several types of elements together.
@resultBuilder
public enum RouteBuilder {
  /// Takes a route.
  public static func buildExpression<Element>(_ route: Route<Element>) -> [AnyRoute] { [AnyRoute(route)] }
  /// Takes routes that were made elsewhere.
  public static func buildExpression(_ routes: [AnyRoute]) -> [AnyRoute] { routes }
  /// Puts them together.
  public static func buildBlock(_ routes: [AnyRoute]...) -> [AnyRoute] { routes.flatMap(\.self) }
  /// Takes them where a condition holds.
  public static func buildOptional(_ routes: [AnyRoute]?) -> [AnyRoute] { routes ?? [] }
}

/// A route of any type of elements.
public struct AnyRoute: Sendable {
  let handler: @Sendable () throws(RepositoryError) -> RouteHandler

  /// Takes a route.
  public init<Element>(_ route: Route<Element>) {
    handler = { () throws(RepositoryError) in try RouteHandler(route) }
  }
}
