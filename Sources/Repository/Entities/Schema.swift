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
  private let keys: [Key]
  /// The way of elements from rows and into them. It also tells schemas apart: whatever has the same one makes the same
  /// elements of the same rows.
  package let coder: RowCoder<Element>
  /// The table with its references, once it was asked for.
  private var resolvedTable = ResolvedTable()

  @usableFromInline
  init(
    table: Result<TableSchema, QueryError>, keys: [Key] = [],
    references: [(columns: [String], declaration: ReferenceDeclaration)] = [],
    coding: RowCoding<Element>
  ) {
    unreferencedTable = table
    self.keys = keys
    self.references = references
    coder = RowCoder(coding)
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
    from row: any Row, in table: TableSchema, at place: Int? = nil
  ) throws(RepositoryError) -> Element {
    try coder.element(from: row, in: table, at: place)
  }

  /// Reads an element from the values of a row of the table.
  ///
  /// - Throws: as ``element(from:in:at:)-(Row,_,_)`` does.
  public func element(
    from values: [Value], in table: TableSchema, at place: Int? = nil
  ) throws(RepositoryError) -> Element {
    try coder.element(from: ValueRow(values), in: table, at: place)
  }

  /// Makes the row that keeps an element, each value in the form in which its column keeps it. The key that a store is to
  /// generate is null.
  ///
  /// - Throws: ``RepositoryError`` with the code ``RepositoryError/Code/invalidValue`` where a property can't be stored.
  public func row(from element: Element, in table: TableSchema) throws(RepositoryError) -> [Value] {
    try coder.row(from: element, in: table)
  }
}
