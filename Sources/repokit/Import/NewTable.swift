import CSV
import Query

/// Finds out which table some files make.
struct NewTable {
  let name: String
  /// The names of the columns that identify a row; may be none.
  let key: [String]
  /// The types of columns that are not left to the files.
  let types: [(column: String, type: ValueType)]

  /// Reads all files, since the last line may show that a column is no number after all.
  ///
  /// - Parameter look: reads the records of a file.
  func schema(
    of inputs: [InputFile], _ look: (InputFile, any RecordReader, (any RecordReader) throws -> Void) throws -> Void
  ) throws(Failure) -> TableSchema {
    var columns = NewColumns()
    do {
      for input in inputs {
        let reader = try input.reader(columns.recordNames)
        try columns.begin(reader, of: input)
        // Where the names stand at the start, a mistake in an option need not wait for the end.
        if !reader.names.isEmpty { try check(columns, inputs) }
        let keyColumns = columns.names.indices.filter { key.containsExactly(columns.names[$0]) }
        try look(input, reader) { reader in
          try checkKey(of: reader, in: input, keyColumns, columns)
          columns.observe(reader)
        }
      }
    } catch {
      throw Failure(translating: error)
    }
    try check(columns, inputs)
    return try schema(columns, inputs)
  }

  private func schema(_ columns: NewColumns, _ inputs: [InputFile]) throws(Failure) -> TableSchema {
    let schemas = columns.names.enumerated().map { position, name in
      // Of a file without records nothing is known, so everything is allowed.
      let isNullable = !key.containsExactly(name) && (columns.isEverAbsent(position) || columns.count == 0)
      let type = types.first { $0.column.isExactly(name) }?.type
      return ColumnSchema(name, type ?? columns.type(position), isNullable: isNullable)
    }
    do {
      return try TableSchema(name, columns: schemas, primaryKey: key)
    } catch {
      throw Failure("\(inputs[0].name): \(error.reason ?? error.summary)", details: [error.suggestion])
    }
  }

  private func checkKey(
    of reader: any RecordReader, in input: InputFile, _ known: [Int], _ columns: NewColumns
  ) throws {
    // An object may bring a name that was not known when the file was begun.
    let positions =
      known.count == key.count ? known : columns.names.indices.filter { key.containsExactly(columns.names[$0]) }
    let missing = positions.first { columns.field($0, of: reader).isAbsent }.map { columns.names[$0] }
    let unknown = positions.count < key.count ? key.first { !columns.names.containsExactly($0) } : nil
    guard let column = missing ?? unknown else { return }
    throw BadRow(
      failure: Failure(
        "\(input.name), line \(reader.line), column \(column): the field is empty", details: ["a key is never empty"]))
  }

  private func check(_ columns: NewColumns, _ inputs: [InputFile]) throws(Failure) {
    if columns.names.isEmpty { throw Failure("\(inputs[0].name): there is no object that names a column") }
    // SQLite reads a name up to its NUL.
    if let name = columns.names.first(where: { $0.utf8.contains(0) }) {
      throw Failure("\(inputs[0].name), line 1: the name \(TerminalText.quoted(name)) contains a NUL")
    }
    for (option, names) in [("--key", key), ("--types", types.map(\.column))] {
      for name in names where !columns.names.containsExactly(name) {
        throw Failure(
          "\(option): no column \(name) in \(inputs[0].name)",
          details: [
            .nearest(to: name, among: columns.names) ?? "its columns are \(columns.names.joined(separator: ", "))"
          ], status: .misused)
      }
    }
  }
}
