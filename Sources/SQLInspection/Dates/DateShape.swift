import Query

/// The form in which a column of texts writes dates, in which others are compared with them: `2024-01-02 10:00:00` sorts
/// before `2024-01-02T00:00:00Z` as a text.
struct DateShape {
  /// The character between the day and the time; `nil` for days without a time.
  private var separator: Character?
  private var hasSeconds = true
  private var fractionDigits = 0
  /// The zone at the end of all times, UTC in one of its spellings: `Z`, `+00:00`.
  private var zone: Substring = ""
  /// Whether times of the same instant may be different texts: some have seconds or digits of a fraction that others lack.
  private(set) var isMixed = false

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
    let zones = Set(times.map(Self.zone))
    // Texts of several zones do not sort by time.
    if zones.contains(where: { !["", "Z"].contains($0) && (zones.count > 1 || !Self.isUTC($0)) }) { return nil }
    let separators = Set(times.map { $0[$0.index($0.startIndex, offsetBy: 10)] })
    if separators.count > 1 { return nil }
    separator = separators.first
    zone = zones.count == 1 ? zones.first ?? "" : ""
    hasSeconds = times.contains { $0.dropFirst(16).first == ":" }
    let fractions = Set(times.map { $0.split(separator: ".").dropFirst().first?.filter(\.isNumber).count ?? 0 })
    fractionDigits = fractions.count == 1 ? fractions.first ?? 0 : 0
    isMixed =
      fractions.count > 1 || zones.count > 1 || hasSeconds && times.contains { $0.dropFirst(16).first != ":" }
  }

  /// Returns the zone at the end of a time, with a blank before it: `Z`, `+02:00`, ` +02`.
  private static func zone(of time: String) -> Substring {
    if time.hasSuffix("Z") { return "Z" }
    guard let sign = time.dropFirst(16).firstIndex(where: { "+-".contains($0) }) else { return "" }
    let start = time.index(before: sign)
    return time[start] == " " ? time[start...] : time[sign...]
  }

  private static func isUTC(_ zone: Substring) -> Bool { !zone.contains { $0.isNumber && $0 != "0" } }

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
    // them, and behind it between that one and the next. A sign sorts before all digits.
    let digits = fraction.padded(to: fractionDigits)
    let written = zone == "Z" ? digits.prefix(fractionDigits) : digits[...]
    if !written.isEmpty { text += ".\(written)" }
    return text + zone + (zone == "Z" ? digits.dropFirst(fractionDigits) : "")
  }
}

extension Substring {
  fileprivate func padded(to count: Int) -> String {
    self + String(repeating: "0", count: Swift.max(0, count - self.count))
  }
}
