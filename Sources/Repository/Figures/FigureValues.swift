import Query

/// Reads the values of a group one after another: the keys, and then the figures.
struct FigureValues {
  private let values: [Value]
  private let names: [String]
  private var position = 0

  init(_ row: FigureRow, of request: FigureRequest) {
    values = row.keys + row.figures
    names = request.groupKeys + request.figures.map(\.description)
  }

  /// Reads the next value.
  ///
  /// - Throws: ``RepositoryError`` where it does not fit its Swift type.
  mutating func next<Output: ValueConvertible>(_ type: Output.Type) throws(RepositoryError) -> Output {
    guard position < values.count, position < names.count else {
      throw RepositoryError(.storeFailure, "the store gave too few figures")
    }
    defer { position += 1 }
    do throws(ValueError) {
      return try Output(value: values[position])
    } catch {
      throw RepositoryError(
        .unreadableRow, "\(names[position]) can't be read as \(type)", reason: error.summary,
        suggestion: error.suggestion, underlying: error)
    }
  }
}
