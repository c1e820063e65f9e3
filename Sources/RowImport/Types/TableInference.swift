import ErrorDetails
package import Query

/// The schema of a new table, inferred from the files that it is created from.
package struct TableInference {
  let name: String
  /// The names of the columns that identify a row; may be none.
  let key: [String]
  /// The types of columns that are given, and not inferred from the files.
  let types: [(column: String, type: ValueType)]
  /// The names of columns that are unique, each by itself.
  private let uniqueColumns: [String]
  private let references: [ReferenceRule]

  /// The default maximum of SQLite: https://www.sqlite.org/limits.html#max_column
  private static let maximumColumnCount = 2_000

  package init(
    name: String, key: [String], types: [(column: String, type: ValueType)], uniqueColumns: [String] = [],
    references: [ReferenceRule] = []
  ) {
    (self.name, self.key, self.types) = (name, key, types)
    (self.uniqueColumns, self.references) = (uniqueColumns, references)
  }

  /// Checks that no two names differ only in case: databases treat such names as the same.
  private func checkCase(of names: [String], in file: String) throws(ImportError) {
    var known: [[UInt8]: String] = [:]
    for name in names {
      guard let other = known.updateValue(name, forKey: Name(name).folded) else { continue }
      throw ImportError(
        "\(file): the columns \(shortName(other)) and \(shortName(name)) have the same name",
        details: ["databases ignore case in names", "rename one of the columns"])
    }
  }

  /// Infers the schema from all files, since only the last line may show that a column is not numeric.
  ///
  /// - Parameter look: reads the records of a file.
  package func schema(
    of inputs: [InputFile], _ look: (any RecordReader, (any RecordReader) throws -> Void) throws -> Void
  ) throws -> (schema: TableSchema, notes: [String]) {
    let columns = try self.columns(of: inputs, look)
    return (try schema(columns, inputs), notes(columns))
  }

  /// Infers the columns from files.
  func columns(
    of inputs: [InputFile], _ look: (any RecordReader, (any RecordReader) throws -> Void) throws -> Void
  ) throws -> InferredColumns {
    var columns = InferredColumns()
    for input in inputs {
      let reader = try input.reader(columns.recordNames)
      try checkCount(reader.names.count, input.name)
      try columns.begin(reader, of: input)
      // If the names are in the header, a mistake in an option is found before the whole input is read.
      if !reader.names.isEmpty { try check(columns, inputs) }
      let keyColumns = columns.names.indices.filter { key.contains(named: columns.names[$0]) }
      try look(reader) { reader in
        try checkKey(of: reader, in: input, keyColumns, columns)
        columns.observe(reader, of: input.name)
        try checkCount(columns.names.count, input.name)
      }
    }
    try check(columns, inputs)
    try checkCase(of: columns.names, in: inputs[0].name)
    return columns
  }

  /// Returns the notes about columns that are texts, but also hold numbers or dates.
  private func notes(_ columns: InferredColumns) -> [String] {
    var texts = TextColumnNotes()
    let others: [String] = columns.names.enumerated().compactMap { position, name in
      if isGiven(name) || !columns.nullWords(position).isEmpty { return nil }
      if let advice = columns.advice(position, name) {
        texts.add(name, advice: advice)
        return nil
      }
      if let reason = columns.reason(position) ?? columns.misfit(position) {
        texts.add(name, reason: reason)
        return nil
      }
      return columns.groupedNumber(position).map { text in
        "\(shortName(name)) is real, so \(excerpt(text)) is a little more than "
          + "\(excerpt(String(text.prefix { $0 != "." }))); with --decimal-comma, the point separates thousands"
      }
    }
    return columns.emptyRecords.notes + blankNotes(columns.names) + nullNotes(columns) + texts.notes + others
  }

  private func isGiven(_ name: String) -> Bool { types.contains { Name($0.column) == name } }

  /// Returns the note on columns of numbers that are text because of words for null, in one line for all of them.
  private func nullNotes(_ columns: InferredColumns) -> [String] {
    let positions = columns.names.indices.filter { !isGiven(columns.names[$0]) && !columns.nullWords($0).isEmpty }
    if positions.isEmpty { return [] }
    let words = Set(positions.flatMap(columns.nullWords)).sorted().map { $0.isEmpty ? "\"\"" : $0 }
      .joined(separator: ",")
    let isOne = positions.count == 1
    let subject =
      positions.count > 3
      ? "\(positions.count) columns" : positions.map { shortName(columns.names[$0]) }.joined(separator: ", ")
    return [
      "\(subject) \(isOne ? "is" : "are") text because of \(words); "
        + "--null\(words.hasPrefix("-") ? "=" : " ")\(words.contains { "#?\\\"".contains($0) } ? "'\(words)'" : words) reads \(words.contains(",") ? "these texts" : words) as null"
    ]
  }

  /// The note on names that begin or end with a blank, which has to be written in queries and is hardly seen.
  private func blankNotes(_ names: [String]) -> [String] {
    let padded = names.filter { $0.first?.isWhitespace == true || $0.last?.isWhitespace == true }
    if padded.isEmpty { return [] }
    let list = padded.prefix(VisibleText.maximumNameCount).map(quoted).joined(separator: ", ")
    return ["names begin or end with blanks: \(list); --trim removes blanks around names and fields"]
  }

  private func schema(_ columns: InferredColumns, _ inputs: [InputFile]) throws(ImportError) -> TableSchema {
    let schemas = columns.names.enumerated().map { position, name in
      let type = types.first { Name($0.column) == name }?.type
      // A column without a null is nullable, too: the next file may lack its values.
      return ColumnSchema(
        name, type ?? columns.type(position), isNullable: !key.contains(named: name),
        isUnique: uniqueColumns.contains(named: name))
    }
    do {
      return try TableSchema(name, columns: schemas, primaryKey: key, references: references)
    } catch {
      throw ImportError("\(inputs[0].name): \(error.reason ?? error.summary)", details: [error.suggestion])
    }
  }

  private func checkKey(
    of reader: any RecordReader, in input: InputFile, _ known: [Int], _ columns: InferredColumns
  ) throws {
    // An object may have a name that was not known at the beginning of the file.
    let positions =
      known.count == key.count ? known : columns.names.indices.filter { key.contains(named: columns.names[$0]) }
    let missing = positions.first { columns.field($0, of: reader).isAbsent }.map { columns.names[$0] }
    let unknown = positions.count < key.count ? key.first { !columns.names.contains(named: $0) } : nil
    guard let column = missing ?? unknown else { return }
    throw BadRow(
      error: ImportError(
        "\(input.name), line \(reader.line), in \(shortName(column)): the field is empty",
        details: ["a key needs a value in every row"]))
  }

  /// Throws for more columns than a table can have, before the rest of the file is read.
  private func checkCount(_ count: Int, _ file: String) throws(ImportError) {
    guard count > Self.maximumColumnCount else { return }
    throw ImportError(
      "\(file) has \(count) columns", details: ["a table can have \(Self.maximumColumnCount)"])
  }

  private func check(_ columns: InferredColumns, _ inputs: [InputFile]) throws(ImportError) {
    if columns.names.contains("") {
      throw ImportError(
        "\(inputs[0].name) has a column without a name", details: ["give the column a name in the file"])
    }
    if columns.names.isEmpty { throw ImportError("\(inputs[0].name) has no object with a column") }
    try checkCount(columns.names.count, inputs[0].name)
    // SQLite reads a name up to its NUL.
    if let name = columns.names.first(where: { $0.utf8.contains(0) }) {
      throw ImportError("\(inputs[0].name), line 1: the name \(quoted(name)) contains a NUL character")
    }
    for (option, names) in [
      ("--key", key), ("--types", types.map(\.column)),
      ("--reference", uniqueColumns + references.flatMap(\.columns)),
    ] {
      for name in names where !columns.names.contains(named: name) {
        // Any letter is one edit away from any other.
        let nearest = name.count > 1 ? NearestName.nearest(to: name, in: columns.names) : nil
        throw ImportError(
          "\(option): no column \(shortName(name)) in \(inputs[0].name)",
          details: [
            nearest.map { "did you mean \(shortName($0))?" }
              ?? "the columns are \(VisibleText.names(columns.names))"
          ], isUsageError: true)
      }
    }
  }
}

/// The columns of a new table, as far as the files have shown them.
struct InferredColumns {
  /// The names in the header of each file.
  private var header: [String]?
  /// The names in the records, if each record has its own.
  let recordNames = RecordNames()
  private var findings: [ColumnTypeInference] = []
  /// The position of each column's field in the current file.
  private var fields: [Int] = []
  private var firstFile = ""
  /// Whether semicolons separate the fields of a file.
  private var hasSemicolons = false
  /// The records without a value at the end of each file of delimited text.
  private(set) var emptyRecords = EmptyRecords()

  var names: [String] { header ?? recordNames.names }

  /// Begins a file.
  ///
  /// - Throws: ``ImportError`` if the file has other columns than the first one.
  mutating func begin(_ reader: any RecordReader, of input: InputFile) throws(ImportError) {
    let hasHeader = !(reader is JSONRecordReader)
    if input.hasSemicolons { hasSemicolons = true }
    if firstFile.isEmpty {
      firstFile = input.name
      if hasHeader { header = reader.names }
    }
    guard let header else {
      if !hasHeader { return }
      throw ImportError(
        "\(input.name): a \(input.format.rawValue.uppercased()) file can't follow a file of objects",
        details: ["import one file at a time, the second with --append"])
    }
    guard hasHeader else {
      throw ImportError(
        "\(input.name): a file of objects can't follow a \(firstFile) with a header",
        details: ["import one file at a time, the second with --append"])
    }
    let positions = Dictionary(reader.names.enumerated().map { (Name($1), $0) }) { first, _ in first }
    fields = try header.map { name throws(ImportError) in
      if let field = positions[Name(name)] { return field }
      throw ImportError("\(input.name) has no column \(shortName(name))", details: ["\(firstFile) has this column"])
    }
    let known = Set(header.map(Name.init))
    if let other = reader.names.first(where: { !known.contains(Name($0)) }) {
      throw ImportError(
        "\(input.name) has an additional column \(shortName(other))", details: ["\(firstFile) lacks this column"])
    }
  }

  /// Observes a record.
  mutating func observe(_ reader: any RecordReader, of file: String) {
    while findings.count < names.count { findings.append(ColumnTypeInference()) }
    // `--pad`, which the note names, is for delimited text.
    if header != nil { emptyRecords.observe(reader, of: file) }
    for position in findings.indices {
      let field = field(position, of: reader)
      findings[position].observe(field) { "\(quoted(field.text)) in line \(reader.line) of \(file)" }
    }
  }

  /// Returns the field of a column in the current record.
  func field(_ position: Int, of reader: any RecordReader) -> ImportField {
    reader.field(at: header == nil ? position : fields[position])
  }

  /// Returns what is known of a column; `nil` before any record has been observed.
  private func finding(at position: Int) -> ColumnTypeInference? {
    position < findings.count ? findings[position] : nil
  }

  /// Returns why a column that also contains numbers is text: its first text, with its position; `nil` if there is none.
  func reason(_ position: Int) -> String? {
    finding(at: position).flatMap { $0.hasNumbersToo && $0.areMostlyNumbers ? $0.reason : nil }
  }

  /// Returns the words for null that make a column of numbers text.
  func nullWords(_ position: Int) -> [String] { finding(at: position)?.nullWordsAmongNumbers ?? [] }

  /// Returns the option that reads a column of texts as numbers or dates; `nil` if there is none.
  func advice(_ position: Int, _ name: String) -> String? { finding(at: position)?.advice(name) }

  /// Returns the only text that is written otherwise than the numbers or dates of its column, and how; `nil` if there is none.
  func misfit(_ position: Int) -> String? { finding(at: position)?.misfit }

  /// Returns a number with three digits behind a point, as all of the column have, in files with semicolons, which are written
  /// where most people have a point between thousands.
  func groupedNumber(_ position: Int) -> String? {
    hasSemicolons ? finding(at: position)?.groupedNumber : nil
  }

  func type(_ position: Int) -> ValueType { finding(at: position)?.type ?? .text }

  /// Returns whether any record has a value in a column.
  func hasValue(_ position: Int) -> Bool { finding(at: position)?.hasValue == true }

  /// Returns why the first text among untyped fields and numbers of a column is no number of it.
  func reasonForText(_ position: Int) -> String? { finding(at: position)?.reason }
}
