import Query
import SQLInspection
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
    var seen = 0
    try spool.forEach { _ in
      seen += 1
      return seen < 2
    }
    #expect(seen == min(count, 2))
  }
}
