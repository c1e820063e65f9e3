/// A day of the Gregorian calendar.
package struct CalendarDay: Hashable, CustomStringConvertible {
  /// The number of days since 1970-01-01.
  package let number: Int

  package init(number: Int) { self.number = number }

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
    return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
  }

  package static func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - "\(number)".count)) + "\(number)"
  }
}
