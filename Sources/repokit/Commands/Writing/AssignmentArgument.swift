import ErrorDetails
import Query
import RowImport
import SQLInspection

/// A column and what is written behind it: `weight=90.5`, or, with a space before the `=`, an expression as in a query:
/// `weight = weight * 2`.
struct AssignmentArgument {
  static let positional = positional(advice: "name a column and its value: weight=90.5")

  static func positional(advice: String) -> PositionalDescription {
    PositionalDescription(
      name: "KEY=VALUE", help: "COLUMN=VALUE without spaces around =, or 'COLUMN = EXPRESSION' with spaces.",
      isRepeated: true, completion: .assignment, advice: advice)
  }

  /// The help on the notation of values.
  static let note = Note.list(
    "Values",
    values + [("'attack = attack * 3 / 2'", "an expression of the row's old values; write spaces around =")])

  /// The help on the notation of the values of a new row.
  static let insertNote = Note.list("Values", values)

  private static let values: [(String, String)] =
    [
      ("weight=90.5", "a number in a column of numbers; repokit never rounds"),
      ("name=Mr. Mime", "text in a text column; quote the argument for the shell"),
      ("name=", "empty text; an error in other columns"),
      ("name=null", "null"),
      ("name=\"'null'\"", "the text null; quotes always mean text, and '' is one quote character"),
      ("legendary=true", "1 in a column of numbers or booleans; false is 0; booleans also take t, yes, on, f, no, off"),
      ("at='2024-01-31 12:00'", "an instant in a PostgreSQL column, with a T or a blank, any fraction and offset"),
      ("data=x'00ff'", "bytes in a blob column; also \\x00ff"),
      ("photo=@face.png", "the content of a file in a blob column; --format raw writes the bytes back"),
      ("height=9e999", "infinity"),
      ("'\"a=b\"=1'", "a column whose name contains =, in double quotes"),
    ]

  let key: String
  private let text: String
  /// The whole, where it is written as in a query.
  private let expression: String?

  /// Takes an argument apart.
  init(_ argument: String, for command: CommandDescription) throws(Failure) {
    var rest = argument.unicodeScalars[...]
    var key = ""
    if rest.first == "\"" {
      let quoted = QuotedWords.content(ofQuoted: &rest)
      if quoted.isClosed { key = quoted.text }
    } else {
      let name = rest.prefix { $0 != "=" }
      key = String(name)
      rest = rest[name.endIndex...]
    }
    let isExpression = rest.first == "=" ? key.unicodeScalars.last == " " : rest.drop { $0 == " " }.first == "="
    if isExpression, key.unicodeScalars.contains(where: { $0 != " " }) {
      while key.unicodeScalars.last == " " { key.unicodeScalars.removeLast() }
      self.key = key
      text = String(rest.drop { $0 == " " }.dropFirst().drop { $0 == " " })
      expression = argument
      return
    }
    expression = nil
    guard rest.first == "=", !key.isEmpty else {
      throw command.usageError(
        "\(TerminalText.quoted(argument)) is not COLUMN=VALUE",
        suggestion: "write the column and the value without spaces around =: weight=90.5")
    }
    self.key = key
    text = String(rest.dropFirst())
  }

  /// The assignment as shown in a message.
  var description: String {
    let limit = 60
    return "\(key) = \(text.isEmpty ? "''" : text.prefix(limit) + (text.count > limit ? "…" : ""))"
  }

  /// Reports an invalid expression before anything is opened.
  func check(_ reader: QueryReader) throws(Failure) {
    if let expression { _ = try reader.assignment(expression) { _, _, _ in } }
  }

  /// Returns the value to write, for a table's column.
  ///
  /// - Parameter form: how the column holds dates as numbers; `nil` if it does not.
  /// - Throws: ``Failure`` where there is no such column, or it can't hold the value.
  func assignment(
    in table: TableSchema, _ reader: QueryReader, datesAs form: NumericDateForm? = nil,
    ofNewRow isNew: Bool = false
  ) throws(Failure) -> Assignment {
    var constant: Value?
    if let expression {
      let assignment = try reader.assignment(expression) { assignment, table, tables throws(QueryError) in
        constant = try ScopeResolver(table, tables).constant(assignment.expression)
        if constant == nil, !isNew {
          try assignment.checkFits(table, with: tables)
        } else {
          _ = try table.position(of: key)
        }
      }
      if constant == nil, isNew {
        throw Failure(
          "\(VisibleText.name(key)): insert takes no columns in expressions",
          details: ["a new row has no old values; write a value: \(Quoting.key(key))=…"], status: .usageError)
      }
      if constant == nil { return assignment }
    }
    let column = try column(of: table)
    if let number = date(constant, form) {
      // Whole seconds, where the column holds no parts of them.
      if column.type == .integer, case .real(let real) = number, let whole = Int64(exactly: real.rounded(.down)) {
        return Assignment(key, Value.integer(whole))
      }
      return Assignment(key, number)
    }
    let isText = column.type == .text && column.nativeType == nil
    if expression == nil, quotedText == nil, isText, let advice = advice(onWorkedOut: table) {
      throw Failure(
        "\(VisibleText.name(key)): repokit would store \(TerminalText.quoted(text)) as text",
        details: [advice, "to store the text, put the value in single quotes: \(Quoting.key(key))=\"'…'\""],
        status: .usageError)
    }
    do throws(FieldConversionError) {
      let value = if let constant { try Self.value(constant, for: column) } else { try value(for: column) }
      if form != nil, case .text(let text) = value {
        throw FieldConversionError(
          "'\(text)'", "is not a date",
          "\(VisibleText.name(key)) stores dates as numbers: write 2024-01-31, or 2024-01-31T12:00:00Z")
      }
      return Assignment(key, value)
    } catch {
      throw Failure(
        "\(VisibleText.name(key)): \(error.summary)", details: [error.suggestion ?? expressionAdvice(table)],
        status: .usageError)
    }
  }

  /// Returns the note on a text that is the name of another column; `nil` for other values.
  func columnNote(in table: TableSchema) -> String? {
    guard expression == nil, quotedText == nil, Name(text) != key, table.columns.contains(named: text),
      let column = try? column(of: table), column.type == .text || column.type == .any
    else { return nil }
    return "repokit sets \(VisibleText.name(key)) to the text \(VisibleText.name(text)); to copy the column "
      + "\(VisibleText.name(text)), write '\(Quoting.key(key)) = \(Quoting.key(text))'"
  }

  private func column(of table: TableSchema) throws(Failure) -> ColumnSchema {
    do throws(QueryError) {
      return table.columns[try table.position(of: key)]
    } catch {
      // The nearest name would be that of the column whose whole text is replaced.
      let start = key.prefix { $0 != "." }
      guard start.count < key.count, table.columns.contains(named: String(start)) else { throw Failure(error) }
      throw Failure(
        error.summary, details: ["an assignment sets a whole column, not a path into a column"],
        status: .usageError)
    }
  }

  /// Returns the number for a text that is a date, in a column that holds dates as numbers; `nil` for any other value.
  private func date(_ constant: Value?, _ form: NumericDateForm?) -> Value? {
    switch constant {
    case .text(let text)?: form?.number(of: text)
    case nil: form?.number(of: quotedText ?? text)
    default: nil
    }
  }

  /// Returns the advice for a value that was hardly meant as a text: an expression of the table's columns that is more than a
  /// name, or a time.
  private func advice(onWorkedOut table: TableSchema) -> String? {
    if ["now", "today"].contains(text) {
      return "to store the time, write spaces around =: '\(Quoting.key(key)) = \(text)'"
    }
    guard let meant = try? AnyExpression(parsing: text), case .function = meant.form else { return nil }
    // `24/7` is a text.
    var hasColumn = false
    meant.forEachPart { part, _ in hasColumn = hasColumn || part.plainKey != nil }
    return hasColumn ? expressionAdvice(table) : nil
  }

  /// Returns the advice for a text that looks like an expression of the table's columns.
  private func expressionAdvice(_ table: TableSchema) -> String? {
    guard expression == nil, let meant = try? AnyExpression(parsing: text) else { return nil }
    if case .value = meant.form { return nil }
    var resolver = ScopeResolver(table) { _ in nil }
    if (try? resolver.position(of: meant)) == nil { return nil }
    return "to compute a value for each row, write spaces around =: '\(Quoting.key(key)) = \(text)'"
  }

  /// A value of a query, as the column is given it: what a word of the same letters would be, but that a text stays one where
  /// the column holds texts.
  private static func value(_ value: Value, for column: ColumnSchema) throws(FieldConversionError) -> Value {
    let conversion = FieldConversion(column)
    switch (value, conversion) {
    case (.null, _), (_, .numberOrText), (_, .booleanOrText), (_, .blobOrText), (.text, .text), (.blob, .text),
      (.blob, .blob):
      return value
    case (.text(let text), _) where conversion.isNative: return try conversion.value(of: text)
    case (.real(let real), .decimal) where DecimalText.canonical(real) == nil:
      throw FieldConversionError(
        value.description, "has more digits than a number in a query", "put the number in single quotes")
    case (.text(let text), _):
      // A column that guarantees no type makes a number of its text.
      let number = try conversion.value(of: text)
      return column.declaredType == nil ? value : number
    case (.integer, .text), (.real, .text):
      throw FieldConversionError(value.description, "is a number", "write '\(value)' for the text")
    default: return try conversion.value(of: value.description)
    }
  }

  private func value(for column: ColumnSchema) throws(FieldConversionError) -> Value {
    let word = text.lowercased()
    if word == "null" { return .null }
    if text.hasPrefix("'") {
      guard let literal = quotedText else {
        throw FieldConversionError(
          text, "starts with a quote that has no end", "write \(Value.text(text)) for this text")
      }
      return try Self.value(.text(literal), for: column)
    }
    let conversion = FieldConversion(column)
    if text.hasPrefix("@"), conversion == .blob || conversion == .blobOrText {
      let path = String(text.dropFirst())
      do throws(Failure) {
        return .blob(try BinaryFile.bytes(at: path))
      } catch {
        throw FieldConversionError(
          text,
          "is a file that repokit can't read: "
            + "\(error.details.isEmpty ? error.summary : error.details.joined(separator: ", "))",
          "write '\(text)' for the text")
      }
    }
    if word == "true" || word == "false", conversion != .text, !conversion.isNative {
      guard column.type == .integer || column.type == .real else {
        throw FieldConversionError(
          text, "can be a number or text", "write \(word == "true" ? 1 : 0), or '\(text)' for the text")
      }
      let number: Int64 = word == "true" ? 1 : 0
      return conversion == .real ? .real(Double(number)) : .integer(number)
    }
    if text.isEmpty, conversion != .text {
      throw FieldConversionError(
        text, "is not a value",
        "write \(VisibleText.name(key))=null for null, or \(VisibleText.name(key))='' for the empty text")
    }
    return try conversion.value(of: text)
  }

  /// The text between single quotes, with doubled ones undone; `nil` where they don't enclose all of it.
  private var quotedText: String? {
    var rest = text.unicodeScalars[...]
    guard rest.first == "'" else { return nil }
    let quoted = QuotedWords.content(ofQuoted: &rest)
    return quoted.isClosed && rest.isEmpty ? quoted.text : nil
  }
}

extension Assignment {
  /// Refuses an expression whose values the column is not declared to hold: a table that guarantees no type would keep them.
  fileprivate func checkFits(_ table: TableSchema, with tables: @escaping TableLookup) throws(QueryError) {
    let resolved = try ResolvedAssignments([self], in: table, keysMayChange: true, with: tables)
    let column = table.columns[resolved.columns[0]]
    guard let declared = column.declaredType, let computed = resolved.computed, let position = computed.positions[0]
    else { return }
    let values = ExpressionType(computed.scope.column(position))
    let conversion = FieldConversion(column)
    if conversion.takes(values.kind) { return }
    throw QueryError(
      .kindMismatch,
      "\(VisibleText.name(key)) is declared \(declared) and can't store \(values.plural), the result of \(expression)",
      suggestion: conversion == .integer && values.kind == .real
        ? "integer division gives an integer: n * 3 / 2, not n * 1.5" : nil)
  }
}

extension FieldConversion {
  /// Whether a column holds what an expression makes.
  fileprivate func takes(_ kind: ExpressionType.Kind) -> Bool {
    switch self {
    case .integer: [.null, .integer, .number, .any].contains(kind)
    case .real, .number: [.null, .integer, .real, .number, .any].contains(kind)
    case .text: [.null, .text, .blob, .textOrBlob, .any].contains(kind)
    case .blob: [.null, .blob, .any].contains(kind)
    case .blobOrText, .numberOrText, .booleanOrText, .boolean, .decimal, .shortDecimal, .uuid, .timestamp, .day: true
    }
  }
}
