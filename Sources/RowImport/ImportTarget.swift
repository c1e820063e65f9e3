import Query
import SQLStore

/// A table to which records are written: its columns, and the treatment of columns that a record does not name.
struct ImportTarget {
  /// A column of the table.
  struct Column {
    let schema: ColumnSchema
    let conversion: FieldConversion
    /// Whether the database computes the column, so that its field in an input is ignored.
    let isComputed: Bool
    /// Whether each record has to name the column.
    let isRequired: Bool
    /// Whether the column has its default in a new row, and keeps its value in an existing one, if a record does not name it.
    /// A column that is neither required nor optional is then null.
    let isOptional: Bool
    /// Whether a record has to name the column in order to add a row, but not in order to change an existing one.
    let isKept: Bool
  }

  /// The maximum number of columns that a message lists.
  private static let listedColumns = 32

  let table: TableSchema
  let columns: [Column]
  /// The positions of the columns by which a record replaces a row; `nil` if each record adds a row.
  let key: [Int]?
  /// Whether an option would make the table accept values that it does not accept as it is.
  let canWiden: Bool

  /// Creates a target for a whole table.
  ///
  /// - Parameters:
  ///   - table: the table with all of its columns.
  ///   - computed: the columns that the database computes.
  ///   - defaulted: the names, as texts, of the columns that get a value when an insert omits them.
  ///   - key: the positions of the columns by which a record replaces a row; `nil` if each record adds a row.
  ///   - canWiden: whether an option would make the table accept values that it does not accept as it is.
  init(
    _ table: TableSchema, computed: [String] = [], defaulted: Set<Value> = [], key: [Int]? = nil, canWiden: Bool = false
  ) {
    (self.table, self.key, self.canWiden) = (table, key, canWiden)
    let computed = Set(computed.map(Name.init))
    columns = table.columns.enumerated().map { position, column in
      let isComputed = computed.contains(Name(column.name))
      let hasDefault = column.isGenerated || defaulted.contains(.text(column.name))
      // A record that replaces a row has to name the key, but not the other columns.
      let isMissed = !column.isNullable && !hasDefault
      let isRequired = key.map { $0.contains(position) } ?? isMissed
      return Column(
        schema: column, conversion: FieldConversion(column), isComputed: isComputed,
        isRequired: isRequired && !isComputed,
        isOptional: !isRequired && !isComputed && (key != nil || hasDefault),
        isKept: isMissed && !isRequired && !isComputed)
    }
  }

  /// Returns the target restricted to the columns that are written.
  func table(ofColumns positions: [Int]) throws(QueryError) -> TableSchema {
    if positions.count == columns.count { return table }
    let isKeyWritten = Set(positions).isSuperset(of: table.primaryKey)
    return try TableSchema(
      table.name, columns: positions.map { columns[$0].schema },
      primaryKey: isKeyWritten ? table.primaryKeyColumns.map(\.name) : [])
  }

  /// Finds the columns of an input: for each column of the table, the position of its name.
  ///
  /// - Parameters:
  ///   - names: the names of the input's columns, or those of the table where each record has names of its own.
  ///   - file: the name that messages use for the input.
  /// - Throws: ``ImportError`` if the table lacks a column of the input, or the input lacks a required column.
  func fields(ofColumns names: [String], in file: String) throws(ImportError) -> [Int?] {
    let positions = Dictionary(table.columns.enumerated().map { (Name($1.name), $0) }) { first, _ in first }
    let found = names.map { positions[Name($0)] }
    if !names.isEmpty, found.allSatisfy({ $0 == nil }) {
      throw ImportError(
        "\(file) has none of the columns of \(table.name)",
        details: ["the file has \(Self.list(names))", "\(table.name) has \(Self.list(table.columns.map(\.name)))"])
    }
    var fields = [Int?](repeating: nil, count: columns.count)
    for (index, position) in found.enumerated() {
      if let position {
        fields[position] = index
      } else {
        do throws(ImportError) {
          _ = try self.position(of: names[index])
        } catch {
          throw error.at(file)
        }
      }
    }
    if let missing = columns.indices.first(where: { columns[$0].isRequired && fields[$0] == nil }) {
      let column = columns[missing].schema
      throw ImportError(
        "\(file) has no column \(shortName(column.name))",
        details: [
          "\(shortName(column.name)) of \(shortName(table.name)) "
            + ((key ?? table.primaryKey).contains(missing) ? "identifies the rows" : "is required and has no default")
        ])
    }
    if columns.indices.allSatisfy({ fields[$0] == nil || columns[$0].isComputed }) {
      throw ImportError(
        "\(file) has no column that repokit can write", details: ["\(table.name) computes \(Self.list(names)) itself"])
    }
    return fields
  }

  /// Returns the position of a column in the table.
  func position(of name: String) throws(ImportError) -> Int {
    do throws(QueryError) {
      return try table.position(of: name)
    } catch {
      throw ImportError(
        error.summary, details: [error.reason, error.suggestion, canWiden ? "--widen adds the column" : nil])
    }
  }

  /// Creates a writer of some columns.
  func writer(
    ofColumns written: [Int], _ transaction: SQLTransaction
  ) throws -> SQLTransaction.TableWriter {
    let part = try table(ofColumns: written)
    guard let key else { return transaction.writer(for: part, replacing: false) }
    let kept = columns.indices.filter { columns[$0].isKept && !written.contains($0) }
    if kept.isEmpty, Set(key) == Set(table.primaryKey) { return transaction.writer(for: part, replacing: true) }
    return try transaction.writer(
      for: part, updatingBy: key.map { columns[$0].schema.name }, of: table,
      keeping: kept.map { columns[$0].schema.name })
  }

  private static func list(_ names: [String]) -> String {
    let listed = names.prefix(listedColumns).map(shortName).joined(separator: ", ")
    return names.count > listedColumns ? "\(listed) and \(names.count - listedColumns) more" : listed
  }
}
