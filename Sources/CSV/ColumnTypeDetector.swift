/// A detector of the types of a file's columns, from all of its records.
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
/// One record can change the type of a column, so there is no sampling: the last line counts as much as the first. The rule
/// for every decision is that nothing of the file is lost, and quotes make no difference, since many programs quote every
/// value:
///
/// - A column is ``ColumnType/integer`` if every value is a decimal `Int64` in its canonical notation: no `+`, no spaces, no
///   leading zeros. `007` is a code, and so is a telephone number, whose zeros an integer would drop.
/// - It is ``ColumnType/real`` if every value is a number such as `1`, `-0.5`, `.5` or `6e23`, is finite as a `Double`, does
///   not underflow to zero and has at most 17 significant digits, as programs write a `Double` at full precision. Longer
///   decimals did not come from a `Double`. A whole number that a `Double` would round, beyond 2⁵³, makes the column text,
///   and so does a whole number beyond `Int64`.
/// - Everything else is ``ColumnType/text``: dates, `true` and `false`, `NaN`, `1,000`, and an empty text in quotes.
/// - A field without a value makes the column nullable and does not affect its type. A column without any value is text.
public struct ColumnTypeDetector: Sendable {
  private var evidence: [ColumnEvidence]

  /// Makes a detector that has seen no record.
  ///
  /// - Parameter columnCount: the number of columns of the file.
  public init(columnCount: Int) {
    evidence = Array(repeating: ColumnEvidence(), count: columnCount)
  }

  /// Adds a record to the evidence.
  ///
  /// - Parameter record: the record. A column without a field in the record has no value; additional fields are ignored.
  public mutating func observe(_ record: CSVRecord) {
    for index in evidence.indices {
      guard index < record.fields.count, !record.fields[index].isAbsent else {
        evidence[index].observeAbsence()
        continue
      }
      var text = record.fields[index].text
      text.withUTF8 { evidence[index].observe($0) }
    }
  }

  /// The findings from the records so far about each column, in order.
  public var columns: [Column] {
    evidence.map { Column(type: $0.type, isEverAbsent: $0.isEverAbsent) }
  }

  /// The findings about one column.
  public struct Column: Hashable, Sendable {
    /// The type of the column's values.
    public let type: ColumnType

    /// Whether a record has no value in the column, which makes the column nullable.
    public let isEverAbsent: Bool

    /// Makes a column with its findings.
    ///
    /// - Parameters:
    ///   - type: the type of the column's values.
    ///   - isEverAbsent: whether a record has no value in the column.
    public init(type: ColumnType, isEverAbsent: Bool) {
      self.type = type
      self.isEverAbsent = isEverAbsent
    }
  }

  /// The narrowest type of values that holds every text of a column without loss.
  public enum ColumnType: Hashable, Sendable, CaseIterable {
    /// Whole numbers that are `Int64`, written as `Int64` writes them.
    case integer

    /// Numbers that are `Double`.
    case real

    /// Any other values.
    case text
  }
}

/// The evidence for a column's type from its values so far; the rule is that of ``ColumnTypeDetector``.
package struct ColumnEvidence: Sendable {
  /// Whether a record had no value in the column.
  package private(set) var isEverAbsent = false
  package private(set) var hasInteger = false
  package private(set) var hasReal = false
  /// Whether there was a text that is no number, or not without loss.
  package private(set) var hasText = false
  /// Whether there was an integer that a `Double` would round.
  package private(set) var hasLongInteger = false

  /// Makes evidence without values.
  package init() {}

  /// Adds a record without a value.
  package mutating func observeAbsence() { isEverAbsent = true }

  /// Adds the text of a value.
  package mutating func observe(_ text: UnsafeBufferPointer<UInt8>) {
    guard !hasText else { return }
    switch NumberSyntax(text) {
    case .integer(let value):
      hasInteger = true
      if Int64(exactly: Double(value)) != value { hasLongInteger = true }
    case .real:
      hasReal = true
    case .none:
      hasText = true
    }
  }

  /// The narrowest type that holds all values.
  package var type: ColumnTypeDetector.ColumnType {
    if hasText { return .text }
    if hasReal { return hasLongInteger ? .text : .real }
    return hasInteger ? .integer : .text
  }
}
