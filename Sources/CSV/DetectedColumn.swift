/// What ``ColumnTypeDetector`` has learned about one column.
public struct DetectedColumn: Hashable, Sendable {
  /// What its values are.
  public let type: DetectedType

  /// Whether a record has no value here, which makes the column nullable.
  public let isEverAbsent: Bool

  /// A column with its findings.
  ///
  /// - Parameters:
  ///   - type: What its values are.
  ///   - isEverAbsent: Whether a record has no value here.
  public init(type: DetectedType, isEverAbsent: Bool) {
    self.type = type
    self.isEverAbsent = isEverAbsent
  }
}
