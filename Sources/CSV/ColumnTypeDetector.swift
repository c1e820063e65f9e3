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
  private var evidence: [ColumnEvidence]

  /// A detector that has seen no record.
  ///
  /// - Parameter columnCount: How many columns the file has.
  public init(columnCount: Int) {
    evidence = Array(repeating: ColumnEvidence(), count: columnCount)
  }

  /// Takes a record into account.
  ///
  /// - Parameter record: The record. A column that it has no field for is absent; a field too many is ignored.
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

  /// What the records so far say about each column, in order.
  public var columns: [DetectedColumn] {
    evidence.map { DetectedColumn(type: $0.type, isEverAbsent: $0.isEverAbsent) }
  }
}
