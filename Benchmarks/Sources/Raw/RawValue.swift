import CSystemSQLite

/// A value of a row that nobody knows a struct for.
package enum RawValue: Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
}

extension RawStatement {
  @inline(__always)
  func values(_ count: Int32) -> [RawValue] {
    [RawValue](unsafeUninitializedCapacity: Int(count)) { buffer, initialized in
      for column in 0..<count {
        let value: RawValue =
          switch sqlite3_column_type(handle, column) {
          case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, column))
          case SQLITE_FLOAT: .real(real(column))
          case SQLITE_TEXT: .text(text(column))
          default: .null
          }
        (buffer.baseAddress.unsafelyUnwrapped + Int(column)).initialize(to: value)
      }
      initialized = Int(count)
    }
  }
}
