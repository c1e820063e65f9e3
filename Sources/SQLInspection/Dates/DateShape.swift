import Query

/// The form in which a column of texts writes dates, in which others are compared with them: `2024-01-02 10:00:00` sorts
/// before `2024-01-02T00:00:00Z` as a text.
struct DateShape {
  /// The character between the day and the time; `nil` for days without a time.
  private var separator: Character?
  private var hasSeconds = true
  private var fractionDigits = 0
  /// Whether a `Z` is at the end.
  private var hasZone = false

  /// Whether some of the dates have times.
  var hasTimes: Bool { separator != nil }

  /// Finds out how some of a column's texts are written.
  ///
  /// - Returns: `nil` unless most are dates, and all times have the same letter before them. Other texts sort before all dates, or
  ///   after them, whatever the dates are compared with.
  init?(of texts: [String]) {
    let sample = texts.filter { DateParts($0) != nil }
    guard sample.count * 2 > texts.count else { return nil }
    let times = sample.filter { $0.utf8.count > 10 }
    let separators = Set(times.map { $0[$0.index($0.startIndex, offsetBy: 10)] })
    if separators.count > 1 { return nil }
    separator = separators.first
    hasZone = !times.isEmpty && times.allSatisfy { $0.hasSuffix("Z") }
    hasSeconds = times.contains { $0.dropFirst(16).first == ":" }
    let fractions = Set(times.map { $0.split(separator: ".").dropFirst().first?.filter(\.isNumber).count ?? 0 })
    fractionDigits = fractions.count == 1 ? fractions.first ?? 0 : 0
  }

  /// Returns an instant as the column writes it; a day stays what it is.
  ///
  /// - Returns: `nil` for a text that is no date.
  func text(of date: String) -> String? {
    if CalendarDay(date) != nil { return date }
    // Both know offsets from UTC, in which a text without one is.
    let form = NumericDateForm.microseconds
    guard let number = form.number(of: date), case .text(let instant) = form.text(of: number) else { return nil }
    let (day, time) = (instant.prefix(10), instant.dropFirst(11).prefix(8))
    let fraction = instant.dropFirst(20)
    guard let separator else { return time == "00:00:00" && fraction.isEmpty ? String(day) : date }
    var text = "\(day)\(separator)\(hasSeconds || !time.hasSuffix(":00") || !fraction.isEmpty ? time : time.prefix(5))"
    // More digits than the column has are equal to none of its texts. Before a `Z` they would sort before the instant without
    // them, and behind it between that one and the next.
    let digits = fraction.padded(to: fractionDigits)
    let written = hasZone ? digits.prefix(fractionDigits) : digits[...]
    if !written.isEmpty { text += ".\(written)" }
    return hasZone ? text + "Z" + digits.dropFirst(fractionDigits) : text
  }
}

extension Substring {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: "0", count: Swift.max(0, count - self.count))
  }
}
