public import Query

// PostgreSQL's own `sum` of reals rounds with every row, in their order, and is an error if a part of it overflows; `avg` of
// integers rounds to some decimal places. So a sum leaves the database in an exact form, and becomes a value here.
extension PostgresDialect {
  /// Returns PostgreSQL's own `count`, `min` and `max`, which an index can serve, and sums in an exact form.
  public func aggregate(_ function: AnyAggregate.Function, of column: SQLTerm?, isReal: Bool) -> String {
    guard let column else { return "count(*)" }
    let name = valueTerm(column)
    switch function {
    case .count: return "count(\(column.sql))"
    case .countDistinct: return "count(DISTINCT \(groupTerm(column)))"
    case .min: return extreme("min", of: column)
    case .max: return extreme("max", of: column)
    case .sum where column.type == .integer: return "sum(\(name))::text"
    case .average where column.type == .integer: return "sum(\(name))::text || '/' || count(\(name))"
    // The term is a constant null, which has no type.
    case .sum where column.type == .any, .average where column.type == .any:
      return "string_agg(float8send(\(name)::float8), ''::bytea)"
    // The bytes of all numbers, concatenated.
    case .sum, .average: return "string_agg(float8send(\(name)), ''::bytea)"
    }
  }

  /// `min` and `max` of `bytea` don't exist before PostgreSQL 18; hexadecimal digits have the order of their bytes.
  private func extreme(_ function: String, of column: SQLTerm) -> String {
    // `min` and `max` of booleans and UUIDs don't exist either.
    if column.nativeType == .boolean { return "\(function)(\(valueTerm(column)))" }
    if column.nativeType == .uuid { return "\(function)(\(valueTerm(column))\(Self.collateByBytes))" }
    // The result has no type modifier, by which it would be read as a number.
    if case .decimal(_, let scale)? = column.nativeType {
      return "\(function)(\(column.sql))::\(scale == 0 ? "int8" : "float8")"
    }
    guard column.type == .blob else { return "\(function)(\(byBytes(column)))" }
    return #"decode(\#(function)(encode(\#(column.sql), 'hex') COLLATE "C"), 'hex')"#
  }

  /// Returns sums and averages, computed from the database's parts.
  public func aggregate(
    _ function: AnyAggregate.Function, of column: ColumnSchema?, isReal: Bool, from found: Value
  ) -> Value {
    guard let column, function == .sum || function == .average else { return found }
    var total = SumAccumulator()
    switch found {
    case .text(let text):
      let parts = text.split(separator: "/")
      // The sum of as many integers as a table can have rows fits Int128.
      guard let sum = parts.first.flatMap({ Int128($0) }) else { return AggregateFault.overflow.value }
      total.add(sum, count: parts.dropFirst().first.flatMap { UInt64($0) } ?? 1)
    case .blob(let bytes):
      bytes.withUnsafeBytes { bytes in
        for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
          let bits = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          total.add(Double(bitPattern: UInt64(bigEndian: bits)))
        }
      }
    case .null, .integer, .real: break
    }
    if function == .average { return total.average }
    return column.type == .real ? total.realSum : total.sum
  }
}
