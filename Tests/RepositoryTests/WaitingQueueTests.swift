import TestSupport
import Testing

@testable import Repository

@Suite("The line of those that wait for a pool's resource")
struct WaitingQueueTests {
  @Test("keeps the rank of a waiter that was woken in vain, and enters again")
  func rank() {
    let tickets = (0..<3).map { _ in
      let ticket = WaitingQueue.Ticket(until: .never)
      // Each one begins to wait after the one before.
      while ticket.start == .now {}
      return ticket
    }
    var queue = WaitingQueue()
    let served = Journal<Int>()
    func enter(_ number: Int) { queue.insert(tickets[number]) { _ in served.note(number) } }
    for number in [0, 1, 2] { enter(number) }
    // The first two are woken, and a running task takes the resource before them.
    _ = queue.removeFirst()
    _ = queue.removeFirst()
    for number in [1, 0] { enter(number) }
    while let serve = queue.removeFirst() { serve(.retry) }
    #expect(served.entries == [0, 1, 2])
  }
}
