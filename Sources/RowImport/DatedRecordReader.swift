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
      return "\(finding.name) stays as it is, \(quoted(example)) too, because \(misfit) is no date"
    }
  }
}

/// A reader of records that converts the dates of some columns from a given order of day, month and year.
final class DatedRecordReader: RecordReader {
  /// The number of bytes that are reserved for a date, more than a date with a time takes.
  private static let room = 40

  private let reader: any RecordReader
  private let order: DateOrder
  private let file: String
  /// The positions of the columns that hold dates.
  private let columns: [Int]
  /// The converted dates of the record, each in a place of its own, and their lengths; 0 for a field that was not converted.
  private let places: UnsafeMutableBufferPointer<UInt8>
  private var lengths: [Int]

  /// - Parameter columns: the names of the columns that hold dates.
  init(_ reader: any RecordReader, _ order: DateOrder, in columns: Set<Name>, of file: String) {
    (self.reader, self.order, self.file) = (reader, order, file)
    self.columns = reader.names.indices.filter { columns.contains(Name(reader.names[$0])) }
    lengths = [Int](repeating: 0, count: reader.names.count)
    places = .allocate(capacity: max(1, lengths.count * Self.room))
  }

  deinit { places.deallocate() }

  var names: [String] { reader.names }
  var line: Int { reader.line }
  var offset: Int { reader.offset }

  func next() throws -> Bool {
    guard try reader.next() else { return false }
    for position in columns {
      lengths[position] = 0
      let field = reader.field(at: position)
      switch order.read(field.bytes) {
      case .date(let text):
        lengths[position] = text.utf8.count
        for (index, byte) in text.utf8.enumerated() { places[position * Self.room + index] = byte }
      case .otherOrder:
        let name = names[position]
        throw BadRow(
          error: ImportError(
            "\(file), line \(line): \(field.text) in \(name) is no date in the order \(order.rawValue)",
            details: ["d is the day, m the month and y the year: dmy, mdy or ymd"]))
      case .other: break
      }
    }
    return true
  }

  func field(at position: Int) -> ImportField {
    guard lengths.indices.contains(position), lengths[position] > 0 else { return reader.field(at: position) }
    let start = position * Self.room
    return ImportField(
      kind: .untyped, bytes: UnsafeBufferPointer(rebasing: places[start..<start + lengths[position]]))
  }

  func hasField(at position: Int) -> Bool { reader.hasField(at: position) }
}
