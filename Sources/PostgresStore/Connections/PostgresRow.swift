import Query

/// A row of a result from the server, whose values are decoded when they are read.
class PostgresRow: Row {
  // These are accessed for each value. A row has one user, so no check for exclusive access is needed.
  @exclusivity(unchecked) final var decoders: [ColumnDecoder] = []
  @exclusivity(unchecked) final var row: ResultRow?
  /// The result that contains the row.
  @exclusivity(unchecked) final var result: QueryResult?

  init() {}

  /// Makes a row of a complete result.
  init(_ number: Int, of result: QueryResult, _ decoders: [ColumnDecoder]) {
    self.decoders = decoders
    self.result = result
    row = result.row(number)
  }

  final func value(at position: Int) throws(ValueError) -> Value {
    guard let bytes = row?.bytes(position) else { return .null }
    return try decoders[position].value(bytes)
  }

  final func isNull(at position: Int) -> Bool { row?.bytes(position) == nil }

  final func integer(at position: Int) -> Int64? {
    guard let bytes = row?.bytes(position) else { return nil }
    return decoders[position].integer(bytes)
  }

  final func real(at position: Int) -> Double? {
    guard let bytes = row?.bytes(position) else { return nil }
    return decoders[position].real(bytes)
  }

  final func text(at position: Int) -> String? {
    guard let bytes = row?.bytes(position) else { return nil }
    return decoders[position].text(bytes)
  }

  final func decimal(at position: Int) -> String? {
    guard let bytes = row?.bytes(position) else { return nil }
    return decoders[position].decimal(bytes)
  }

  final func bytes(at position: Int) -> [UInt8] { row?.bytes(position).map { [UInt8]($0) } ?? [] }
}
