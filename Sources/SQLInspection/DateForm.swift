package import Query

/// How the numbers of a column represent dates.
package enum DateForm: String, CaseIterable, Sendable {
  /// Seconds since 1970.
  case unix
  /// Milliseconds since 1970.
  case milliseconds
  /// Microseconds since 1970, as Firefox has them.
  case microseconds
  /// Days since noon of 24 November 4714 BC, as in SQLite's `julianday`.
  case julian
  /// Seconds since 2001, as in Apple's Core Data.
  case coreData = "core-data"
  /// Nanoseconds since 2001, as in the messages of iPhones.
  case coreDataNanoseconds = "core-data-nanoseconds"
  /// Microseconds since 1601, as in Chrome.
  case webkit

  private static let secondsPerDay: Double = 86_400
  private static let julianDayOf1970 = 2_440_587.5
  private static let secondsTo2001: Double = 978_307_200
  private static let secondsSince1601: Double = 11_644_473_600

  /// Returns the number that represents a date; `nil` for a text that is not one.
  package func number(of text: String) -> Value? {
    guard let parts = DateParts(text), let seconds = Self.seconds(parts, text) else { return nil }
    switch self {
    case .unix: return Self.number(seconds)
    case .milliseconds: return Self.number(seconds * 1_000)
    case .microseconds: return Self.number((seconds * 1e6).rounded())
    case .coreData: return Self.number(seconds - Self.secondsTo2001)
    case .coreDataNanoseconds: return Self.number(((seconds - Self.secondsTo2001) * 1e9).rounded())
    case .webkit: return Self.number(((seconds + Self.secondsSince1601) * 1e6).rounded())
    case .julian: return .real(seconds / Self.secondsPerDay + Self.julianDayOf1970)
    }
  }

  /// Returns the date that a number represents, as a text; any other value is returned unchanged.
  package func text(of value: Value) -> Value {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .real(let real): number = real
    default: return value
    }
    let seconds: Double =
      switch self {
      case .unix: number
      case .milliseconds: number / 1_000
      case .microseconds: number / 1e6
      case .coreData: number + Self.secondsTo2001
      case .coreDataNanoseconds: number / 1e9 + Self.secondsTo2001
      case .webkit: number / 1e6 - Self.secondsSince1601
      case .julian: (number - Self.julianDayOf1970) * Self.secondsPerDay
      }
    guard seconds.magnitude < 1e11 else { return value }
    // A Julian day is exact to a tenth of a millisecond or so.
    let milliseconds = Int((seconds * 1_000).rounded())
    let fraction = ((milliseconds % 1_000) + 1_000) % 1_000
    let whole = (milliseconds - fraction) / 1_000
    let second = ((whole % 86_400) + 86_400) % 86_400
    let day = CalendarDay(number: (whole - second) / 86_400)
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    let time = "\(padded(second / 3_600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    return .text("\(day) \(time)" + (fraction > 0 ? ".\(padded(fraction, 3))" : ""))
  }

  /// Whether a number would be a date of our time.
  func isLikely(for value: Value) -> Bool {
    guard case .text(let text) = text(of: value), let year = Int(text.prefix(4)) else { return false }
    return 1980...2060 ~= year
  }

  private static func number(_ seconds: Double) -> Value {
    Int64(exactly: seconds).map(Value.integer) ?? .real(seconds)
  }

  private static func seconds(_ parts: DateParts, _ text: String) -> Double? {
    guard let day = CalendarDay(String(text.prefix(10))) else { return nil }
    func part(_ function: ExpressionFunction) -> Double {
      if case .integer(let integer) = parts.value(of: function) { Double(integer) } else { 0 }
    }
    let point = text.firstIndex(of: ".")
    let fraction = point.flatMap { Double("0" + text[$0...].prefix { $0 != "Z" }) } ?? 0
    return Double(day.number) * secondsPerDay + part(.hour) * 3_600 + part(.minute) * 60 + part(.second) + fraction
  }
}

/// A day of the Gregorian calendar.
package struct CalendarDay: Hashable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  let number: Int

  init(number: Int) { self.number = number }

  /// Reads `2021-07-06`; `nil` for any other text.
  init?(_ text: String) {
    guard text.utf8.count == 10, DateParts(text) != nil else { return nil }
    let parts = text.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3 else { return nil }
    number = Self.number(year: parts[0], month: parts[1], day: parts[2])
  }

  /// Reads a date in other common notations: `06.07.2021`, `7/6/2021` with the month first, and `2021/07/06`.
  init?(otherForm text: String) {
    for (separator, order) in [(".", [2, 1, 0]), ("/", [2, 0, 1])] as [(Character, [Int])] {
      let parts = text.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) && $0.count <= 4 }) else {
        continue
      }
      let isYearFirst = parts[0].count == 4
      let ordered = isYearFirst ? [0, 1, 2] : order
      guard parts[ordered[0]].count == 4 else { continue }
      let numbers = ordered.map { index in
        String(repeating: "0", count: max(0, 2 - parts[index].count)) + parts[index]
      }
      if let day = CalendarDay(numbers.joined(separator: "-")) {
        self = day
        return
      }
    }
    return nil
  }

  var next: CalendarDay { CalendarDay(number: number + 1) }

  package var description: String {
    // https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let ofEra = shifted - era * 146_097
    let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * ofYear + 2) / 153
    let day = ofYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int, _ width: Int) -> String {
      String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }

  private static func number(year: Int, month: Int, day: Int) -> Int {
    // https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + ofYear - 719_468
  }
}
