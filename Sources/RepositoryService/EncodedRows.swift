import Query
import WebRepositoryFormat

/// Rows as lines of JSON, in chunks of some hundreds: the result of a read row by row.
struct EncodedRows: Sendable {
  private(set) var count = 0
  private(set) var chunks: [[UInt8]] = []
  private var last: [UInt8] = []

  /// The size in bytes from which a chunk is complete.
  static let chunkSize = 32_768

  mutating func append(_ row: [Value], as format: RowFormat) {
    if last.count >= Self.chunkSize {
      chunks.append(last)
      last = []
    }
    // Most results end before that.
    if last.isEmpty, !chunks.isEmpty { last.reserveCapacity(Self.chunkSize + 4_096) }
    format.append(row, to: &last)
    last.append(UInt8(ascii: "\n"))
    count += 1
  }

  /// All chunks, including the last one.
  var all: [[UInt8]] { last.isEmpty ? chunks : chunks + [last] }
}
