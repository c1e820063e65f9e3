import CSV
import Query
import SQLiteStore

// The fields of every format, by the shortest way where there is one.
extension FieldConversion {
  /// Binds the value of a field that is not absent.
  ///
  /// - Throws: ``FieldMisfit`` where the field is at fault.
  func bind(_ field: ImportField, to insertion: RowInsertion, at position: Int) throws {
    switch self {
    case .text where field.kind != .boolean:
      return try insertion.bindKept(text: field.bytes, at: position)
    case .integer:
      if let integer = NumericForm.integer(field.bytes) {
        return try insertion.bindKept(.integer(integer), at: position)
      }
    case .real:
      if let real = NumericForm.shortReal(field.bytes) {
        return try insertion.bindKept(.real(real), at: position)
      }
    default: break
    }
    try insertion.bind(try value(of: field), at: position)
  }

  /// The value of a field that is not absent.
  ///
  /// - Throws: what is wrong with the field.
  func value(of field: ImportField) throws(FieldMisfit) -> Value {
    let text = field.text
    switch (self, field.kind) {
    case (.text, .boolean): return .text(text == "1" ? "true" : "false")
    case (.real, .string), (.number, .string):
      if let infinity = JSONReal.infinity(field.bytes) { return .real(infinity) }
    case (.blob, .string):
      guard let bytes = Base64.bytes(forText: text) else {
        throw FieldMisfit(text, "is no blob", "write its bytes in Base64: AP8=")
      }
      return .blob(bytes)
    case (.blobOrText, .string): return Base64.bytes(forText: text).map(Value.blob) ?? .text(text)
    case (.blobOrText, .number), (.blobOrText, .boolean):
      return try FieldConversion.numberOrText.value(of: CSVField(text))
    case (.numberOrText, .string), (.numberOrText, .nested), (.blobOrText, .nested): return .text(text)
    default: break
    }
    return try value(of: CSVField(text, isQuoted: true))
  }
}
