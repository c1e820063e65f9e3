import Query

/// The order in which a file writes the parts of dates. They become `2024-12-31`, so that they sort and compare as dates.
package enum DateOrder: String, CaseIterable, Hashable, Sendable {
  /// `31.12.2024`, `31/12/2024`.
  case dmy
  /// `12/31/2024`.
  case mdy
  /// `2024/12/31`.
  case ymd

  /// The kind of a text.
  enum Reading: Equatable {
    /// A date, perhaps with a time.
    case date(String)
    /// A text that looks like a date, but is not one in this order.
    case otherOrder
    case other
  }

  /// Classifies a text. A year of two digits is one from 1930 to 2029, as in spreadsheets.
  func read(_ bytes: UnsafeBufferPointer<UInt8>) -> Reading {
    // Most texts show it by their length or their first letter.
    guard (6...30).contains(bytes.count), bytes[0] &- UInt8(ascii: "0") <= 9 else { return .other }
    let text = String(decoding: bytes, as: UTF8.self)
    let day = text.prefix { $0 != " " && $0 != "T" }
    guard let separator = day.first(where: { !$0.isNumber }), "./-".contains(separator) else { return .other }
    let parts = day.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }) else {
      return .other
    }
    let (year, month, dayOfMonth) =
      switch self {
      case .dmy: (parts[2], parts[1], parts[0])
      case .mdy: (parts[2], parts[0], parts[1])
      case .ymd: (parts[0], parts[1], parts[2])
      }
    let isWhole = parts[0].count == 4 || parts[2].count == 4
    guard year.count == 4 || (year.count == 2 && !isWhole), let time = Self.time(text[day.endIndex...]) else {
      // Dates in ISO order are left as they are.
      return isWhole && DateParts(text) == nil ? .otherOrder : .other
    }
    let century = year.count == 4 ? "" : year < "30" ? "20" : "19"
    func padded(_ part: Substring) -> String { part.count == 1 ? "0\(part)" : String(part) }
    let date = "\(century)\(year)-\(padded(month))-\(padded(dayOfMonth))\(time)"
    if DateParts(date) != nil { return .date(date) }
    return isWhole ? .otherOrder : .other
  }

  /// The time after a day, with a blank before it; `nil` for a text that is not a time.
  private static func time(_ text: Substring) -> String? {
    if text.isEmpty { return "" }
    let words = text.dropFirst().split(separator: " ")
    guard let clock = words.first, words.count <= 2, let colon = clock.firstIndex(of: ":"),
      var hour = Int(clock[..<colon])
    else { return nil }
    if words.count == 2 {
      guard 1...12 ~= hour, ["AM", "PM"].contains(words[1].uppercased()) else { return nil }
      hour = hour % 12 + (words[1].uppercased() == "PM" ? 12 : 0)
    }
    return " \(hour < 10 ? "0" : "")\(hour)\(clock[colon...])"
  }
}

/// Reads records whose dates are written in an order other than ISO's.
final class DatedRecordReader: RecordReader {
  /// More than a date with a time takes.
  private static let room = 40

  private let reader: any RecordReader
  private let order: DateOrder
  private let file: String
  /// The dates of the record, each in a place of its own, and how long they are; 0 for a field that is as it was.
  private let places: UnsafeMutableBufferPointer<UInt8>
  private var lengths: [Int]

  init(_ reader: any RecordReader, _ order: DateOrder, of file: String) {
    (self.reader, self.order, self.file) = (reader, order, file)
    lengths = [Int](repeating: 0, count: reader.names.count)
    places = .allocate(capacity: max(1, lengths.count * Self.room))
  }

  deinit { places.deallocate() }

  var names: [String] { reader.names }
  var line: Int { reader.line }
  var offset: Int { reader.offset }

  func next() throws -> Bool {
    guard try reader.next() else { return false }
    for position in lengths.indices {
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
