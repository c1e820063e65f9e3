/// A position in the input: line and column, both counted from 1.
struct Place: Hashable {
  var line: Int
  var column: Int
}

/// Tracks the line of every byte across chunks, and computes its column on demand.
///
/// Columns are needed for errors alone. So nothing is counted per byte: the tracker remembers one position, the anchor,
/// and counts from there on demand. Every offset is into the current chunk.
struct PlaceTracker {
  private(set) var line = 1
  private var anchor = 0
  private var anchorColumn = 1
  private var endedWithCarriageReturn = false

  /// Begins at the start of a line.
  init(line: Int = 1) {
    self.line = line
  }

  /// The position of a byte that is not before the anchor.
  func place(at offset: Int, in chunk: Span<UInt8>) -> Place {
    var column = anchorColumn
    for index in anchor..<offset where !chunk[index].isUTF8Continuation {
      column += 1
    }
    return Place(line: line, column: column)
  }

  /// Moves the anchor forward, so that later positions are counted from here.
  mutating func moveAnchor(to offset: Int, in chunk: Span<UInt8>) -> Place {
    let place = place(at: offset, in: chunk)
    anchor = offset
    anchorColumn = place.column
    return place
  }

  /// Makes the next byte the first of its line without a line break before it, as after a byte order mark.
  mutating func restartLine(at offset: Int) {
    anchor = offset
    anchorColumn = 1
  }

  /// Follows a carriage return or line feed.
  ///
  /// - Returns: `false` for the second half of a CRLF, whose line the carriage return has already ended.
  mutating func breakLine(at offset: Int, in chunk: Span<UInt8>) -> Bool {
    restartLine(at: offset + 1)
    if chunk[offset] == .lineFeed {
      let isAfterCarriageReturn = offset > 0 ? chunk[offset - 1] == .carriageReturn : endedWithCarriageReturn
      if isAfterCarriageReturn { return false }
    }
    line += 1
    return true
  }

  /// Keeps what the next chunk needs of this one.
  mutating func endChunk(_ chunk: Span<UInt8>) {
    guard !chunk.isEmpty else { return }
    _ = moveAnchor(to: chunk.count, in: chunk)
    anchor = 0
    endedWithCarriageReturn = chunk[chunk.count - 1] == .carriageReturn
  }
}

extension UInt8 {
  static let quote = UInt8(ascii: "\"")
  static let carriageReturn = UInt8(ascii: "\r")
  static let lineFeed = UInt8(ascii: "\n")
  static let space = UInt8(ascii: " ")
  static let tab = UInt8(ascii: "\t")
  static let backslash = UInt8(ascii: "\\")

  /// Whether this byte continues a character that an earlier byte began (`10xxxxxx`, RFC 3629 section 3).
  var isUTF8Continuation: Bool {
    self & 0b1100_0000 == 0b1000_0000
  }
}

/// Whether bytes are UTF-8, by the table of well-formed sequences in RFC 3629, section 4.
package enum UTF8Check {
  package static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    firstInvalid(in: bytes) == nil
  }

  /// The position of the first byte that begins no character.
  package static func firstInvalid(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let first = bytes[index]
      if first < 0x80 {
        index += 1
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard index + length <= bytes.count, second ~= bytes[index + 1] else { return index }
      for next in index + 2..<max(index + 2, index + length) where !bytes[next].isUTF8Continuation { return index }
      index += length
    }
    return nil
  }
}
