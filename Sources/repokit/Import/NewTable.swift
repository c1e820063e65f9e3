import CSV
import Query

/// Finds out which table a file makes.
enum NewTable {
  /// Reads the whole input, since its last line may show that a column is no number after all.
  ///
  /// - Parameters:
  ///   - name: the table's name.
  ///   - key: the names of the columns that identify a row; may be none.
  static func schema(_ name: String, key: [String], of input: CSVInput) throws(Failure) -> TableSchema {
    var header: [String] = []
    var detector = ColumnTypeDetector(columnCount: 0)
    var keyFields: [Int] = []
    var hasRecords = false
    try input.read { names in
      header = names
      // SQLite reads a name up to its NUL.
      if let name = names.first(where: { $0.utf8.contains(0) }) {
        throw Failure("\(input.name), line 1: the name \(TerminalText.quoted(name)) contains a NUL")
      }
      keyFields = try positions(of: key, in: header, of: input)
      detector = ColumnTypeDetector(columnCount: header.count)
    } record: { record in
      hasRecords = true
      detector.observe(record)
      for field in keyFields where record.fields[field].isAbsent {
        throw Failure(
          "\(input.name), line \(record.line), column \(header[field]): the field is empty",
          details: ["a key is never empty"])
      }
    }
    let columns = zip(header, detector.columns).enumerated().map { position, column in
      // Of a file without records nothing is known, so everything is allowed.
      let isNullable = !keyFields.contains(position) && (column.1.isEverAbsent || !hasRecords)
      return ColumnSchema(column.0, ValueType(column.1.type), isNullable: isNullable)
    }
    do {
      return try TableSchema(name, columns: columns, primaryKey: keyFields.map { header[$0] })
    } catch {
      throw Failure("\(input.name): \(error.reason ?? error.summary)", details: [error.suggestion])
    }
  }

  private static func positions(
    of key: [String], in header: [String], of input: CSVInput
  ) throws(Failure) -> [Int] {
    var positions: [Int] = []
    for name in key {
      guard let position = header.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) else {
        throw Failure(
          "--key: no column \(name) in \(input.name)",
          details: [.nearest(to: name, among: header) ?? "its columns are \(header.joined(separator: ", "))"],
          status: .misused)
      }
      positions.append(position)
    }
    return positions
  }
}

extension ValueType {
  fileprivate init(_ detected: DetectedType) {
    switch detected {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    }
  }
}
