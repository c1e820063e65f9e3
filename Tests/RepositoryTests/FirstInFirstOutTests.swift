import Repository
import TestSupport
import Testing

@Suite("A queue")
struct FirstInFirstOutTests {
  @Test("gives its elements in their order, however many come and go")
  func order() {
    let seed = Environment.number("REPOKIT_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    var random = SplitMix64(seed: seed)
    var queue = FirstInFirstOut<Int>()
    var (added, removed) = (0, 0)
    for round in 0..<2_000 {
      // It is empty now and then, and has hundreds of elements at other times.
      for _ in 0..<Int.random(in: 0...(round % 100 < 50 ? 40 : 5), using: &random) {
        queue.append(added)
        added += 1
      }
      for _ in 0..<Int.random(in: 0...(round % 100 < 50 ? 20 : 60), using: &random) {
        let next = queue.removeFirst()
        #expect(next == (removed < added ? removed : nil), "seed \(seed)")
        if next != nil { removed += 1 }
      }
      #expect(queue.count == added - removed && queue.isEmpty == (added == removed), "seed \(seed)")
    }
    queue.append(0)
    queue.removeAll()
    #expect(queue.isEmpty && queue.removeFirst() == nil)
  }

  @Test("keeps no element that it has given")
  func release() {
    final class Object {}
    var queue = FirstInFirstOut<Object>()
    weak var first: Object?
    do {
      let object = Object()
      first = object
      queue.append(object)
      queue.append(Object())
    }
    #expect(queue.removeFirst() != nil)
    #expect(first == nil && queue.count == 1)
  }
}
