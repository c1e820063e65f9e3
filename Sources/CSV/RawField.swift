/// A field of a record where it stands in memory, valid until the reader that gave it goes on.
package struct RawField {
  /// The text in UTF-8, quotes and escapes undone.
  package let bytes: UnsafeBufferPointer<UInt8>
  /// Whether the field has no value.
  package let isAbsent: Bool
  /// Whether it stood in quotes.
  package let isQuoted: Bool

  package init(_ bytes: UnsafeBufferPointer<UInt8>, isAbsent: Bool = false, isQuoted: Bool = false) {
    self.bytes = bytes
    self.isAbsent = isAbsent
    self.isQuoted = isQuoted
  }

  /// A field without a value.
  package static var absent: RawField { RawField(UnsafeBufferPointer(start: nil, count: 0), isAbsent: true) }

  /// The field as a value of its own.
  package var field: CSVField {
    CSVField(String(decoding: bytes, as: UTF8.self), isQuoted: isQuoted || bytes.isEmpty && !isAbsent)
  }
}
