import CSV
import Query

// The names and the values of fields.
extension JSONRecordReader {
  func text(_ cursor: inout JSONTokenizer) throws(JSONTokenizer.Failure) -> UnsafeBufferPointer<UInt8> {
    let string = try cursor.string()
    guard string.hasEscapes else { return string.bytes }
    var failure: JSONTokenizer.Failure?
    let text = scratch.keep(atMost: string.bytes.count) { buffer in
      do throws(JSONTokenizer.Failure) {
        return try JSONTokenizer.unescape(string, into: buffer)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return text
  }

  func value(_ cursor: inout JSONTokenizer) throws(JSONTokenizer.Failure) -> ImportField {
    switch try cursor.peek() {
    case UInt8(ascii: "\""): return ImportField(kind: .string, bytes: try text(&cursor))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return ImportField(kind: .number, bytes: try cursor.number())
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      return ImportField(kind: .nested, bytes: try cursor.nested())
    default:
      if try cursor.accept(word: "null") { return .absent }
      if try cursor.accept(word: "true") { return ImportField(kind: .boolean, bytes: Self.digit("1")) }
      if try cursor.accept(word: "false") { return ImportField(kind: .boolean, bytes: Self.digit("0")) }
      throw cursor.failure(expected: "a value")
    }
  }

  private static func digit(_ text: StaticString) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
