#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
import Query
import Repository

/// A route that was checked: its rows, and the tables as clients see them.
struct RouteHandler: Sendable {
  let name: String
  let rows: any RouteRows
  /// The table as the repository has it.
  let table: TableSchema
  /// The table as clients see it: only with the visible columns.
  private(set) var visible: TableSchema
  /// The format of the rows of ``visible``.
  let visibleFormat: RowFormat
  /// The columns of ``visible``, as projected columns.
  let visibleColumns: [ProjectedColumn]
  /// The position in ``table`` of each column of ``visible``.
  let positions: [Int]
  let filterable: [String]?
  let sortable: [String]?
  /// The names of the columns that may be set.
  let writable: [String]
  /// The format of a body: the columns that may be set, and the primary key; fields of other visible columns are ignored.
  let bodyFormat: RowFormat
  /// The position in ``table`` of each column of ``bodyFormat``.
  let bodyPositions: [Int]
  /// The columns that the server writes, by their positions in ``table``.
  let fillings: [(position: Int, filling: Filling)]
  /// The row of a new element of which nothing is sent.
  let defaults: [Value]
  let writes: WriteOperations
  let capabilities: RouteCapabilities
  let (pageSize, maximumPageSize, maximumRowCount): (Int, Int, Int)
  let authorize: (@Sendable (RouteRequest) async throws -> AnyQuery)?
  /// The names of routes, which clients see in place of those of tables.
  private(set) var names = RouteNames()
  /// The tables to which relations lead, as clients see them, by the names of their routes.
  private(set) var related: [Name: TableSchema] = [:]
  /// The names in lowercase that must not be in an error for a client: of hidden columns.
  private(set) var hiddenColumns: [String] = []

  init<Element>(_ route: Route<Element>) throws(RepositoryError) {
    func invalid(_ reason: String, _ suggestion: String? = nil) -> RepositoryError {
      RepositoryError(.invalidSchema, "the route \(route.name) is not valid", reason: reason, suggestion: suggestion)
    }
    let table = try route.schema.table()
    func positions(_ names: [String]) throws(RepositoryError) -> [Int] {
      var found: Set<Int> = []
      for name in names {
        guard let position = table.columns.firstIndex(named: name) else {
          throw invalid("the route names \(name), which is not a column")
        }
        found.insert(position)
      }
      return found.sorted()
    }
    let hasControls = route.name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    if ["", ".", ".."].contains(route.name) || route.name.contains("/") || hasControls {
      throw invalid("the name of the route can't be a part of a URL")
    }
    if Verb.allCases.contains(where: { route.name.hasSuffix(":\($0.rawValue)") }) {
      throw invalid("the name of the route ends like the URL of a request")
    }
    let filled = try positions(route.fillings.map(\.key))
    if filled.count < route.fillings.count { throw invalid("the server fills a column twice") }
    for position in filled where table.primaryKey.contains(position) {
      throw invalid(
        "the server fills \(table.columns[position].name), a part of the key", "let clients write the column")
    }
    let others = table.columns.indices.filter { !filled.contains($0) }
    let read = try Set(positions(route.readable)).union(route.readsAll ? others : []).sorted()
    let named = try positions(route.writable)
    for position in named where filled.contains(position) {
      throw invalid(
        "\(table.columns[position].name) is writable, but filled by the server",
        "remove the column from .writing(…) or from .filling(…)")
    }
    let written = Set(named).union(route.writesAll ? others : []).sorted()
    if read.isEmpty { throw invalid("the route has no readable column", "name the columns with .reading(…)") }
    for key in table.primaryKey where !read.contains(key) {
      throw invalid(
        "the elements have the key \(table.columns[key].name), which is not readable", "make the column readable too")
    }
    for position in written where !read.contains(position) {
      throw invalid("\(table.columns[position].name) is writable but not readable", "make the column readable too")
    }
    let shown = Set(read)
    for name in (route.filterable ?? []) + (route.sortable ?? []) where !shown.isSuperset(of: try positions([name])) {
      throw invalid("\(name) is used by a filter or a sort but is not readable", "make the column readable too")
    }
    let body = Set(written).union(table.primaryKey).sorted()
    if route.writes.contains(.insert) {
      for (position, column) in table.columns.enumerated() where !body.contains(position) && !filled.contains(position)
      {
        if column.isNullable || column.defaultValue != nil || route.schema.timestampKeys.contains(column.name) {
          continue
        }
        throw invalid(
          "\(column.name) is not writable, but a new element needs the column",
          "make the column writable, or add a default")
      }
    }
    name = route.name
    self.table = table
    self.positions = read
    visible = try table.showing(read, named: route.name)
    visibleFormat = RowFormat(visible.columns)
    visibleColumns = visible.columns.map { .key($0.name) }
    rows = ElementRows(repository: route.repository, schema: route.schema, table: table)
    (filterable, sortable) = (route.filterable, route.sortable)
    writable = written.map { table.columns[$0].name }
    bodyFormat = RowFormat(
      body.map { table.columns[$0] },
      ignoring: read.filter { !body.contains($0) }.map { table.columns[$0].name })
    bodyPositions = body
    fillings = route.fillings.compactMap { filling in
      table.columns.firstIndex(named: filling.key).map { ($0, filling) }
    }
    let changes = route.schema.changeTimestampKeys
    defaults = table.columns.map { column in
      if let value = column.defaultValue { return value }
      // A property that is not optional needs a time, which the store replaces.
      if !changes.contains(column.name) || column.isNullable { return .null }
      return (try? Date(timeIntervalSince1970: 0).makeValue()) ?? .null
    }
    (writes, capabilities, authorize) = (route.writes, route.capabilities, route.authorize)
    (pageSize, maximumPageSize) = (route.pageSize, route.maximumPageSize)
    maximumRowCount = route.maximumRowCount
  }

  /// Whether clients and the server together write all columns of an element.
  var writesWholeRows: Bool { bodyPositions.count + fillings.count == table.columns.count }

  /// Whether clients see all columns.
  var showsAll: Bool { positions.count == table.columns.count }

  /// Lets relations lead to the tables of other routes, except for those with a closure, whose conditions they would bypass.
  ///
  /// A table of several routes has the columns that are visible in all of them.
  mutating func relate(to others: [RouteHandler]) throws(RepositoryError) {
    var shown: [Name: (table: TableSchema, positions: Set<Int>, routes: [String])] = [:]
    for other in others {
      let positions = other.authorize == nil ? Set(other.positions) : []
      let known = shown[Name(other.table.name)]
      // Relations lead from a table back to the route itself, of several with this table.
      let routes = other.name == name ? [name] + (known?.routes ?? []) : (known?.routes ?? []) + [other.name]
      shown[Name(other.table.name)] = (other.table, known?.positions.intersection(positions) ?? positions, routes)
    }
    shown = shown.filter { !$0.value.positions.isEmpty && $0.value.positions.isSuperset(of: $0.value.table.primaryKey) }
    names = RouteNames(shown.values.map { ($0.table.name, $0.routes) })
    names.add(table.name, shownAs: name)
    related = [:]
    for target in shown.values {
      related[Name(target.routes[0])] = try target.table.showing(
        target.positions.sorted(), named: target.routes[0], leadingTo: names)
    }
    visible = try table.showing(positions, named: name, leadingTo: names)
    names.hide(
      [table.name] + table.references.map(\.table), besides: positions.map { table.columns[$0].name })
    hiddenColumns = table.columns.indices.filter { !positions.contains($0) }.map { table.columns[$0].name.lowercased() }
  }

  /// The lookup of the tables to which relations lead.
  var lookup: TableLookup { { [related] name in related[Name(name)] } }
}

extension TableSchema {
  /// Returns the table of a route with some of its columns, and with the constraints that name no others.
  ///
  /// - Parameter names: the names of the routes to which its references may lead.
  fileprivate func showing(
    _ positions: [Int], named route: String, leadingTo names: RouteNames = RouteNames()
  ) throws(RepositoryError) -> TableSchema {
    let shown = Set(positions)
    let columnNames = positions.map { columns[$0].name }
    let references = references.compactMap { reference in
      names.target(of: reference).map { route in reference.renamingTable { _ in route } }
    }
    return try RepositoryError.translating { () throws(QueryError) in
      try TableSchema(
        route, columns: positions.map { columns[$0] }, primaryKey: primaryKeyColumns.map(\.name),
        unique: uniqueSets.filter(shown.isSuperset).map { set in set.map { columns[$0].name } },
        partialUnique: partialUnique.filter { rule in
          columns.indices.allSatisfy { shown.contains($0) || !rule.depends(on: columns[$0].name) }
        },
        references: references.filter { $0.columns.allSatisfy(columnNames.contains(named:)) })
    }
  }
}
