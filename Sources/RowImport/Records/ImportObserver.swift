/// An observer that follows an import, and may stop it.
package protocol ImportObserver: AnyObject {
  /// A part of the work begins.
  ///
  /// - Parameters:
  ///   - work: the name of the work, in lowercase.
  ///   - total: the number of bytes to be read; `nil` if it is not known.
  func beginWork(_ work: String, total: Int?)

  /// The work progresses.
  ///
  /// - Parameters:
  ///   - rows: the number of rows so far; `nil` for work without rows.
  ///   - bytes: the number of bytes that have been read.
  func update(rows: Int?, bytes: Int)

  /// The work has ended.
  func endWork()

  /// A row is skipped; called only for the first ones.
  func skipped(_ error: ImportError)

  /// Throws if the import is to stop.
  func checkCancellation() throws
}
