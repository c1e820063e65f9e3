import Query
import SQLInspection

/// A search for the columns of files that hold dates in a given order of day, month and year: those whose values are all dates.
///
/// A version such as `10.4.19` reads as a date, too; the other values of its column show that it is none.
struct DateColumnSearch {
  private struct Finding {
    let name: String
    /// The first value that reads as a date in some order.
    var example: String?
    /// The first value that is no date, with its position.
    var misfit: String?
  }

  private let order: DateOrder
  private var findings: [Finding] = []
  /// The position of the finding for each field of the current file.
  private var fields: [Int] = []

  init(_ order: DateOrder) { self.order = order }

  /// Begins with a file.
  mutating func begin(_ reader: any RecordReader) {
    fields = reader.names.map { name in
      if let known = findings.firstIndex(where: { Name($0.name) == name }) { return known }
      findings.append(Finding(name: name))
      return findings.count - 1
    }
  }

  /// Takes a record into account.
  mutating func observe(_ reader: any RecordReader, of file: String) {
    for (position, index) in fields.enumerated() where findings[index].misfit == nil {
      let field = reader.field(at: position)
      if field.isAbsent || field.bytes.isEmpty { continue }
      switch order.read(field.bytes) {
      case .date, .otherOrder: if findings[index].example == nil { findings[index].example = field.text }
      case .other where DateParts(field.text) != nil: break
      case .other: findings[index].misfit = "\(quoted(field.text)) in line \(reader.line) of \(file)"
      }
    }
  }

  /// The names of the columns that hold dates.
  var names: Set<Name> { Set(findings.filter { $0.example != nil && $0.misfit == nil }.map { Name($0.name) }) }

  /// The notes about columns that are left as they are, although some of their values read as dates.
  var notes: [String] {
    findings.compactMap { finding in
      guard let example = finding.example, let misfit = finding.misfit else { return nil }
      return "\(shortName(finding.name)) stays text, including \(quoted(example)), because \(misfit) is not a date"
    }
  }
}

/// The conversion of the dates of some columns from a given order of day, month and year.
struct DateConversion: RecordConversion {
  /// More than a date with a time takes.
  static let room = 40

  private let order: DateOrder
  private let file: String
  let columns: [Int]

  /// - Parameter dates: the names of the columns that hold dates.
  init(_ order: DateOrder, in dates: Set<Name>, among names: [String], of file: String) {
    (self.order, self.file) = (order, file)
    columns = names.indices.filter { dates.contains(Name(names[$0])) }
  }

  func text(for field: ImportField, of column: Int, in reader: any RecordReader) throws -> String? {
    switch order.read(field.bytes) {
    case .date(let text): return text
    case .other: return nil
    case .otherOrder:
      let name = reader.names[columns[column]]
      throw BadRow(
        error: ImportError(
          "\(file), line \(reader.line): \(excerpt(field.text)) in \(shortName(name)) is not a date in the order "
            + "\(order.rawValue)",
          details: ["d is the day, m the month, y the year: dmy, mdy or ymd"]))
    }
  }
}
