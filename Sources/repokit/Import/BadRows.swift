/// What becomes of rows that can't be imported.
final class BadRows {
  /// More of them than somebody reads.
  static let shownCount = 10

  /// How many were left out.
  private(set) var count = 0
  private let areSkipped: Bool
  /// Tells the user of one.
  private let report: (Failure) -> Void

  init(areSkipped: Bool, report: @escaping (Failure) -> Void) {
    self.areSkipped = areSkipped
    self.report = report
  }

  /// Does something with a row.
  ///
  /// - Parameter isFirstLook: whether the row is seen again, so that it is told then.
  /// - Returns: `nil` where the row is left out.
  func checking<Result>(isFirstLook: Bool = false, _ body: () throws -> Result) throws -> Result? {
    do {
      return try body()
    } catch let error as BadRow {
      guard areSkipped else { throw error.failure }
      if !isFirstLook {
        count += 1
        if count <= Self.shownCount { report(error.failure) }
      }
      return nil
    }
  }
}
