import Query

/// A table that records are written to: what its columns take, and what becomes of one that a record does not name.
struct ImportTarget {
  /// A column of the table.
  struct Column {
    let schema: ColumnSchema
    let conversion: FieldConversion
    /// Whether it is left to the database, also where an input has it.
    let isComputed: Bool
    /// Whether each record has to name it.
    let isRequired: Bool
    /// Whether a record that does not name it leaves it to the table: its default in a new row, and what is there in others.
    /// Otherwise it is null then.
    let isOptional: Bool
  }

  /// The most columns that a message lists.
  private static let listedColumns = 32

  let table: TableSchema
  let columns: [Column]

  /// A table as it is written.
  ///
  /// - Parameters:
  ///   - table: the table with all of its columns.
  ///   - computed: the columns that the database computes.
  ///   - defaulted: the columns, as texts, that have a value in a row which is added without them.
  ///   - isReplacing: whether a row replaces the one with the same key.
  init(_ table: TableSchema, computed: [String] = [], defaulted: Set<Value> = [], isReplacing: Bool = false) {
    self.table = table
    let computed = Set(computed.map(Name.init))
    columns = table.columns.enumerated().map { position, column in
      let isComputed = computed.contains(Name(column.name))
      let hasDefault = column.isGenerated || defaulted.contains(.text(column.name))
      // Without its key, no row can be replaced.
      let isRequired = !column.isNullable && !hasDefault || isReplacing && table.primaryKey.contains(position)
      return Column(
        schema: column, conversion: FieldConversion(column), isComputed: isComputed,
        isRequired: isRequired && !isComputed,
        isOptional: !isRequired && !isComputed && (isReplacing || hasDefault))
    }
  }

  /// The table as far as some of its columns are written.
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
  ///   - file: what messages call the input.
  /// - Throws: a failure where the table lacks a column of the input, or the input one that each record has to name.
  func fields(ofColumns names: [String], in file: String) throws(ImportError) -> [Int?] {
    let positions = Dictionary(table.columns.enumerated().map { (Name($1.name), $0) }) { first, _ in first }
    let found = names.map { positions[Name($0)] }
    if !names.isEmpty, found.allSatisfy({ $0 == nil }) {
      throw ImportError(
        "\(file): none of its columns is one of \(table.name)",
        details: ["it has \(Self.list(names))", "\(table.name) has \(Self.list(table.columns.map(\.name)))"])
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
        "\(file): there is no column \(column.name)",
        details: [
          "\(column.name) of \(table.name) "
            + (table.primaryKey.contains(missing) ? "tells rows apart" : "may not be null, and has no default")
        ])
    }
    if columns.indices.allSatisfy({ fields[$0] == nil || columns[$0].isComputed }) {
      throw ImportError(
        "\(file): there is no column to be written", details: ["\(table.name) computes \(Self.list(names)) itself"])
    }
    return fields
  }

  /// The position of a column in the table.
  func position(of name: String) throws(ImportError) -> Int {
    do throws(QueryError) {
      return try table.position(of: name)
    } catch {
      throw ImportError(error.summary, details: [error.reason, error.suggestion])
    }
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(listedColumns).joined(separator: ", ")
    return names.count > listedColumns ? "\(shown) and \(names.count - listedColumns) more" : shown
  }
}
