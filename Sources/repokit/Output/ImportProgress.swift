import RowImport

/// Shows the progress of an import on the terminal, and stops it on request.
final class ImportProgress: ImportObserver {
  private let bar: ProgressBar

  init(_ bar: ProgressBar) {
    self.bar = bar
  }

  func beginWork(_ work: String, total: Int?) { bar.begin(work, total: total) }
  func update(rows: Int?, bytes: Int) { bar.update(rows: rows, bytes: bytes) }
  func endWork() { bar.end() }
  func skipped(_ error: ImportError) { bar.report(Failure(error).at("skipped").summary + "\n") }
  func checkCancellation() throws { try Interruption.check() }
}
