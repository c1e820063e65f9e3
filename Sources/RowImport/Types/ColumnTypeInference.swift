import CSV
import Query

/// The facts about a column of a new table that the records so far show.
struct ColumnTypeInference {
  /// The evidence of numbers, and of untyped texts.
  private var evidence = ColumnEvidence()
  private var hasNumber = false
  /// Whether there was an infinity as JSON has to write it, in a string, which counts as an infinity only beside numbers.
  private var hasInfinity = false
  /// Whether there was an infinity as other formats write it.
  private var hasPlainInfinity = false
  private var hasString = false
  private var spelling = TextSpelling()
  /// Whether a record has a value in the column.
  private(set) var hasValue = false
  /// The first value that is not a number, for messages.
  private var firstText: String?
  /// The reason why that value is not a number of the column, as a clause.
  private(set) var reason: String?
  /// Whether there are numbers before or after that value.
  private(set) var hasNumbersToo = false
  private var grouped = GroupedNumbers()
  private var numberCount = 0
  private var textCount = 0
  /// The words for null among the values, as long as there are no other texts.
  private var nullWords: Set<String>? = []

  /// The words that programs write for a missing value.
  private static let knownNullWords: Set<String> = [
    "NA", "N/A", "#N/A", "n/a", "na", "NULL", "null", "None", "none", "nil", "\\N", "NaN", "nan", "-", "--", ".", "..",
    "?", "",
  ]

  /// Observes a field.
  ///
  /// - Parameter shown: makes the text with its place, for messages.
  mutating func observe(_ field: ImportField, _ shown: () -> String) {
    switch field.kind {
    case .absent: return
    case .untyped: observeUntyped(field, shown)
    case .number, .boolean:
      hasNumber = true
      let wasText = evidence.hasText
      evidence.observe(field.bytes)
      if evidence.hasText, !wasText {
        noteText(field, shown)
        hasNumbersToo = true
      }
    case .string:
      if SpelledInfinity.json(field.bytes) != nil { hasInfinity = true } else { hasString = true }
    case .nested: hasString = true
    }
    hasValue = true
  }

  private mutating func observeUntyped(_ field: ImportField, _ shown: () -> String) {
    if SpelledInfinity.plain(field.bytes) != nil {
      hasPlainInfinity = true
      return
    }
    let wasText = evidence.hasText
    var number = field.isAddress ? nil : field.respelledNumber
    if wasText, !hasNumbersToo {
      hasNumbersToo = (number?.withUTF8 { NumberSyntax($0) } ?? NumberSyntax(field.bytes)) != .none
    }
    if wasText {
      countText(field, isNumber: (number?.withUTF8 { NumberSyntax($0) } ?? NumberSyntax(field.bytes)) != .none)
      spelling.observe(field, shown)
    }
    number?.withUTF8 { evidence.observe($0) } ?? evidence.observe(field.bytes)
    if !evidence.hasText {
      numberCount += 1
      grouped.observe(field.bytes)
    }
    if !evidence.hasText || wasText { return }
    countText(field, isNumber: Self.problem(of: field.text) != Self.notANumber)
    noteText(field, shown)
    hasNumbersToo = evidence.hasInteger || evidence.hasReal
    if hasNumbersToo { spelling.observeNumbers(haveFractions: evidence.hasReal) }
    spelling.observe(field, shown)
  }

  private mutating func countText(_ field: ImportField, isNumber: Bool) {
    if isNumber {
      numberCount += 1
      return
    }
    textCount += 1
    if nullWords == nil { return }
    let word = field.bytes.count <= 4 ? field.text : nil
    if let word, Self.knownNullWords.contains(word) { nullWords?.insert(word) } else { nullWords = nil }
  }

  /// The words for null that make a column of numbers text, in alphabetical order; empty if there are other texts.
  var nullWordsAmongNumbers: [String] {
    hasNumbersToo && !hasNumber && !hasString ? nullWords?.sorted() ?? [] : []
  }

  /// Whether at least half of the values are numbers, so that a text among them may be a mistake.
  var areMostlyNumbers: Bool { hasNumber || numberCount >= textCount }

  private mutating func noteText(_ field: ImportField, _ shown: () -> String) {
    let text = shown()
    (firstText, reason) = (text, "\(text) \(Self.problem(of: field.text))")
  }

  private static let notANumber = "is not a number"

  /// Why a text is no number that is stored as it is written.
  private static func problem(of text: String) -> String {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    let isPlain = digits.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0) }
    // `007` and `+5` are codes.
    guard isPlain, let first = digits.first, first != UInt8(ascii: "+"), let real = Double(text) else {
      return notANumber
    }
    if digits.allSatisfy({ $0 & 0xF0 == 0x30 }) {
      return first == UInt8(ascii: "0") ? notANumber : "exceeds 64 bits"
    }
    return real.isInfinite ? "exceeds the largest number" : "would lose digits"
  }

  /// The only text that is written otherwise than the numbers or dates beside it; `nil` if there is none.
  var misfit: String? {
    evidence.hasText && !hasNumber && !hasString ? spelling.misfit : nil
  }

  /// A number with three digits behind a point, as all of the column have; `nil` if there is none.
  var groupedNumber: String? { type == .real ? grouped.example : nil }

  /// Returns the option that reads the texts as numbers or dates; `nil` if there is none.
  func advice(_ name: String) -> String? {
    guard evidence.hasText, !hasNumber, !hasString else { return nil }
    return firstText.flatMap { spelling.advice($0, name) }
  }

  /// The narrowest type that loses nothing.
  ///
  /// If the format distinguishes numbers from texts, a column of both stores each in its own type. A number that neither an
  /// `Int64` nor a `Double` holds exactly is stored as it is written.
  var type: ValueType {
    if hasNumber {
      if evidence.hasText { return .text }
      if hasString { return .any }
      let isReal = hasInfinity || evidence.hasReal
      if isReal { return evidence.hasLongInteger ? .any : .real }
      return .integer
    }
    if hasString || hasInfinity { return .text }
    if hasPlainInfinity, !evidence.hasText { return evidence.hasLongInteger ? .text : .real }
    return switch evidence.type {
    case .integer: .integer
    case .real: .real
    case .text: .text
    }
  }
}

/// The search for columns all of whose numbers have one to three digits, a point and three digits, as `1.234`.
private struct GroupedNumbers {
  /// The first number, as long as all are such.
  private(set) var example: String?
  private var areAll = true

  mutating func observe(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard areAll else { return }
    let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? 0
    areAll =
      1...3 ~= point && bytes.count == point + 4 && bytes[0] != UInt8(ascii: "0") && bytes[0] != UInt8(ascii: "-")
    example = areAll ? example ?? String(decoding: bytes, as: UTF8.self) : nil
  }
}
