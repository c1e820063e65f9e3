import Query
import Repository

/// The names of a route's requests and answers, in which the name of a route stands for that of its table: outside of the
/// server there are no tables.
struct RouteNames {
  /// The route to which a reference leads, by the name of its table.
  private var targets: [Name: String] = [:]
  /// The first route with the same table, by the name of a route to which relations lead.
  private var firstRoutes: [Name: String] = [:]
  /// The table, by the name of its first route.
  private var tables: [Name: String] = [:]
  /// The names of tables in messages, with those that replace them.
  private var texts: [(table: [UInt8], route: [UInt8])] = []
  /// The names in lowercase of tables that no message may contain.
  private var hidden: [(name: [UInt8], isAlsoColumn: Bool)] = []

  init() {}

  /// - Parameter related: the tables to which relations lead, each with the names of its routes.
  init(_ related: [(table: String, routes: [String])]) {
    for (table, routes) in related {
      targets[Name(table)] = routes[0]
      tables[Name(routes[0])] = table
      for route in routes { firstRoutes[Name(route)] = routes[0] }
      add(table, shownAs: routes[0])
    }
  }

  /// Adds a table that messages name.
  mutating func add(_ table: String, shownAs route: String) {
    texts.removeAll { $0.table == Array(table.utf8) }
    texts.append((Array(table.utf8), Array(route.utf8)))
    // Of two names the longer one, where it begins with the other.
    texts.sort { $0.table.count > $1.table.count }
  }

  /// Adds tables that no message may name, unless a route to which relations lead has the same name.
  ///
  /// - Parameter columns: the columns that messages may name.
  mutating func hide(_ names: [String], besides columns: [String]) {
    hidden = Set(names.map { Name($0).folded }).filter { name in
      !texts.contains { Name(String(decoding: $0.route, as: UTF8.self)).folded == name }
    }.map { name in (name, columns.contains { Name($0).folded == name }) }
  }

  /// Returns the route to which a reference leads; `nil` if no relation leads to its table.
  func target(of reference: ReferenceRule) -> String? {
    // If the database is case-insensitive, a reference may spell the name in another case.
    targets[Name(reference.table)] ?? targets.first { $0.key.equalsFolded(reference.table) }?.value
  }

  /// Returns the first route with the same table as another.
  func firstRoute(of route: String) -> String { firstRoutes[Name(route)] ?? route }

  /// Returns the table of a route to which relations lead; no table has the empty name of any other route.
  func table(of route: String) -> String { tables[Name(route)] ?? "" }
}

// Messages.
extension RouteNames {
  /// The words that messages write before the name of a table, and not before that of a column which is also one of a table.
  private static let prepositions = ["of ", "in ", "to ", "from ", "beside ", "any "].map { Array($0.utf8) }

  /// Returns a message of the repository with the names of routes.
  func shown(_ message: String) -> String {
    if texts.allSatisfy({ $0.table == $0.route }) { return message }
    let message = Array(message.utf8)
    var shown: [UInt8] = []
    var rest = message[...]
    while !rest.isEmpty {
      if Self.isBoundary(message, before: rest.startIndex),
        let word = Self.prepositions.first(where: rest.starts(with:)),
        let name = texts.first(where: { text in
          rest.dropFirst(word.count).starts(with: text.table)
            && Self.isBoundary(message, after: rest.startIndex + word.count + text.table.count)
        })
      {
        shown += word + name.route
        rest = rest.dropFirst(word.count + name.table.count)
      } else {
        shown.append(rest.removeFirst())
      }
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns whether a message, in lowercase, contains the name of a hidden table as a word.
  func isHiddenNamed(in message: String) -> Bool {
    let message = Array(message.utf8)
    return hidden.contains { name, isAlsoColumn in
      message.indices.contains { start in
        message[start...].starts(with: name) && Self.isBoundary(message, before: start)
          && Self.isBoundary(message, after: start + name.count)
          && (!isAlsoColumn || Self.prepositions.contains { message[..<start].suffix($0.count) == $0[...] })
      }
    }
  }

  private static func isBoundary(_ message: [UInt8], before index: Int) -> Bool {
    index == 0 || !isPartOfWord(message[index - 1])
  }

  private static func isBoundary(_ message: [UInt8], after index: Int) -> Bool {
    index >= message.count || !isPartOfWord(message[index])
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

// A client's requests, whose names are those of routes.
extension RouteHandler {
  /// Returns the name by which the tables that clients see know a route: of several with one table, the first.
  func known(_ route: String) -> String { names.firstRoute(of: route) }

  /// Returns a checked query as one of the repository.
  func stored(_ query: AnyQuery) -> AnyQuery { query.renamingTables(names.table) }

  /// Returns a checked request as one of the repository.
  func stored(_ request: FetchRequest) -> FetchRequest {
    request.movingCursors(from: visible, to: table).renamingTables(names.table)
  }

  /// Returns a checked projection as one of the repository.
  func stored(_ request: ProjectionRequest) -> ProjectionRequest {
    var request = request
    request.rows = request.rows.movingCursors(from: visible, to: table)
    return request.renamingTables(names.table)
  }

  /// Returns a checked request for aggregates as one of the repository.
  func stored(_ request: AggregateRequest) -> AggregateRequest { request.renamingTables(names.table) }

  /// Returns checked assignments as ones of the repository.
  func stored(_ assignments: [Assignment]) -> [Assignment] { assignments.map { $0.renamingTables(names.table) } }
}
