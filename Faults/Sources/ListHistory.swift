/// What transactions did that append numbers to lists and read them, and whether some order of them explains it.
///
/// No number is appended twice, so a list that was read tells which transactions came before. The rules are those of Elle:
/// Kingsbury, Alvaro, *Elle: Inferring Isolation Anomalies from Experimental Observations*, VLDB 2020.
struct ListHistory: Sendable {
  enum Operation: Hashable, Sendable {
    case append(Int, to: Int)
    case read(Int, [Int])
  }

  struct Transaction: Sendable {
    var operations: [Operation]
    /// Nanoseconds of a clock that all processes share.
    var began: Int64 = 0, ended: Int64 = 0
    /// Whether it was acknowledged; `nil` where its outcome is unknown.
    var isCommitted: Bool? = true
  }

  private(set) var transactions: [Transaction] = []

  mutating func add(_ transaction: Transaction) { transactions.append(transaction) }

  /// What contradicts every order of the transactions, one line each; empty where some order explains all reads.
  ///
  /// - Parameters:
  ///   - final: the lists at the end, by their keys.
  ///   - inRealTime: whether a transaction has to see those that had ended before it began.
  ///   - readsCommitOrder: whether what only reads sees the order of the commits, which need not be the one that explains what the
  ///     writing transactions have read. It does so on a standby, which knows of no serializable transactions: Fekete, O'Neil,
  ///     O'Neil, *A Read-Only Transaction Anomaly Under Snapshot Isolation*, SIGMOD Record 2004.
  ///   - readsOwnCommits: whether what only reads sees what had been acknowledged before it began. All transactions are of one
  ///     store, which promises that of a standby, too.
  func contradictions(
    final: [Int: [Int]], inRealTime: Bool, readsCommitOrder: Bool = false, readsOwnCommits: Bool = false
  ) -> [String] {
    var found = readContradictions(final)
    if readsOwnCommits { found += staleReads(final) }
    let parts: [Precedence.Part] = readsCommitOrder ? [.writers, .snapshots] : [.all]
    // Without one order of each list there is nothing to build on.
    if found.isEmpty,
      let cycle = parts.lazy.compactMap({ Precedence(self, final, inRealTime: inRealTime, $0).cycle() }).first
    {
      found.append(
        "no order explains the transactions \(cycle.map { "\($0)" }.joined(separator: " before ")): "
          + cycle.dropLast().map { "\($0) \(transactions[$0].operations)" }.joined(separator: ", "))
    }
    return found
  }

  /// By whom each number was appended.
  fileprivate var writers: [Int: Int] {
    var writers: [Int: Int] = [:]
    for (index, transaction) in transactions.enumerated() {
      for case .append(let number, _) in transaction.operations { writers[number] = index }
    }
    return writers
  }

  private func readContradictions(_ final: [Int: [Int]]) -> [String] {
    var found: [String] = []
    let writers = writers
    for (key, list) in final where Set(list).count < list.count {
      found.append("list \(key) holds a number twice: \(list)")
    }
    for (index, transaction) in transactions.enumerated() {
      var own: [Int: [Int]] = [:]
      for operation in transaction.operations {
        switch operation {
        case .append(let number, let key):
          own[key, default: []].append(number)
          let isKept = final[key]?.contains(number) == true
          if transaction.isCommitted == true, !isKept {
            found.append("transaction \(index) was acknowledged, and \(number) is lost")
          }
          if transaction.isCommitted == false, isKept {
            found.append("transaction \(index) was refused, and \(number) is there")
          }
        case .read(let key, let list):
          // What a refused transaction has read it was not told to be true.
          if transaction.isCommitted == false { continue }
          let others = list.dropLast(own[key]?.count ?? 0)
          if Array(list.dropFirst(others.count)) != own[key] ?? [] {
            found.append("transaction \(index) does not see its own \(own[key] ?? []) in \(list)")
          }
          if Array(final[key, default: []].prefix(others.count)) != Array(others) {
            found.append("transaction \(index) read \(list), which list \(key) never was: \(final[key] ?? [])")
          } else if let last = others.last, let writer = writers[last], writer != index,
            let numbers = Optional(transactions[writer].appended(to: key)), numbers.last != last
          {
            found.append("transaction \(index) read list \(key) amid transaction \(writer), after \(last)")
          }
        }
      }
    }
    return found
  }
}

extension ListHistory {
  /// The reads that lack a number that was acknowledged before they began.
  private func staleReads(_ final: [Int: [Int]]) -> [String] {
    let writers = writers
    return transactions.enumerated().flatMap { index, transaction -> [String] in
      guard transaction.isReading, transaction.isCommitted != false else { return [] }
      return transaction.operations.compactMap { operation in
        guard case .read(let key, let list) = operation else { return nil }
        // What was read is a beginning of the final list, which is checked apart.
        let missing = final[key, default: []].dropFirst(list.count).first { number in
          writers[number].map { transactions[$0].isCommitted == true && transactions[$0].ended < transaction.began }
            == true
        }
        return missing.map {
          "transaction \(index) read list \(key) without \($0), which was acknowledged before it began"
        }
      }
    }
  }
}

extension ListHistory.Transaction {
  /// Whether it does nothing but read.
  fileprivate var isReading: Bool { operations.allSatisfy { if case .read = $0 { true } else { false } } }

  func appended(to list: Int) -> [Int] {
    operations.compactMap { if case .append(let number, list) = $0 { number } else { nil } }
  }
}

/// Which transaction has to come before which.
private struct Precedence {
  /// The transactions, and behind them points in time.
  private var followers: [[Int]]
  private let count: Int

  /// Of what the order is asked.
  enum Part {
    case all
    /// Transactions that write.
    case writers
    /// What each one sees of others; what it does not see has to come later only where it does nothing but read.
    case snapshots
  }

  init(_ history: ListHistory, _ final: [Int: [Int]], inRealTime: Bool, _ part: Part) {
    let transactions = history.transactions
    count = transactions.count
    followers = Array(repeating: [], count: count)
    let writers = history.writers
    for list in final.values {
      for (former, latter) in zip(list, list.dropFirst()) { add(writers[former], writers[latter]) }
    }
    for (index, transaction) in transactions.enumerated() where transaction.isCommitted != false {
      if part == .writers && transaction.isReading { continue }
      for case .read(let key, let list) in transaction.operations {
        let foreign = list.prefix { writers[$0] != index }
        if let last = foreign.last { add(writers[last], index) }
        if part == .snapshots && !transaction.isReading { continue }
        let whole = final[key] ?? []
        if foreign.count < whole.count { add(index, writers[whole[foreign.count]]) }
      }
    }
    if inRealTime { addTime(transactions) }
  }

  private mutating func add(_ former: Int?, _ latter: Int?) {
    if let former, let latter, former != latter { followers[former].append(latter) }
  }

  /// A chain of points in time, one for each end: the transaction comes before it, and those that begin later after it.
  private mutating func addTime(_ transactions: [ListHistory.Transaction]) {
    let ended = transactions.indices.filter { transactions[$0].isCommitted == true }
    let events =
      ended.map { (transactions[$0].ended, 1, $0) }
      + transactions.indices.filter { transactions[$0].isCommitted != false }.map { (transactions[$0].began, 0, $0) }
    var latest: Int?
    for (_, isEnd, index) in events.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
      guard isEnd == 1 else {
        add(latest, index)
        continue
      }
      followers.append([])
      add(latest, followers.count - 1)
      latest = followers.count - 1
      add(index, latest)
    }
  }

  /// Transactions each of which has to come before the next, the last one being the first again; `nil` where there are none.
  func cycle() -> [Int]? {
    enum Mark { case new, open, done }
    var marks = Array(repeating: Mark.new, count: followers.count)
    for start in followers.indices where marks[start] == .new {
      var path = [(node: start, next: 0)]
      marks[start] = .open
      while let (node, next) = path.last {
        guard next < followers[node].count else {
          marks[node] = .done
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let follower = followers[node][next]
        switch marks[follower] {
        case .done: continue
        case .new:
          marks[follower] = .open
          path.append((follower, 0))
        case .open:
          let first = path.firstIndex { $0.node == follower } ?? 0
          return (path[first...].map(\.node) + [follower]).filter { $0 < count }
        }
      }
    }
    return nil
  }
}
