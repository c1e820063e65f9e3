/// A place in the input: line and column, both counted from 1.
struct Place: Hashable {
  var line: Int
  var column: Int
}

/// Knows the line of every byte while chunks go by, and its column when somebody asks.
///
/// Columns are needed for errors alone. So nothing is counted per byte: the tracker remembers one place, the anchor,
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

  /// The place of a byte that is not before the anchor.
  func place(at offset: Int, in chunk: Span<UInt8>) -> Place {
    var column = anchorColumn
    for index in anchor..<offset where !chunk[index].isUTF8Continuation {
      column += 1
    }
    return Place(line: line, column: column)
  }

  /// Moves the anchor forward, so that places further on are counted from here.
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
