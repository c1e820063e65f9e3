import CSQLite
import Query
import SQL
import SQLStore

/// The functions that the dialect's SQL calls where SQLite's own functions differ from the contract, implemented with the code
/// of the evaluator in memory.
enum RawFunctions {
  static func define(in database: OpaquePointer) throws(ResultCode) {
    try define(SQLiteDialect.foldFunction, arguments: 1, in: database) { context, arguments in
      guard let text = text(arguments, 0) else { return sqlite3_result_null(context) }
      result(CaseFolding.fold(text), context)
    }
    try define(SQLiteDialect.likeFunction, arguments: 2, in: database) { context, arguments in
      guard let text = utf8(arguments, 0) else { return sqlite3_result_null(context) }
      sqlite3_result_int(context, parsed(context, arguments, LikePattern.init).matches(text) ? 1 : 0)
    }
    try define(ValueConversion.jsonFunction, arguments: 2, in: database) { context, arguments in
      guard let text = utf8(arguments, 0) else { return sqlite3_result_null(context) }
      result(parsed(context, arguments, JSONPointer.init(parsing:)).value(in: text), context)
    }
    try define(ValueConversion.dateFunction, arguments: 2, in: database) { context, arguments in
      guard let form = parsed(context, arguments, NumericDateForm.init(rawValue:)) else {
        return sqlite3_result_null(context)
      }
      result(form.text(of: value(arguments, 0)), context)
    }
    try define(SQLiteDialect.itemFunction, arguments: 1, in: database) { context, arguments in
      guard let text = text(arguments, 0) else { return sqlite3_result_value(context, arguments?[0]) }
      result(JSONList.item(.text(text)), context)
    }
    try define(SQLiteDialect.numberFunction, arguments: 1, in: database) { context, arguments in
      let isNumber = [SQLITE_INTEGER, SQLITE_FLOAT].contains(sqlite3_value_type(arguments?[0]))
      if isNumber { sqlite3_result_value(context, arguments?[0]) } else { sqlite3_result_null(context) }
    }
    try define(ConversionFunction.name, arguments: 2, in: database) { context, arguments in
      guard let type = text(arguments, 1).flatMap(ValueType.init) else { return sqlite3_result_null(context) }
      switch (type, sqlite3_value_type(arguments?[0])) {
      // The value is returned unchanged, even if it is a text that is not UTF-8.
      case (.any, _), (.integer, SQLITE_INTEGER), (.real, SQLITE_FLOAT), (.text, SQLITE_TEXT), (.blob, SQLITE_BLOB):
        sqlite3_result_value(context, arguments?[0])
      default: result(value(arguments, 0).converted(to: type) ?? .null, context)
      }
    }
    for function in ExpressionFunction.allCases where function != .folded && function != .coalesce {
      let count: Int32 = function.argumentCount == 1...1 ? 1 : -1
      try define(SQLiteDialect.name(of: function), arguments: count, in: database) { context, count, arguments in
        let values = (0..<count).map { value(arguments, $0) }
        result(function.value(of: values, []), context)
      }
    }
    try RawAggregates.define(in: database)
  }

  private static func value(_ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> Value {
    let argument = arguments?[index]
    return switch sqlite3_value_type(argument) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(argument))
    case SQLITE_FLOAT: .real(sqlite3_value_double(argument))
    case SQLITE_TEXT: text(arguments, index).map(Value.text) ?? .null
    // The functions treat blobs as null.
    default: .null
    }
  }

  private static func define(
    _ name: String, arguments: Int32, in database: OpaquePointer,
    _ body: @escaping (OpaquePointer?, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(ResultCode) {
    try define(name, arguments: arguments, in: database) { context, _, arguments in body(context, arguments) }
  }

  private static func define(
    _ name: String, arguments: Int32, in database: OpaquePointer,
    _ body: @escaping (OpaquePointer?, Int, UnsafeMutablePointer<OpaquePointer?>?) -> Void
  ) throws(ResultCode) {
    // `SQLITE_DIRECTONLY`: views and triggers of an untrusted database can't call the function.
    // The closure is passed as SQLite's "application data", and released with the function.
    let context = Unmanaged.passRetained(Body(body))
    let result = sqlite3_create_function_v2(
      database, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, context.toOpaque(),
      { context, count, arguments in
        guard let data = sqlite3_user_data(context) else { return }
        Unmanaged<Body>.fromOpaque(data).takeUnretainedValue().body(context, Int(count), arguments)
      }, nil, nil,
      { data in data.map { Unmanaged<Body>.fromOpaque($0).release() } })
    if result != SQLITE_OK { throw ResultCode(of: database) }
  }

  private final class Body {
    let body: (OpaquePointer?, Int, UnsafeMutablePointer<OpaquePointer?>?) -> Void
    init(_ body: @escaping (OpaquePointer?, Int, UnsafeMutablePointer<OpaquePointer?>?) -> Void) { self.body = body }
  }

  /// The parsed second argument of a function, once for all rows of a statement.
  private final class Parsed<Content> {
    let content: Content
    init(_ content: Content) { self.content = content }
  }

  /// Parses the second argument; SQLite keeps the result from row to row as long as the argument is the same.
  /// https://www.sqlite.org/c3ref/get_auxdata.html
  private static func parsed<Content>(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ parse: (String) -> Content
  ) -> Content {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<Parsed<Content>>.fromOpaque(kept).takeUnretainedValue().content
    }
    let content = parse(text(arguments, 1) ?? "")
    // A C function has no generic parameters, so the object is released as any object.
    sqlite3_set_auxdata(
      context, 1, Unmanaged.passRetained(Parsed(content)).toOpaque(),
      { data in data.map { Unmanaged<AnyObject>.fromOpaque($0).release() } })
    return content
  }

  private static func utf8(
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    guard let argument = arguments?[index], sqlite3_value_type(argument) == SQLITE_TEXT else { return nil }
    let text = sqlite3_value_text(argument)
    return UnsafeBufferPointer(start: text, count: Int(sqlite3_value_bytes(argument)))
  }

  private static func text(_ arguments: UnsafeMutablePointer<OpaquePointer?>?, _ index: Int) -> String? {
    utf8(arguments, index).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns a value from a function.
  static func result(_ value: Value, _ context: OpaquePointer?) {
    switch value {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(let text): result(text, context)
    case .blob(let bytes):
      if bytes.isEmpty { return sqlite3_result_zeroblob(context, 0) }
      bytes.withUnsafeBytes { csqlite_result_blob(context, $0.baseAddress, UInt64($0.count)) }
    }
  }

  private static func result(_ text: String, _ context: OpaquePointer?) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { bytes in
        csqlite_result_text(context, bytes.baseAddress, UInt64(bytes.count))
      }
    }
  }
}

/// The function that converts a value to the type with a given name; its result is null if the conversion loses information.
package enum ConversionFunction {
  package static let name = "repokit_convert"
}

/// The aggregate functions that the dialect's SQL calls, implemented with the code of the evaluator in memory.
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

  /// An aggregate of the rows of one group.
  private class Aggregate {
    func add(_ value: OpaquePointer) {}
    func finish(_ context: OpaquePointer?) {}
  }

  private final class Total: Aggregate {
    private var total = SumAccumulator()
    private let result: (SumAccumulator) -> Value

    init(result: @escaping (SumAccumulator) -> Value) { self.result = result }

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
    private var extreme: MinMaxAccumulator
    private var hasInvalidText = false

    init(isGreatest: Bool) { extreme = MinMaxAccumulator(isGreatest: isGreatest) }

    override func add(_ value: OpaquePointer) {
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER: extreme.add(.integer(sqlite3_value_int64(value)))
      case SQLITE_FLOAT: extreme.add(.real(sqlite3_value_double(value)))
      case SQLITE_TEXT:
        // The length has to be read after the text.
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
      // Invalid texts have no order: the result is a text that is not UTF-8 either, so that reading it fails.
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
    // `SQLITE_DIRECTONLY` as in ``RawFunctions``; the closure is released with the function.
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

  /// The content of the memory that SQLite keeps for a group between two rows: a reference, which is null at first.
  /// https://www.sqlite.org/c3ref/aggregate_context.html
  private typealias Slot = Unmanaged<Aggregate>?

  /// Returns the aggregate of the current group, which is made at the first row of the group.
  private static func aggregate(of context: OpaquePointer?) -> Aggregate? {
    guard let memory = sqlite3_aggregate_context(context, Int32(MemoryLayout<Slot>.size)) else { return nil }
    let slot = memory.assumingMemoryBound(to: Slot.self)
    if let known = slot.pointee { return known.takeUnretainedValue() }
    guard let aggregate = make(context) else { return nil }
    slot.pointee = Unmanaged.passRetained(aggregate)
    return aggregate
  }

  /// Finishes the aggregate of a group. SQLite calls this once for each group, even if the statement ends early.
  private static func finish(_ context: OpaquePointer?) {
    // A group without rows has no memory.
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
