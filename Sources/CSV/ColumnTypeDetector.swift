/// Finds out what the columns of a file hold, from all of its records.
///
/// ```swift
/// let reader = try CSVReader(path: "pokemon.csv")
/// var detector = ColumnTypeDetector(columnCount: reader.header.count)
/// while let record = try reader.next() {
///   detector.observe(record)
/// }
/// for (name, column) in zip(reader.header, detector.columns) {
///   print(name, column.type, column.isEverAbsent)
/// }
/// ```
///
/// One record can change a column, so there is no sample: the last line counts as much as the first. The rule for every
/// decision is that nothing of the file is lost, and quotes make no difference, since many programs put them everywhere:
///
/// - A column is ``DetectedType/integer`` when every value is a decimal `Int64` in its one way of writing: no `+`, no
///   spaces, no leading zeros. `007` is a code, and so is a telephone number, whose zeros an integer would drop.
/// - It is ``DetectedType/real`` when every value is a number such as `1`, `-0.5` or `6e23`, is finite as a `Double`, does
///   not vanish to zero and has at most 17 significant digits, which is what a program writes of a `Double` at full
///   precision. Longer decimals were no `Double`. A whole number that a `Double` would round, beyond 2⁵³, makes the
///   column text, and so does a whole number beyond `Int64`.
/// - Everything else is ``DetectedType/text``: dates, `true` and `false`, `NaN`, `1,000`, and an empty text in quotes.
/// - A field without a value makes the column nullable and says nothing about its type. A column without any value is
///   text.
public struct ColumnTypeDetector: Sendable {
  private struct Evidence {
    var isEverAbsent = false
    var hasInteger = false
    var hasReal = false
    var hasText = false
    /// An integer that a `Double` would round was there.
    var hasLongInteger = false

    mutating func observe(_ field: CSVField?) {
      guard let field, !field.isAbsent else {
        isEverAbsent = true
        return
      }
      guard !hasText else { return }
      switch NumericForm(field.text) {
      case .integer(let value):
        hasInteger = true
        if Int64(exactly: Double(value)) != value { hasLongInteger = true }
      case .real:
        hasReal = true
      case .none:
        hasText = true
      }
    }

    var type: DetectedType {
      if hasText { return .text }
      if hasReal { return hasLongInteger ? .text : .real }
      return hasInteger ? .integer : .text
    }
  }

  private var evidence: [Evidence]

  /// A detector that has seen no record.
  ///
  /// - Parameter columnCount: How many columns the file has.
  public init(columnCount: Int) {
    evidence = Array(repeating: Evidence(), count: columnCount)
  }

  /// Takes a record into account.
  ///
  /// - Parameter record: The record. A column that it has no field for is absent; a field too many is ignored.
  public mutating func observe(_ record: CSVRecord) {
    for index in evidence.indices {
      evidence[index].observe(index < record.fields.count ? record.fields[index] : nil)
    }
  }

  /// What the records so far say about each column, in order.
  public var columns: [DetectedColumn] {
    evidence.map { DetectedColumn(type: $0.type, isEverAbsent: $0.isEverAbsent) }
  }
}
