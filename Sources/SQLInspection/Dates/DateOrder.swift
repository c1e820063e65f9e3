import Query

/// The order in which a file writes the parts of dates. They become `2024-12-31`, so that they sort and compare as dates.
package enum DateOrder: String, CaseIterable, Hashable, Sendable {
  /// `31.12.2024`, `31/12/2024`.
  case dmy
  /// `12/31/2024`.
  case mdy
  /// `2024/12/31`.
  case ymd

  /// The result of reading a text in an order.
  package enum ReadResult: Equatable {
    /// A date, with a time if the text has one.
    case date(String)
    /// A text with the digits of a date whose parts are in another order.
    case otherOrder
    /// Any other text.
    case other
  }

  /// Reads a text as a date in this order. As in spreadsheets, a year of two digits is one of the years 1930 to 2029.
  package func read(_ bytes: UnsafeBufferPointer<UInt8>) -> ReadResult {
    // Most texts show it by their length or their first letter.
    guard (6...30).contains(bytes.count), Self.isDigit(bytes[0]) else { return .other }
    let text = String(decoding: bytes, as: UTF8.self)
    let day = text.prefix { $0 != " " && $0 != "T" }
    guard let separator = day.first(where: { !$0.isNumber }), "./-".contains(separator) else { return .other }
    let parts = day.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isDigit) }) else {
      return .other
    }
    let (year, month, dayOfMonth) =
      switch self {
      case .dmy: (parts[2], parts[1], parts[0])
      case .mdy: (parts[2], parts[0], parts[1])
      case .ymd: (parts[0], parts[1], parts[2])
      }
    // A day and a month have two digits at most, as `123-45-6789` has not.
    guard parts[1].count <= 2, parts[0].count <= 2 || parts[2].count <= 2 else { return .other }
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

  /// The date of a text that writes the whole year: `06.07.2021`, `7/6/2021` with the month first, and `2021/07/06`; `nil` for
  /// any other text.
  static func date(fromAnyOrder text: String) -> String? {
    guard let separator = text.first(where: { !$0.isNumber }), separator != "-" else { return nil }
    for order in [separator == "." ? dmy : mdy, ymd] {
      if case .date(let date) = Array(text.utf8).withUnsafeBufferPointer(order.read), text.contains(date.prefix(4)) {
        return date
      }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// The time behind a day, with a blank before it; `nil` for what is none.
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
