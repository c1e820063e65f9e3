import CSV

/// A field of a record where it stands in memory, valid until the reader that gave it goes on.
struct ImportField {
  /// What the file says of the field's type.
  enum Kind {
    /// It has no value.
    case absent
    /// A text that may spell anything, as in CSV.
    case untyped
    /// A text and nothing else.
    case string
    /// A number as it is spelled.
    case number
    /// `1` or `0` for true and false.
    case boolean
    /// A list or an object, as JSON.
    case nested
  }

  let kind: Kind
  /// Its text, in UTF-8.
  let bytes: UnsafeBufferPointer<UInt8>
  /// Whether an untyped text stood in quotes, which makes the empty one a value.
  var isQuoted = false

  static var absent: ImportField { ImportField(kind: .absent, bytes: UnsafeBufferPointer(start: nil, count: 0)) }

  init(kind: Kind, bytes: UnsafeBufferPointer<UInt8>) {
    self.kind = kind
    self.bytes = bytes
  }

  init(_ field: RawField) {
    kind = field.isAbsent ? .absent : .untyped
    bytes = field.bytes
    isQuoted = field.isQuoted
  }

  var isAbsent: Bool { kind == .absent }
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
