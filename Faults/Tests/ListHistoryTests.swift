import Testing

@testable import faults

@Suite("Histories of lists")
struct ListHistoryTests {
  private typealias Transaction = ListHistory.Transaction

  private func contradiction(
    in transactions: [ListHistory.Transaction], final: [Int: [Int]], inRealTime: Bool = false
  ) -> String? {
    var history = ListHistory()
    transactions.forEach { history.add($0) }
    return history.contradictions(final: final, inRealTime: inRealTime).first
  }

  @Test("transactions in some order are no contradiction, whatever the order in which they are told")
  func right() {
    let history = [
      Transaction(operations: [.read(1, [7]), .append(8, to: 1), .read(1, [7, 8])]),
      Transaction(operations: [.read(1, []), .append(7, to: 1)]),
      Transaction(operations: [.read(1, [7])]),
      Transaction(operations: [.append(9, to: 1)], isCommitted: false),
      Transaction(operations: [.read(2, []), .append(10, to: 2)], isCommitted: nil),
    ]
    #expect(contradiction(in: history, final: [1: [7, 8], 2: [10]]) == nil)
    #expect(contradiction(in: history, final: [1: [7, 8], 2: []]) == nil)
  }

  @Test(
    "what no order explains is named",
    arguments: [
      // An update is lost, one that was refused is there, and one is there twice.
      ([Transaction(operations: [.append(1, to: 1)])], [1: []], "is lost"),
      ([Transaction(operations: [.append(1, to: 1)], isCommitted: false)], [1: [1]], "was refused"),
      ([Transaction(operations: [.append(1, to: 1)])], [1: [1, 1]], "twice"),
      // A state that never was, a part of a transaction, and a transaction that does not see itself.
      (
        [Transaction(operations: [.append(1, to: 1)]), Transaction(operations: [.read(1, [2])])], [1: [1]], "never was"
      ),
      (
        [Transaction(operations: [.append(1, to: 1), .append(2, to: 1)]), Transaction(operations: [.read(1, [1])])],
        [1: [1, 2]], "amid"
      ),
      ([Transaction(operations: [.append(1, to: 1), .read(1, [])])], [1: [1]], "its own"),
      // Each of two reads what the other one has not yet written (write skew).
      (
        [
          Transaction(operations: [.read(1, []), .append(2, to: 2)]),
          Transaction(operations: [.read(2, []), .append(1, to: 1)]),
        ],
        [1: [1], 2: [2]], "no order"
      ),
      // Two readers see two writers in different orders (long fork).
      (
        [
          Transaction(operations: [.append(1, to: 1)]), Transaction(operations: [.append(2, to: 2)]),
          Transaction(operations: [.read(1, [1]), .read(2, [])]),
          Transaction(operations: [.read(1, []), .read(2, [2])]),
        ],
        [1: [1], 2: [2]], "no order"
      ),
    ] as [([ListHistory.Transaction], [Int: [Int]], String)])
  func wrong(transactions: [ListHistory.Transaction], final: [Int: [Int]], text: String) {
    let found = contradiction(in: transactions, final: final)
    #expect(found?.contains(text) == true, "\(found ?? "nothing")")
  }

  @Test("a read of an old state is wrong in real time alone")
  func stale() {
    let history = [
      Transaction(operations: [.append(1, to: 1)], began: 0, ended: 10),
      Transaction(operations: [.read(1, [])], began: 11, ended: 12),
    ]
    #expect(contradiction(in: history, final: [1: [1]]) == nil)
    #expect(contradiction(in: history, final: [1: [1]], inRealTime: true) != nil)
    let beside = [history[0], Transaction(operations: [.read(1, [])], began: 9, ended: 12)]
    #expect(contradiction(in: beside, final: [1: [1]], inRealTime: true) == nil)
    for (transactions, isStale) in [(history, true), (beside, false)] {
      var history = ListHistory()
      transactions.forEach { history.add($0) }
      let found = history.contradictions(final: [1: [1]], inRealTime: false, readsOwnCommits: true)
      #expect(found.isEmpty != isStale, "\(found)")
    }
  }

  @Test("what only reads may see the order of commits, in which what writes would not have read what it did")
  func commitOrder() {
    // The second one commits first, and has not been seen by the first one, which has to come before it.
    var history = ListHistory()
    history.add(Transaction(operations: [.read(2, []), .append(1, to: 1)]))
    history.add(Transaction(operations: [.append(2, to: 2)]))
    history.add(Transaction(operations: [.read(1, []), .read(2, [2])]))
    let final = [1: [1], 2: [2]]
    #expect(history.contradictions(final: final, inRealTime: false) != [])
    #expect(history.contradictions(final: final, inRealTime: false, readsCommitOrder: true) == [])
    // Another one that sees another order of the commits is wrong all the same, and so is what writes.
    history.add(Transaction(operations: [.read(1, [1]), .read(2, [])]))
    #expect(history.contradictions(final: final, inRealTime: false, readsCommitOrder: true) != [])
    var skew = ListHistory()
    skew.add(Transaction(operations: [.read(1, []), .append(2, to: 2)]))
    skew.add(Transaction(operations: [.read(2, []), .append(1, to: 1)]))
    #expect(skew.contradictions(final: final, inRealTime: false, readsCommitOrder: true) != [])
  }
}
