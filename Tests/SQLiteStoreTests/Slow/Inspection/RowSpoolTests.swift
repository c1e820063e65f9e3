import Query
@testable import SQLInspection
import Testing

@Suite("Rows that wait in a temporary file")
struct RowSpoolTests {
  @Test("come back as they were, as often as they are asked for", arguments: [0, 3, 4_096, 4_097, 9_000])
  func roundTrip(count: Int) throws {
    let spool = RowSpool()
    func row(_ number: Int) -> [Value] {
      let values: [Value] = [
        .integer(Int64(number)), .integer(.min), .real(-0.0), .real(.infinity), .text("é\0\(number)"), .text(""),
        .blob([0, 255, UInt8(number % 256)]), .blob([]), .null,
      ]
      return Array(values.prefix(number % (values.count + 1)))
    }
    for number in 0..<count { try spool.append(row(number)) }
    #expect(spool.count == count)
    for _ in 0..<2 {
      var number = 0
      var differences = 0
      try spool.forEach { values in
        let expected = row(number)
        if values.count != expected.count || !zip(values, expected).allSatisfy({ $0.isIdentical(to: $1) }) {
          differences += 1
        }
        number += 1
        return true
      }
      #expect(number == count && differences == 0)
    }
    #expect(spool.bytesInMemory > 0 || count == 0)
    var seen = 0
    try spool.forEach { _ in
      seen += 1
      return seen < 2
    }
    #expect(seen == min(count, 2))
  }

  @Test("wait there where they are large, whatever their number")
  func largeRows() throws {
    let spool = RowSpool()
    let megabyte = 1 << 20
    let sizes = [3, 9, 5, 1, 20, 0, 1].map { $0 * megabyte }
    for (number, size) in sizes.enumerated() {
      try spool.append([.blob([UInt8](repeating: UInt8(number), count: size))])
    }
    #expect(spool.count == sizes.count)
    // The third one has no room beside the first two, and none behind it may overtake it.
    #expect((12 * megabyte..<13 * megabyte).contains(spool.bytesInMemory))
    var found: [Int] = []
    try spool.forEach { row in
      if case .blob(let bytes)? = row.first, bytes.allSatisfy({ $0 == UInt8(found.count) }) {
        found.append(bytes.count)
      }
      return true
    }
    #expect(found == sizes)
  }
}
