import CSQLite
import Query
import SQL

/// The aggregate functions that the dialect's SQL calls, in the words of the evaluator in memory.
///
/// https://www.sqlite.org/appfunc.html, section 3.
enum RawAggregates {
  static func define(in database: OpaquePointer) throws(ResultCode) {
    try define(SQLiteDialect.sumFunction, in: database) { Total(result: \.sum) }
    try define(SQLiteDialect.realSumFunction, in: database) { Total(result: \.realSum) }
    try define(SQLiteDialect.averageFunction, in: database) { Total(result: \.average) }
    try define(SQLiteDialect.minFunction, in: database) { ExtremeValue(isGreatest: false) }
    try define(SQLiteDialect.maxFunction, in: database) { ExtremeValue(isGreatest: true) }
  }

  /// One figure while the rows of a group are looked at.
  private class Aggregate {
    func add(_ value: OpaquePointer) {}
    func finish(_ context: OpaquePointer?) {}
  }

  private final class Total: Aggregate {
    private var total = NumberTotal()
    private let result: (NumberTotal) -> Value

    init(result: @escaping (NumberTotal) -> Value) { self.result = result }

    override func add(_ value: OpaquePointer) {
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: total.add(sqlite3_value_int64(value))
      case SQLITE_FLOAT: total.add(sqlite3_value_double(value))
      default: break
      }
    }

    override func finish(_ context: OpaquePointer?) { RawFunctions.result(result(total), context) }
  }

  private final class ExtremeValue: Aggregate {
    private var extreme: Extreme
    private var hasInvalidText = false

    init(isGreatest: Bool) { extreme = Extreme(isGreatest: isGreatest) }

    override func add(_ value: OpaquePointer) {
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: extreme.add(.integer(sqlite3_value_int64(value)))
      case SQLITE_FLOAT: extreme.add(.real(sqlite3_value_double(value)))
      case SQLITE_TEXT:
        // The length has to be asked for after the text.
        let text = sqlite3_value_text(value)
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(value)))
        guard let text = String(validating: bytes, as: UTF8.self) else { return hasInvalidText = true }
        extreme.add(.text(text))
      case SQLITE_BLOB:
        let blob = sqlite3_value_blob(value)
        extreme.add(.blob([UInt8](UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value))))))
      default: break
      }
    }

    override func finish(_ context: OpaquePointer?) {
      guard hasInvalidText else { return RawFunctions.result(extreme.value, context) }
      // A text that is not UTF-8 either, so that whoever reads it notices; which of the two is greater, nobody can say.
      withUnsafeBytes(of: UInt8(0xFF)) { bytes in
        csqlite_result_text(context, bytes.assumingMemoryBound(to: CChar.self).baseAddress, 1)
      }
    }
  }

  private final class Maker {
    let make: () -> Aggregate
    init(_ make: @escaping () -> Aggregate) { self.make = make }
  }

  private static func define(
    _ name: String, in database: OpaquePointer, _ make: @escaping () -> Aggregate
  ) throws(ResultCode) {
    // Directly only, see RawFunctions; the closure is released with the function.
    let maker = Unmanaged.passRetained(Maker(make))
    let result = sqlite3_create_function_v2(
      database, name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, maker.toOpaque(), nil,
      { context, _, arguments in
        guard let value = arguments?[0] else { return }
        guard let aggregate = RawAggregates.aggregate(of: context) else { return sqlite3_result_error_nomem(context) }
        aggregate.add(value)
      },
      { context in RawAggregates.finish(context) },
      { data in data.map { Unmanaged<Maker>.fromOpaque($0).release() } })
    if result != SQLITE_OK { throw ResultCode(of: database) }
  }

  /// What SQLite keeps for a group between two rows: a reference, which is null at first.
  /// https://www.sqlite.org/c3ref/aggregate_context.html
  private typealias Slot = Unmanaged<Aggregate>?

  /// The aggregate of the group that is being looked at, made with its first row.
  private static func aggregate(of context: OpaquePointer?) -> Aggregate? {
    guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<Slot>.size)) else { return nil }
    let slot = memory.assumingMemoryBound(to: Slot.self)
    if let known = slot.pointee { return known.takeUnretainedValue() }
    guard let aggregate = make(context) else { return nil }
    slot.pointee = Unmanaged.passRetained(aggregate)
    return aggregate
  }

  /// SQLite calls it once for each group, also where a statement is given up in its midst.
  private static func finish(_ context: OpaquePointer?) {
    // No memory means no row.
    guard let memory = sqlite3_aggregate_context(context, 0),
      let known = memory.assumingMemoryBound(to: Slot.self).pointee
    else {
      make(context)?.finish(context)
      return
    }
    memory.assumingMemoryBound(to: Slot.self).pointee = nil
    known.takeRetainedValue().finish(context)
  }

  private static func make(_ context: OpaquePointer?) -> Aggregate? {
    sqlite3_user_data(context).map { Unmanaged<Maker>.fromOpaque($0).takeUnretainedValue().make() }
  }
}
