/// The form in which the numbers of a column represent dates.
package enum NumericDateForm: String, CaseIterable, Sendable {
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

  package static let millisecondsPerDay: Int64 = 86_400_000
  /// The Julian day of 1970-01-01 in milliseconds.
  package static let julianMillisecondsOf1970: Int64 = 210_866_760_000_000
  /// The years 0000 to 9999 in seconds since 1970.
  private static let writtenYears: ClosedRange<Int64> = -62_167_219_200...253_402_300_799

  /// The number of units of a second; `nil` where days are counted.
  package var unitsPerSecond: Int64? {
    switch self {
    case .unix, .coreData: 1
    case .milliseconds: 1_000
    case .microseconds, .webkit: 1_000_000
    case .coreDataNanoseconds: 1_000_000_000
    case .julian: nil
    }
  }

  /// The instant from which units are counted, in seconds since 1970.
  package var epoch: Int64 {
    switch self {
    case .unix, .milliseconds, .microseconds, .julian: 0
    case .coreData, .coreDataNanoseconds: 978_307_200
    case .webkit: -11_644_473_600
    }
  }

  /// The date that a number means, as a text; what is no number stays what it is, and so does a date outside of the years 0000
  /// to 9999. Whole numbers lose nothing, and the fraction has three, six or nine digits.
  package func text(of value: Value) -> Value {
    guard let (seconds, nanoseconds) = instant(of: value), Self.writtenYears.contains(seconds) else { return value }
    let inDay = seconds.modulo(DateText.secondsPerDay)
    let day = DateText.text(ofDay: (seconds - inDay) / DateText.secondsPerDay)
    let time = [inDay / 3_600, inDay / 60 % 60, inDay % 60].map { DateText.padded($0, 2) }.joined(separator: ":")
    var fraction = DateText.padded(nanoseconds, 9)
    while fraction.hasSuffix("000") { fraction.removeLast(3) }
    return .text("\(day) \(time)" + (fraction.isEmpty ? "" : ".\(fraction)"))
  }

  /// The seconds since 1970 and the nanoseconds after; `nil` for what is no number, and for one far outside of any calendar.
  private func instant(of value: Value) -> (seconds: Int64, nanoseconds: Int64)? {
    switch value {
    case .integer(let integer):
      guard let units = unitsPerSecond else { return instant(of: .real(Double(integer))) }
      let rest = integer.modulo(units)
      let whole = integer / units - (integer % units < 0 ? 1 : 0)
      guard whole.magnitude < 1_000_000_000_000 else { return nil }
      return (whole + epoch, rest * (1_000_000_000 / units))
    case .real(let real):
      // A Julian day is exact to a tenth of a millisecond or so, and a number of seconds below 2^32 to half a microsecond.
      guard let units = unitsPerSecond else {
        let milliseconds = (real * Double(Self.millisecondsPerDay)).rounded() - Double(Self.julianMillisecondsOf1970)
        return Self.instant(milliseconds, perSecond: 1_000)
      }
      let counted = real / Double(units)
      guard counted.magnitude < 1e12 else { return nil }
      // The whole and the rest are exact, as a sum with the epoch would not be.
      let whole = counted.rounded(.down)
      let perSecond: Int64 = counted.magnitude < 0x1p32 ? 1_000_000 : 1_000
      let rest = Int64(((counted - whole) * Double(perSecond)).rounded())
      return (Int64(whole) + epoch + rest / perSecond, rest % perSecond * (1_000_000_000 / perSecond))
    default: return nil
    }
  }

  private static func instant(_ count: Double, perSecond: Int64) -> (seconds: Int64, nanoseconds: Int64)? {
    guard count.magnitude < 1e12 * Double(perSecond) else { return nil }
    let (count, rest) = (Int64(count), Int64(count).modulo(perSecond))
    return ((count - rest) / perSecond, rest * (1_000_000_000 / perSecond))
  }
}

extension Int64 {
  /// The remainder from 0 on, of negative numbers too.
  fileprivate func modulo(_ divisor: Int64) -> Int64 {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
