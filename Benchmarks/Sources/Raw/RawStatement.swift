import CSystemSQLite
import Model

/// A prepared statement that is used again and again.
///
/// Its methods are what an expert writes around the C functions, and no more: they are compiled into their callers.
final class RawStatement {
  let handle: OpaquePointer
  private let database: OpaquePointer

  init(_ sql: String, in database: OpaquePointer) throws(RawError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, Int32(sql.utf8.count), UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else { throw RawError(code, database) }
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  @inline(__always)
  func bind(_ number: Int, at position: Int32) { sqlite3_bind_int64(handle, position, Int64(number)) }

  @inline(__always)
  func bind(_ number: Double, at position: Int32) { sqlite3_bind_double(handle, position, number) }

  /// Binds a text that is copied: for one or two of them in a statement that does more than that.
  func bind(_ text: String, at position: Int32) {
    var text = text
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) {
        bench_bind_text(handle, position, $0.baseAddress, Int32($0.count))
      }
    }
  }

  /// Binds bytes that stay where they are until the statement was stepped; null for no address.
  @inline(__always)
  func bind(static bytes: UnsafeBufferPointer<UInt8>, at position: Int32) {
    guard let base = bytes.baseAddress else { return _ = sqlite3_bind_null(handle, position) }
    base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
      _ = bench_bind_static_text(handle, position, $0, Int32(bytes.count))
    }
  }

  /// Whether there is another row.
  @inline(__always)
  func step() throws(RawError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    throw RawError(code, database)
  }

  @inline(__always)
  func reset() { sqlite3_reset(handle) }

  @inline(__always)
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  @inline(__always)
  func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  @inline(__always)
  func text(_ column: Int32) -> String {
    let bytes = sqlite3_column_text(handle, column)
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
  }

  @inline(__always)
  func optionalText(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(handle, column) else { return nil }
    return String(
      decoding: UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
  }

  /// The row as the struct, column by column.
  @inline(__always)
  func pokemon() -> Pokemon {
    Pokemon(
      id: integer(0), name: text(1), type: PokemonType(rawValue: text(2)) ?? .normal,
      secondType: optionalText(3).flatMap(PokemonType.init(rawValue:)), weight: real(4), height: real(5),
      generation: integer(6), isLegendary: integer(7) != 0, habitat: optionalText(8), text: text(9))
  }

  /// All rows that are left, and the end of this use.
  @inline(__always)
  func pokemonList(reserving count: Int = 0) throws(RawError) -> [Pokemon] {
    defer { reset() }
    var list: [Pokemon] = []
    list.reserveCapacity(count)
    while try step() { list.append(pokemon()) }
    return list
  }
}
