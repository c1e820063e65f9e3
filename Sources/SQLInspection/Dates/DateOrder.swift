import Query

/// The order in which a file writes the parts of dates. They become `2024-12-31`, so that they sort and compare as dates.
package enum DateOrder: String, CaseIterable, Hashable, Sendable {
  /// `31.12.2024`, `31/12/2024`.
  case dmy
  /// `12/31/2024`.
  case mdy
  /// `2024/12/31`, `20241231`.
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
    guard (6...40).contains(bytes.count), Self.isDigit(bytes[0]) || Self.beginsMonth(bytes[0]) else { return .other }
    let text = String(decoding: bytes, as: UTF8.self)
    if let date = date(withMonthName: text) ?? date(ofDigits: text) { return .date(date) }
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
    if let date = Self.date(year, month, dayOfMonth, time) { return .date(date) }
    return isWhole ? .otherOrder : .other
  }

  private static func date(_ year: Substring, _ month: Substring, _ day: Substring, _ time: String) -> String? {
    let century = year.count == 4 ? "" : year < "30" ? "20" : "19"
    func padded(_ part: Substring) -> String { part.count == 1 ? "0\(part)" : String(part) }
    let date = "\(century)\(year)-\(padded(month))-\(padded(day))\(time)"
    return DateParts(date) == nil ? nil : date
  }

  /// Returns the date of eight digits, `20241231` or `31122024`, in the years 1900 to 2099; `nil` for any other text.
  private func date(ofDigits text: String) -> String? {
    guard text.utf8.count == 8, text.utf8.allSatisfy(Self.isDigit) else { return nil }
    let (two, four) = (text.prefix(2), text.prefix(4))
    let (year, month, day) =
      switch self {
      case .dmy: (text.suffix(4), text.dropFirst(2).prefix(2), two)
      case .mdy: (text.suffix(4), two, text.dropFirst(2).prefix(2))
      case .ymd: (four, text.dropFirst(4).prefix(2), text.suffix(2))
      }
    return "1900"..<"2100" ~= year ? Self.date(year, month, day, "") : nil
  }

  /// Returns the date of a text with an English name of the month: `31 Dec 2024`, `31-Dec-24`, `December 31, 2024`, `31DEC2024`;
  /// `nil` for any other text.
  private func date(withMonthName text: String) -> String? {
    guard text.utf8.contains(where: { Self.beginsMonth($0) }) else { return nil }
    var rest = text[...]
    var parts: [Substring] = []
    while parts.count < 3 {
      if !parts.isEmpty {
        let separator = rest.prefix { " ,./-".contains($0) }
        if separator.count > 2 { return nil }
        rest = rest.dropFirst(separator.count)
      }
      guard let first = rest.utf8.first else { return nil }
      let isNumber = Self.isDigit(first)
      let part = rest.prefix { isNumber ? $0.isASCII && $0.isNumber : $0.isLetter }
      if part.isEmpty { return nil }
      parts.append(part)
      rest = rest.dropFirst(part.count)
    }
    guard let position = parts.firstIndex(where: { $0.first?.isLetter == true }),
      let month = Self.month(named: parts[position].lowercased())
    else { return nil }
    parts.remove(at: position)
    // The number of four digits is the year; of two numbers of two digits, the order tells.
    let isYearFirst = parts[0].count == 4 || parts[1].count < 4 && self == .ymd && position == 1
    let (year, day) = isYearFirst ? (parts[0], parts[1]) : (parts[1], parts[0])
    guard day.count <= 2, year.count == 4 || year.count == 2, day.allSatisfy(\.isNumber), year.allSatisfy(\.isNumber),
      rest.isEmpty || " T".contains(rest.first ?? "T"), let time = Self.time(rest)
    else { return nil }
    return Self.date(year, Substring(String(month)), day, time)
  }

  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
  ]

  /// Returns the number of the month with an English name, whole or of its first three letters, and `Sept`.
  private static func month(named name: String) -> Int? {
    months.firstIndex { $0 == name || $0.prefix(3) == name || name == "sept" && $0 == "september" }.map { $0 + 1 }
  }

  /// Returns whether a letter begins the name of a month, in either case.
  private static func beginsMonth(_ byte: UInt8) -> Bool { "adfjmnos".utf8.contains(byte | 0x20) }

  /// The date of a text that writes the whole year: `06.07.2021`, `7/6/2021` with the month first, `2021/07/06`, `20210706` and
  /// `6 Jul 2021`; `nil` for any other text.
  static func date(fromAnyOrder text: String) -> String? {
    for part in [ymd.date(ofDigits: text), dmy.date(withMonthName: text)] {
      if let part, text.contains(part.prefix(4)) { return part }
    }
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
