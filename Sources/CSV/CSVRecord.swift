/// The fields between two line ends, and the line where they start.
public struct CSVRecord: Hashable, Sendable {
  /// The fields in the order of the file; at least one.
  public let fields: [CSVField]

  /// The line of the record's first character, counted from 1.
  ///
  /// A record with line breaks in quotes reaches over several lines, so this is not the number of the record.
  public let line: Int

  /// A record with its fields.
  ///
  /// - Parameters:
  ///   - fields: The fields, in order.
  ///   - line: The line where the record starts, counted from 1.
  public init(fields: [CSVField], line: Int) {
    self.fields = fields
    self.line = line
  }
}
