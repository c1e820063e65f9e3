import CSV
import Query
import RowImport

/// A column and what is written behind it: `weight=90.5`, or, with a space before the `=`, an expression as in a query:
/// `weight = weight * 2`.
struct AssignmentArgument {
  static let positional = positional(advice: "name a column and its value: weight=90.5")

  static func positional(advice: String) -> PositionalDescription {
    PositionalDescription(
      name: "KEY=VALUE", help: "A column and its value, without spaces around the =, or an expression with them.",
      isRepeated: true, completion: .assignment, advice: advice)
  }

  /// How values are written.
  static let note = Note.list(
    "Values",
    [
      ("weight=90.5", "a number where the column holds numbers, exactly or not at all"),
      ("name=Mr. Mime", "the text as it is, where the column holds texts; the shell wants quotes around it all"),
      ("name=", "the empty text; in a column of another type an error"),
      ("name=null", "null"),
      ("name=\"'null'\"", "the text null: what stands in single quotes is a text, whatever it says; '' is a quote"),
      ("legendary=true", "1, and 0 for false, where the column holds numbers"),
      ("data=x'00ff'", "bytes, where the column holds blobs"),
      ("height=9e999", "infinity"),
      ("'\"a=b\"=1'", "a column whose name holds a =, in double quotes"),
      ("'attack = attack * 3 / 2'", "with a space before the =, what an expression makes of the row as it was"),
    ])

  let key: String
  private let text: String
  /// What is written as in a query.
  private let expression: Assignment?

  /// Takes an argument apart.
  init(_ argument: String, for command: CommandDescription) throws(Failure) {
    let separator = UInt8(ascii: "=")
    let space = UInt8(ascii: " ")
    let bytes = Array(argument.utf8)
    var key: [UInt8] = []
    var rest = bytes[...]
    if rest.first == UInt8(ascii: "\"") {
      rest.removeFirst()
      // A quote within the name is doubled.
      while let end = rest.firstIndex(of: UInt8(ascii: "\"")) {
        key += rest[..<end]
        rest = rest[(end + 1)...]
        if rest.first != UInt8(ascii: "\"") { break }
        key.append(rest.removeFirst())
      }
    } else {
      key += rest.prefix { $0 != separator }
      rest = rest.dropFirst(key.count)
    }
    let isExpression = rest.first == separator ? key.last == space : rest.drop { $0 == space }.first == separator
    if isExpression, key.contains(where: { $0 != space }) {
      do throws(ParseError) {
        expression = try Assignment(parsing: argument)
      } catch {
        throw Failure(error)
      }
      self.key = expression?.key ?? ""
      text = expression?.expression.description ?? ""
      return
    }
    expression = nil
    guard rest.first == separator, !key.isEmpty else {
      throw command.usageError(
        "\(TerminalText.quoted(argument)) is no KEY=VALUE",
        suggestion: "name a column and its value without spaces around the =: weight=90.5")
    }
    self.key = String(decoding: key, as: UTF8.self)
    text = String(decoding: rest.dropFirst(), as: UTF8.self)
  }

  /// The assignment as a message shows it.
  var description: String {
    let limit = 60
    return "\(key) = \(text.isEmpty ? "''" : text.prefix(limit) + (text.count > limit ? "…" : ""))"
  }

  /// The value for a table's column.
  ///
  /// - Throws: ``Failure`` where there is no such column, or it can't hold what is written.
  func assignment(in table: TableSchema) throws(Failure) -> Assignment {
    let column = try Failure.translating { table.columns[try table.position(of: key)] }
    if let expression { return expression }
    do throws(FieldConversionError) {
      return Assignment(key, try value(for: column))
    } catch {
      throw Failure("\(key): \(error.summary)", details: [error.suggestion], status: .usageError)
    }
  }

  private func value(for column: ColumnSchema) throws(FieldConversionError) -> Value {
    let word = text.lowercased()
    if word == "null" { return .null }
    if text.hasPrefix("'") {
      guard let literal = quotedText else {
        throw FieldConversionError(
          text, "starts with a quote and is no text in quotes", "write \(Value.text(text)) if that is meant")
      }
      return .text(literal)
    }
    let conversion = FieldConversion(column)
    if word == "true" || word == "false", conversion != .text {
      guard column.type == .integer || column.type == .real else {
        throw FieldConversionError(
          text, "may be a number or a text", "write \(word == "true" ? 1 : 0), or '\(text)' for the text")
      }
      let number: Int64 = word == "true" ? 1 : 0
      return conversion == .real ? .real(Double(number)) : .integer(number)
    }
    if text.isEmpty, conversion != .text {
      throw FieldConversionError(text, "is no value", "write \(key)=null for null, or \(key)='' for the empty text")
    }
    return try conversion.value(of: CSVField(text, isQuoted: text.isEmpty))
  }

  /// The text between single quotes, with doubled ones undone; `nil` where they don't enclose all of it.
  private var quotedText: String? {
    let quote = UInt8(ascii: "'")
    var rest = Array(text.utf8)[...]
    guard rest.count >= 2, rest.removeFirst() == quote, rest.removeLast() == quote else { return nil }
    var content: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote, rest.popFirst() != quote { return nil }
      content.append(byte)
    }
    return String(decoding: content, as: UTF8.self)
  }
}
