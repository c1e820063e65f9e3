import CSV
import Query
import SQLInspection

/// The search for an option that would read all values of a column of texts as numbers or dates.
struct TextSpelling {
  /// A notation that an option reads.
  private enum Form: CaseIterable {
    case decimalComma, thousandsComma, dayFirst, monthFirst, yearFirst
    case signed, signedThousandsComma, signedDecimalComma

    /// The style of numbers that have something around them; `nil` of any other form.
    var signedStyle: NumberStyle? {
      switch self {
      case .signed: .plain
      case .signedThousandsComma: .thousandsComma
      case .signedDecimalComma: .decimalComma
      default: nil
      }
    }

    /// Returns whether the option reads a text.
    func reads(_ field: ImportField) -> Bool {
      switch self {
      case .decimalComma: isNumber(field, .decimalComma)
      case .thousandsComma: isNumber(field, .thousandsComma)
      case .dayFirst: DateOrder.dmy.reads(field)
      case .monthFirst: DateOrder.mdy.reads(field)
      case .yearFirst: DateOrder.ymd.reads(field)
      case .signed, .signedThousandsComma, .signedDecimalComma: false
      }
    }

    private func isNumber(_ field: ImportField, _ style: NumberStyle) -> Bool {
      var field = field
      field.numberStyle = style
      if field.isAddress { return false }
      guard var number = field.respelledNumber else { return NumberSyntax(field.bytes) != .none }
      return number.withUTF8 { NumberSyntax($0) != .none }
    }
  }

  /// A form, as long as at most one text is written otherwise.
  private struct Candidate {
    let form: Form
    /// The text that is written otherwise, for people to see.
    var misfit: (text: String, shown: String)?
    var count = 0
    var example = ""
  }

  private var candidates = Form.allCases.map { Candidate(form: $0) }
  /// The units of the numbers so far.
  private var units = NumberUnits.Column("")

  /// Observes the first text or a later value.
  ///
  /// - Parameter shown: makes the text with its place, for people to see.
  mutating func observe(_ field: ImportField, _ shown: () -> String) {
    // In most columns of texts, the first two values have none of the forms.
    if candidates.isEmpty { return }
    let isSigned = candidates.contains { $0.form.signedStyle != nil } && !field.isTelephoneNumber
    let number = isSigned ? SignedNumber(field.bytes) : nil
    let isOther = number.map { hasOtherUnit($0.unit, isZero: $0.isZero) } ?? false
    for index in candidates.indices.reversed() {
      let form = candidates[index].form
      let isRead = form.signedStyle.map { !isOther && number?.number(in: $0) != nil } ?? form.reads(field)
      if isRead {
        candidates[index].count += 1
        if candidates[index].count == 1 { candidates[index].example = shown() }
      } else if candidates[index].misfit == nil {
        candidates[index].misfit = (field.text, shown())
      } else if candidates[index].misfit?.text != field.text {
        candidates.remove(at: index)
      }
    }
  }

  /// Returns whether a number has another unit than those before it.
  private mutating func hasOtherUnit(_ unit: String, isZero: Bool) -> Bool {
    units.take(unit: unit, isZero: isZero) { .init(unit: unit, text: "", file: "", line: 0) } != nil
  }

  /// Observes the numbers before the first text.
  ///
  /// - Parameter haveFractions: whether a number has a decimal point.
  mutating func observeNumbers(haveFractions: Bool) {
    _ = hasOtherUnit("", isZero: false)
    candidates.removeAll { candidate in
      switch candidate.form {
      case .thousandsComma, .signed, .signedThousandsComma: false
      case .decimalComma, .signedDecimalComma: haveFractions
      case .dayFirst, .monthFirst, .yearFirst: true
      }
    }
  }

  /// The only text that is written otherwise than two or more texts beside it; `nil` if there is none.
  var misfit: String? {
    let partial = candidates.filter { $0.misfit != nil && $0.count > 1 }.max { $0.count < $1.count }
    guard let partial, let misfit = partial.misfit else { return nil }
    let isDate = [.dayFirst, .monthFirst, .yearFirst].contains(partial.form)
    return "\(misfit.shown) is not a \(isDate ? "date" : "number") like \(partial.example)"
  }

  private var forms: [Form] { candidates.filter { $0.misfit == nil }.map(\.form) }

  /// Returns the option that reads all values of the column, and what they become; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - example: the first text.
  ///   - column: the name of the column.
  func advice(_ example: String, _ column: String) -> String? {
    let forms = forms
    // `1,200` may be either.
    let styles = [(Form.thousandsComma, "--thousands-comma"), (.decimalComma, "--decimal-comma")]
    let numbers = styles.filter { forms.contains($0.0) }.map(\.1)
    if !numbers.isEmpty { return "\(numbers.joined(separator: " or ")) reads the numbers, such as \(example)" }
    let orders = zip([Form.dayFirst, .monthFirst, .yearFirst], DateOrder.allCases).filter { forms.contains($0.0) }
    if orders.isEmpty { return signedAdvice(example, column) }
    return "--date-order \(orders.map(\.1.rawValue).joined(separator: " or ")) reads the dates, such as \(example)"
  }

  private func signedAdvice(_ example: String, _ column: String) -> String? {
    let name = column.contains(where: { !$0.isLetter && !$0.isNumber && $0 != "_" }) ? "'\"\(column)\"'" : column
    let option = "--numbers \(name)"
    if forms.contains(.signed) { return "\(option) reads the numbers, such as \(example)" }
    let styles = [(Form.signedThousandsComma, "--thousands-comma"), (.signedDecimalComma, "--decimal-comma")]
    let fitting = styles.filter { forms.contains($0.0) }.map(\.1)
    if fitting.isEmpty { return nil }
    return "\(option) with \(fitting.joined(separator: " or ")) reads the numbers, such as \(example)"
  }
}

extension DateOrder {
  /// Returns whether a field is a date in this order, and not already in the format to which dates are converted.
  fileprivate func reads(_ field: ImportField) -> Bool {
    // With a `T` between the day and the time, it is a date already.
    if DateParts(field.text) != nil { return false }
    if case .date(let text) = read(field.bytes) { return !text.utf8.elementsEqual(field.bytes) }
    return false
  }
}
