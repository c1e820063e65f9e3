import Testing

@testable import Query

@Suite("A total")
struct NumberTotalTests {
  @Test(
    "of a number that many rows have is that of all of them, one after another",
    arguments: [
      (.integer(3), 1), (.integer(.max), 3), (.integer(.min), 1_000), (.real(0.1), 7), (.real(-0.1), 1_023),
      (.real(.greatestFiniteMagnitude), 5), (.real(.leastNonzeroMagnitude), 12), (.real(0x1p959), 4_095),
      (.real(.infinity), 3), (.real(-.infinity), 2), (.text("x"), 5), (.null, 2), (.real(1.5), 0), (.integer(7), 0),
    ] as [(Value, Int)])
  func times(value: Value, count: Int) {
    var (once, each) = (NumberTotal(), NumberTotal())
    // Something that rounding would lose.
    for value in [Value.integer(1), .real(0x1p-60)] {
      once.add(value)
      each.add(value)
    }
    once.add(value, times: count)
    for _ in 0..<count { each.add(value) }
    #expect(once.sum == each.sum)
    #expect(once.average == each.average)
  }
}
