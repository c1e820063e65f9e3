public import Query

/// How a model type's values are kept: the table, its columns, and the way from a value to a row and back.
///
/// A schema is a value: ``Entity/schema`` is only the default, and a table of any database can be opened with the schema
/// that was read from it, see ``Record``.
public struct Schema<Element: Storable>: Sendable {
  /// What the table looks like, or why it can't be: a static property can't throw, so opening a repository does.
  private let checkedTable: Result<TableSchema, QueryError>
  private let decode: @Sendable (any Row) throws(ColumnFault) -> Element
  private let encode: @Sendable (Element) throws(ColumnFault) -> [Value]
  private let keys: [(path: any AnyKeyPath & Sendable, key: String)]
  private let firstUse = FirstUseCheck()

  @usableFromInline
  init(
    table: Result<TableSchema, QueryError>, keys: [(path: any AnyKeyPath & Sendable, key: String)] = [],
    decode: @escaping @Sendable (any Row) throws(ColumnFault) -> Element,
    encode: @escaping @Sendable (Element) throws(ColumnFault) -> [Value]
  ) {
    checkedTable = table
    self.keys = keys
    self.decode = decode
    self.encode = encode
  }

  /// What the table looks like.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidSchema`` where the schema contradicts
  ///   itself: a name that stands twice, no primary key, or one that may be null.
  public func table() throws(RepositoryError) -> TableSchema {
    do {
      return try checkedTable.get()
    } catch {
      throw RepositoryError(error)
    }
  }

  /// The key under which queries find a property; for a property that has no column, a key that no table has, so that
  /// asking for it is an error that names the property.
  func key(of path: AnyKeyPath) -> String {
    keys.first { $0.path == path }?.key ?? "\(path)"
  }
}

extension Schema {
  /// Reads an element from a row of the table.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/unreadableRow``, which names table, row and
  ///   column, where a value does not fit its property.
  public func element(from row: some Row, in table: TableSchema) throws(RepositoryError) -> Element {
    let element: Element
    do throws(ColumnFault) {
      element = try decode(row)
    } catch {
      throw .unreadableRow(error, key: row.values(at: table.primaryKey), in: table)
    }
    if firstUse.isPending, let stored = row.values(at: Array(table.columns.indices)),
      let again = try? encode(element),
      let error = firstUse.problem(table, id: element.id, written: stored, readAs: again)
    {
      throw error
    }
    return element
  }

  /// Makes the row that keeps an element.
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
    return row
  }
}
