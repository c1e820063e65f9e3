import Query
import Repository
import SQLInspection
import SQLStore

/// The notation of the dates or the Booleans of a column of texts.
enum ValueNotation: Hashable {
  /// `2024-12-31`, perhaps with a time.
  case standardDate
  /// A date in another order, with the character between its parts, and whether the year comes first.
  case otherDate(separator: Character, isYearFirst: Bool)
  /// The words for true and false.
  case boolean(Set<String>)

  private static let booleans: [Set<String>] = [
    ["true", "false"], ["TRUE", "FALSE"], ["True", "False"], ["yes", "no"], ["Yes", "No"], ["YES", "NO"], ["y", "n"],
    ["Y", "N"], ["t", "f"], ["T", "F"], ["on", "off"], ["1", "0"],
  ]

  /// Reads a text; `nil` if it is neither a date nor a Boolean.
  init?(_ text: String) {
    if let words = Self.booleans.first(where: { $0.contains(text) }) {
      self = .boolean(words)
    } else if DateParts(text) != nil {
      self = .standardDate
    } else if DateOrder.allCases.contains(where: { $0.reads(text) }),
      let separator = text.first(where: { !$0.isNumber })
    {
      self = .otherDate(separator: separator, isYearFirst: text.prefix { $0.isNumber }.count == 4)
    } else {
      return nil
    }
  }

  var isBoolean: Bool { if case .boolean = self { true } else { false } }
}

/// The dates and Booleans of a table's columns of texts, with which those of files are compared before they are added.
struct ColumnNotations {
  private static let sampleSize = 100

  private struct Column {
    let position: Int
    /// The notation of all values so far; `nil` once they differ.
    var notation: ValueNotation?
    var example: String
  }

  private let table: TableSchema
  private var columns: [Column] = []

  /// Reads the first rows of a table; without a column if that fails, since a note is no reason for an import to fail.
  init(of table: TableSchema, in store: SQLDatabase) {
    self.table = table
    let positions = table.columns.indices.filter { table.columns[$0].kinds.contains(.text) }
    if positions.isEmpty { return }
    var found: [Int: Column] = [:]
    let request = ProjectionRequest(
      positions.map { .key(table.columns[$0].name) }, of: FetchRequest(limit: Self.sampleSize))
    try? store.blocking.repository(Schema(table)).forEachRow(request, isSorted: false) { row in
      for (position, value) in zip(positions, row) {
        guard case .text(let text) = value else { continue }
        let notation = ValueNotation(text)
        if found[position] == nil { found[position] = Column(position: position, notation: notation, example: text) }
        if found[position]?.notation != notation { found[position]?.notation = nil }
      }
      return true
    }
    columns = positions.compactMap { found[$0] }.filter { $0.notation != nil }
  }

  /// Returns the notes on the first records of a file.
  func notes(on reader: any RecordReader, of file: String) -> [String] {
    if columns.isEmpty { return [] }
    var notes: [Int: String] = [:]
    var count = 0
    // What is wrong with a record is told when it is written.
    while count < Self.sampleSize, (try? reader.next()) == true {
      count += 1
      for column in columns where notes[column.position] == nil {
        let name = table.columns[column.position].name
        guard let index = reader.names.firstIndex(foldedNamed: name) else { continue }
        let field = reader.field(at: index)
        if field.isAbsent || field.kind == .number || field.kind == .nested { continue }
        if BooleanWord.isDeclared(table.columns[column.position]), column.notation?.isBoolean == true {
          notes[column.position] =
            "\(shortName(name)) of \(shortName(table.name)) has values such as \(quoted(column.example)), but import "
            + "writes 1 and 0 in a column of booleans"
          continue
        }
        // JSON's true and false become the texts of these names.
        let text = field.kind == .boolean ? field.text == "1" ? "true" : "false" : field.text
        guard let notation = ValueNotation(text), notation != column.notation,
          notation.isBoolean == column.notation?.isBoolean
        else { continue }
        notes[column.position] =
          "\(shortName(name)) of \(shortName(table.name)) has \(notation.isBoolean ? "values" : "dates") such as "
          + "\(quoted(column.example)), but \(quoted(text)) in line \(reader.line) of \(file) has another "
          + "form\(advice(notation, text, column.notation))"
      }
    }
    return columns.compactMap { notes[$0.position] }
  }

  /// The option that makes the notation of the table's dates of those of the file.
  private func advice(_ notation: ValueNotation, _ text: String, _ present: ValueNotation?) -> String {
    guard case .otherDate = notation, present == .standardDate else { return "" }
    let orders = DateOrder.allCases.filter { $0.reads(text) }.map(\.rawValue)
    return orders.isEmpty ? "" : "; --date-order \(orders.joined(separator: " or ")) reads the date"
  }
}

extension DateOrder {
  /// Returns whether a text is a date in this order.
  fileprivate func reads(_ text: String) -> Bool {
    var text = text
    let reading = text.withUTF8 { read($0) }
    if case .date = reading { return true }
    return false
  }
}
