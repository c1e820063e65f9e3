/// A day of the Gregorian calendar.
package struct CalendarDay: Hashable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  package let number: Int

  package init(number: Int) { self.number = number }

  package var description: String {
    let (year, month, day) = DateText.civil(day: Int64(number))
    return "\(Self.padded(Int(year), 4))-\(Self.padded(Int(month), 2))-\(Self.padded(Int(day), 2))"
  }

  package static func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
  }
}
