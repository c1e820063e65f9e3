import Query
import Repository

/// Binds the values of elements to a statement, one by one as they are handed out, without a row in between.
struct RowBinder {
  private let statement: RawStatement
  private let fits: [ColumnFit]

  init(_ statement: RawStatement, _ fits: [ColumnFit]) {
    self.statement = statement
    self.fits = fits
  }

  /// Binds an element's values.
  ///
  /// - Returns: `false` where a column has to convert a value, or to refuse it.
  func bind<Element: Storable>(
    _ element: Element, _ coder: RowCoder<Element>, _ table: TableSchema
  ) throws(RepositoryError) -> Bool {
    var position = 0
    var isKept = true
    var failure: ResultCode?
    let isWritten = try coder.write(element, in: table) { value in
      if position < fits.count, fits[position].keeps(value) {
        do throws(ResultCode) {
          try statement.bind(value, at: position)
        } catch {
          failure = error
        }
      } else {
        isKept = false
      }
      position += 1
    }
    if let failure { throw RepositoryError(failure) }
    return isWritten && isKept && position == fits.count
  }
}
