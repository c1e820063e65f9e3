#if canImport(FoundationEssentials)
  import FoundationEssentials
#elseif canImport(Foundation)
  import Foundation
#endif

/// The time at which a text is read, the same for all of it.
struct CurrentTime {
  private lazy var date: String? = {
    #if canImport(FoundationEssentials) || canImport(Foundation)
      return DateText.text(secondsSinceReferenceDate: Date().timeIntervalSinceReferenceDate)
    #else
      return nil
    #endif
  }()

  /// Returns the value of `now` or `today`: a date as columns of dates hold it, or its day; `nil` for another word, and on a
  /// platform without a clock.
  mutating func value(of keyword: Keyword?) -> Value? {
    switch keyword {
    case .now: date.map { .text($0) }
    // A day sorts before all instants of that day, and equals the result of `date(…)`.
    case .today: date.map { .text(String($0.prefix(10))) }
    default: nil
    }
  }
}
