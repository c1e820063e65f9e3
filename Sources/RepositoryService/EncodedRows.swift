import Query
import WebRepositoryFormat

/// Rows as lines of JSON, in chunks of some hundreds: what is kept of rows that were shown one by one.
struct EncodedRows: Sendable {
  private(set) var count = 0
  private(set) var chunks: [[UInt8]] = []
  private var last: [UInt8] = []

  /// From how many bytes on a chunk is whole.
  static let chunkSize = 32_768

  mutating func append(_ row: [Value], as format: RowFormat) {
    if last.count >= Self.chunkSize {
      chunks.append(last)
      last = []
    }
    // Most lines end before that.
    if last.isEmpty, !chunks.isEmpty { last.reserveCapacity(Self.chunkSize + 4_096) }
    format.append(row, to: &last)
    last.append(UInt8(ascii: "\n"))
    count += 1
  }

  /// All chunks, the last one too.
  var all: [[UInt8]] { last.isEmpty ? chunks : chunks + [last] }
}
