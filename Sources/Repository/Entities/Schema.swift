public import Query
import Synchronization

/// How a model type's values are kept: the table, its columns, and the way from a value to a row and back.
///
/// A schema is a value: ``Entity/schema`` is only the default, and a table of any database can be opened with the schema
/// that was read from it, see ``Record``.
public struct Schema<Element: Storable>: Sendable {
  @usableFromInline
  typealias Key = (path: any AnyKeyPath & Sendable, key: String, column: any Sendable)

  /// What the table looks like but for its references, or why it can't be: a static property can't throw, so opening a
  /// repository does.
  private(set) var unreferencedTable: Result<TableSchema, QueryError>
  /// What refers to other elements, by which columns.
  private(set) var references: [(columns: [String], declaration: ReferenceDeclaration)]
  private let decode: @Sendable (any Row) throws(ColumnFault) -> Element
  private let encode: @Sendable (Element) throws(ColumnFault) -> [Value]
  private let keys: [Key]
  private let firstUse = FirstUseCheck()
  /// The table with its references, once it was asked for.
  private var resolvedTable = ResolvedTable()

  @usableFromInline
  init(
    table: Result<TableSchema, QueryError>, keys: [Key] = [],
    references: [(columns: [String], declaration: ReferenceDeclaration)] = [],
    decode: @escaping @Sendable (any Row) throws(ColumnFault) -> Element,
    encode: @escaping @Sendable (Element) throws(ColumnFault) -> [Value]
  ) {
    unreferencedTable = table
    self.keys = keys
    self.references = references
    self.decode = decode
    self.encode = encode
  }

  /// What the table looks like.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidSchema`` where the schema contradicts
  ///   itself: a name that stands twice, no primary key, one that may be null, or a rule that can't be kept.
  public func table() throws(RepositoryError) -> TableSchema {
    if let table = resolvedTable.value { return table }
    do throws(QueryError) {
      var table = try unreferencedTable.get()
      var rules: [ReferenceRule] = []
      for (columns, declaration) in references { rules.append(try rule(columns, declaration)) }
      if !rules.isEmpty { table = try table.adding(references: rules) }
      resolvedTable.value = table
      return table
    } catch {
      throw RepositoryError(error)
    }
  }

  /// The key under which queries find a property; for a property that has no column, a key that no table has, so that
  /// asking for it is an error that names the property.
  func key(of path: AnyKeyPath) -> String {
    keys.first { $0.path == path }?.key ?? "\(path)"
  }

  /// The assignment of a value to a property's column, in the form in which the column keeps it.
  func assignment<Property>(of property: Property, to path: KeyPath<Element, Property>) -> Assignment {
    let erased: AnyKeyPath = path
    guard let entry = keys.first(where: { $0.path == erased }), let column = entry.column as? Column<Element, Property>
    else { return Assignment(key(of: path), Value.null) }
    do throws(ValueError) {
      return Assignment(entry.key, try column.write(property))
    } catch {
      return Assignment(entry.key, failing: error)
    }
  }

  func changingTable(_ change: (TableSchema) throws(QueryError) -> TableSchema) -> Schema {
    var copy = self
    copy.resolvedTable = ResolvedTable()
    copy.unreferencedTable = unreferencedTable.flatMap { table in
      Result { () throws(QueryError) in try change(table) }
    }
    return copy
  }

  func changingReferences(by columns: [String], _ declaration: ReferenceDeclaration) -> Schema {
    var copy = self
    copy.resolvedTable = ResolvedTable()
    copy.references.append((columns, declaration))
    return copy
  }
}

/// A table that is worked out once.
private final class ResolvedTable: Sendable {
  private let table = Mutex<TableSchema?>(nil)

  var value: TableSchema? {
    get { table.withLock(\.self) }
    set { table.withLock { $0 = newValue } }
  }
}

extension Schema {
  /// Reads an element from a row of the table.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - table: the table.
  ///   - place: the row's place in the result, counted from 1. An error names the row by it where the key is no number,
  ///     since it must not tell any other value.
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unreadableRow``, which names table, row and
  ///   column, where a value does not fit its property.
  public func element(
    from row: some Row, in table: TableSchema, at place: Int? = nil
  ) throws(RepositoryError) -> Element {
    let element: Element
    do throws(ColumnFault) {
      element = try decode(row)
    } catch {
      throw .unreadableRow(error, key: row.values(at: table.primaryKey), at: place, in: table)
    }
    if firstUse.isPending, let stored = row.values(at: Array(table.columns.indices)),
      let again = try? encode(element),
      let error = firstUse.problem(table, id: element.id, written: stored, readAs: again)
    {
      throw error
    }
    return element
  }

  /// Makes the row that keeps an element, each value in the form in which its column keeps it. The key that a store is to
  /// generate is null.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidValue`` where a property can't be stored.
  public func row(from element: Element, in table: TableSchema) throws(RepositoryError) -> [Value] {
    let (row, again): ([Value], [Value]?)
    do throws(ColumnFault) {
      row = try encode(element)
      again = firstUse.isPending ? try encode(try decode(row)) : nil
    } catch {
      throw .unstorable(error, in: table)
    }
    if let again, let error = firstUse.problem(table, id: element.id, written: row, readAs: again) { throw error }
    return try table.stored(row)
  }
}

extension TableSchema {
  /// A row as the table keeps it: a type may make other values than its column holds, which no store may take.
  fileprivate func stored(_ row: [Value]) throws(RepositoryError) -> [Value] {
    if zip(columns, row).allSatisfy({ $0.isKept($1) }) { return row }
    var stored: [Value] = []
    stored.reserveCapacity(row.count)
    for (column, value) in zip(columns, row) {
      do throws(QueryError) {
        stored.append(try column.stored(value))
      } catch {
        throw .unstorable(
          ColumnFault(column: column.name, error: ValueError(error.summary, suggestion: error.suggestion)), in: self)
      }
    }
    return stored
  }
}
