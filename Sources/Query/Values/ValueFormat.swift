/// A text format in which each value has exactly one text: that of UUIDs, of dates, or of decimals.
///
/// A column of such a type holds no other text, so that comparisons find what reads back: another program's text for the
/// same UUID or instant is a different text.
public enum ValueFormat: String, Hashable, Sendable, CaseIterable {
  /// The format of UUIDs in lowercase: `e621e1f8-c36c-495a-93fc-000c247a3e6e`.
  case uuid
  /// The format of dates in UTC with nine fraction digits: `2026-11-20T23:11:00.000000000Z`.
  case date
  /// The format of decimals, with a prefix that makes the order of texts that of numbers: `001 9.99`, `003 125.5`, `-998
  /// 0.00~ -9.99`.
  case decimal

  /// An example of a text in this format.
  package var example: String {
    switch self {
    case .uuid: "e621e1f8-c36c-495a-93fc-000c247a3e6e"
    case .date: "2026-11-20T23:11:00.000000000Z"
    case .decimal: "001 9.99"
    }
  }

  /// An example of such a value in a query.
  package var spelling: String { self == .decimal ? "9.99" : example }

  /// The plural name of such texts.
  package var plural: String {
    switch self {
    case .uuid: "UUIDs"
    case .date: "dates"
    case .decimal: "decimals"
    }
  }

  /// Returns whether a text is the canonical text of a value.
  package func isCanonical(_ text: String) -> Bool {
    switch self {
    case .uuid:
      var text = text
      return text.withUTF8(Self.uuidTemplate.matches)
    case .date: return DateText.secondsSinceReferenceDate(text) != nil
    case .decimal: return DecimalText.isCanonical(text)
    }
  }

  /// Returns whether a text is a prefix of some value's text. Such a text is meaningful in the order: `2026-11` sorts before
  /// all dates of that month.
  package func isBeginning(_ text: String) -> Bool {
    guard let template else { return false }
    var text = text
    return text.withUTF8(template.begins)
  }

  /// Returns the form of a value that denotes a UUID, date or decimal differently than this format; `nil` for a text in the
  /// format, and for a value that denotes none.
  package func otherForm(of value: Value) -> NonCanonicalForm? {
    if case .text(let text) = value, isCanonical(text) { return nil }
    return NonCanonicalForm(value, meaning: self)
  }

  fileprivate static let uuidTemplate = TextTemplate("xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
  static let dateTemplate = TextTemplate("0000-00-00T00:00:00.000000000Z")

  private var template: TextTemplate? {
    switch self {
    case .uuid: Self.uuidTemplate
    case .date: Self.dateTemplate
    case .decimal: nil
    }
  }
}

/// A template for the characters of a text: `0` is any digit, `x` a hexadecimal digit in lowercase, every other character is
/// itself.
struct TextTemplate: Sendable {
  private let bytes: [UInt8]

  init(_ template: String) {
    bytes = Array(template.utf8)
  }

  /// Returns whether a whole text fits.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8(matches)
  }

  /// Returns whether a whole text fits.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool { text.count == bytes.count && begins(text) }

  /// Returns whether a text is a prefix of a text that fits.
  func begins(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if text.count > bytes.count { return false }
    for (byte, expected) in zip(text, bytes) {
      let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      switch expected {
      case UInt8(ascii: "0"): if !isDigit { return false }
      case UInt8(ascii: "x"):
        if !isDigit, !(UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte) { return false }
      default: if byte != expected { return false }
      }
    }
    return true
  }
}

/// A form, other than the canonical one of ``ValueFormat``, in which other programs store UUIDs, dates and decimals.
package enum NonCanonicalForm: String, Hashable, Sendable, CaseIterable {
  /// A UUID in uppercase, as Foundation's `uuidString` writes it.
  case capitalUUID
  /// A UUID in braces, as in Microsoft's programs, or as a URN, `urn:uuid:…` (RFC 9562), in either case.
  case wrappedUUID
  /// The 32 digits of a UUID, in either case.
  case unhyphenatedUUID
  /// The 16 bytes of a UUID.
  case binaryUUID
  /// `2026-11-20T23:11:00Z`, or with a number of fraction digits other than nine.
  case shortDate
  /// `2026-11-20 23:11:00.000`, as SQLite's own functions write it, and other texts that lack the `T` or a time zone.
  case localDate
  /// `2026-11-20T23:11:00+01:00`, also with `+0100` or `+01`, and `2026-11-20 23:11:00 +0000`, as Swift prints a `Date`.
  case offsetDate
  /// A date without seconds, with `t` or `z` in lowercase, or with `UTC` or `GMT` behind a blank; otherwise as one of the
  /// forms above.
  case variantDate
  /// A fraction of a second that is finer than a `Date`, such as one that was written in nanoseconds.
  case fineDate
  /// `2026-11-20`.
  case day
  /// An integer, such as seconds since 1970.
  case integerDate
  /// A real, such as seconds since 2001.
  case realDate
  /// A decimal as a text, without the prefix for its order.
  case plainDecimal
  /// A decimal as an integer or a real.
  case numericDecimal

  /// Whether a value of this form is recognizable on its own: 16 bytes may be a hash, and an integer anything.
  package var isUnambiguous: Bool {
    switch self {
    case .capitalUUID, .wrappedUUID, .shortDate, .localDate, .offsetDate, .variantDate: true
    case .unhyphenatedUUID, .binaryUUID, .fineDate, .day, .integerDate, .realDate, .plainDecimal, .numericDecimal: false
    }
  }

  /// The description of such a value, in one phrase.
  package var phrase: String {
    switch self {
    case .capitalUUID: "a UUID in capital letters"
    case .wrappedUUID: "a UUID in braces or as a URN"
    case .unhyphenatedUUID: "a UUID without hyphens"
    case .binaryUUID: "a UUID as 16 bytes"
    case .shortDate: "a date with another number of fraction digits"
    case .localDate: "a date without `T` or time zone"
    case .offsetDate: "a date with an offset from UTC"
    case .variantDate: "a date without seconds, or with `t`, `z`, `UTC` or `GMT`"
    case .fineDate: "a date with a fraction finer than a `Date`"
    case .day: "a day without a time"
    case .integerDate: "an integer"
    case .realDate: "a real"
    case .plainDecimal: "a decimal without the digits that define the order"
    case .numericDecimal: "a number"
    }
  }

  /// The advice where the column's name is not known.
  var advice: String {
    switch self {
    case .fineDate: "store the value as a `String`, or cut the fraction to six digits"
    case .realDate: "store the value as a `Double`, or convert the numbers to dates in a migration"
    default: "convert the stored values"
    }
  }

  /// Makes the form of a value that is not a text in the format.
  fileprivate init?(_ value: Value, meaning format: ValueFormat) {
    let form: NonCanonicalForm? =
      switch (format, value) {
      case (.uuid, .blob(let bytes)): bytes.count == 16 ? .binaryUUID : nil
      case (.uuid, .text(let text)): Self.uuid(text)
      case (.date, .text(let text)): Self.date(text)
      case (.date, .integer): .integerDate
      case (.date, .real): .realDate
      case (.decimal, .text(let text)): DecimalText.canonical(text) == nil ? nil : .plainDecimal
      case (.decimal, .integer), (.decimal, .real): .numericDecimal
      default: nil
      }
    guard let form else { return nil }
    self = form
  }

  private static func uuid(_ text: String) -> NonCanonicalForm? {
    guard [32, 36, 38, 45].contains(text.utf8.count) else { return nil }
    var lowercase = text.lowercased()
    if ValueFormat.uuid.isCanonical(lowercase) { return .capitalUUID }
    for (start, end) in [("{", "}"), ("urn:uuid:", "")] where lowercase.hasPrefix(start) && lowercase.hasSuffix(end) {
      let inner = String(lowercase.dropFirst(start.count).dropLast(end.count))
      if ValueFormat.uuid.isCanonical(inner) { return .wrappedUUID }
    }
    let isHexadecimal = lowercase.withUTF8 {
      $0.allSatisfy { byte in byte < 0x80 && Character(Unicode.Scalar(byte)).isHexDigit }
    }
    return lowercase.utf8.count == 32 && isHexadecimal ? .unhyphenatedUUID : nil
  }

  private static let dayTemplate = TextTemplate("0000-00-00")
  private static let secondTemplate = TextTemplate("0000-00-00T00:00:00")
  private static let spacedTemplate = TextTemplate("0000-00-00 00:00:00")
  /// The offset from UTC after its sign: ISO 8601 allows it without the colon or without minutes.
  private static let offsetTemplates = [TextTemplate("00:00"), TextTemplate("0000"), TextTemplate("00")]

  private static func date(_ text: String) -> NonCanonicalForm? {
    if text.utf8.count == 10 {
      // The day is read as its midnight, so that a day that does not exist is refused.
      var text = text
      return text.withUTF8(dayTemplate.matches) && time(text + "T00:00:00Z") != nil ? .day : nil
    }
    if let form = time(text) { return form }
    guard let strict = strictDate(text), let form = time(strict) else { return nil }
    return form == .fineDate ? .fineDate : .variantDate
  }

  /// Returns a text with capital letters, with its seconds and with `Z` for `UTC` and `GMT`; `nil` if that changes nothing.
  private static func strictDate(_ text: String) -> String? {
    var text = text
    guard text.utf8.count >= 16, text.withUTF8({ dayTemplate.matches(UnsafeBufferPointer(rebasing: $0[..<10])) })
    else { return nil }
    func uppercase(_ byte: UInt8) -> UInt8 { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte - 32 : byte }
    let original = Array(text.utf8)
    var bytes = original.map(uppercase)
    if bytes.suffix(4).elementsEqual(" UTC".utf8) || bytes.suffix(4).elementsEqual(" GMT".utf8) {
      bytes.replaceSubrange((bytes.count - 4)..., with: "Z".utf8)
    }
    if bytes.count == 16 || bytes.count > 16 && "Z +-".utf8.contains(bytes[16]) {
      bytes.insert(contentsOf: ":00".utf8, at: 16)
    }
    return bytes == original ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the form of a day with a time to the second.
  private static func time(_ text: String) -> NonCanonicalForm? {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count >= 19 else { return nil }
      let start = UnsafeBufferPointer(rebasing: bytes[..<19])
      let hasT = secondTemplate.matches(start)
      guard hasT || spacedTemplate.matches(start) else { return nil }
      var end = 19
      var nanoseconds: Int64 = 0
      var digits = 0
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
        let fraction = bytes[20...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        digits = fraction.count
        if digits == 0 { return nil }
        end += 1 + digits
        nanoseconds = DateText.number(fraction.prefix(9)) ?? 0
        for _ in min(digits, 9)..<9 { nanoseconds *= 10 }
      }
      guard let instant = DateText.instant(bytes, nanoseconds: nanoseconds) else { return nil }
      let zone = UnsafeBufferPointer(rebasing: bytes[end...])
      // A `Date` prints as `2026-11-20 23:11:00 +0000`.
      let offset = UnsafeBufferPointer(rebasing: zone.drop { $0 == UInt8(ascii: " ") })
      let hasOffset =
        offset.count > 1 && (offset[0] == UInt8(ascii: "+") || offset[0] == UInt8(ascii: "-"))
        && offsetTemplates.contains { $0.matches(UnsafeBufferPointer(rebasing: offset[1...])) }
      let isUTC = zone.count == 1 && zone[0] == UInt8(ascii: "Z")
      guard zone.isEmpty || isUTC || hasOffset else { return nil }
      if digits > 9 || !DateText.isExact(instant) { return .fineDate }
      return hasOffset ? .offsetDate : hasT && isUTC ? .shortDate : .localDate
    }
  }
}

extension ValueError {
  /// Returns the error for a stored value that is not the canonical text of a format.
  static func notCanonical(_ value: Value, of format: ValueFormat) -> ValueError {
    let noun =
      switch format {
      case .uuid: "UUID"
      case .date: "date"
      case .decimal: "decimal"
      }
    let suggestion = "a \(noun) has the form \(format.example)"
    guard let form = format.otherForm(of: value) else {
      guard case .text = value else { return .mismatch(expected: "the text of a \(noun)", found: value) }
      return ValueError("the stored text is not a \(noun)", suggestion: suggestion)
    }
    return ValueError(
      "expected a \(noun) like \(format.example), found \(form.phrase)", suggestion: form.advice,
      form: form)
  }
}
