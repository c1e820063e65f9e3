import Foundation
import SQLiteStore

extension Role {
  /// `writeUntilKilled DATABASE normal|full`: saves batch after batch, and tells the number of each that is saved.
  static let writeUntilKilled = Role("writeUntilKilled") { arguments in
    let store = try SQLiteStore(path: arguments[0], synchronous: arguments[1] == "full" ? .full : .normal)
    let entries = try store.repository(of: Entry.self)
    let last = try await entries.findAll(sortedBy: .descending(\.batch), limit: 1).first?.batch ?? -1
    let note = String(repeating: "x", count: 500)
    for batch in (last + 1)... {
      // The three ways of writing several rows.
      switch batch % 3 {
      case 0: try await entries.save(Entry.batch(batch, note: note))
      case 1:
        try await store.transaction { _ in
          for entry in Entry.batch(batch, note: note) { try await entries.save(entry) }
        }
      default:
        try await store.transaction { outer in
          try await entries.save(Entry.batch(batch, note: note)[0])
          try await outer.transaction { _ in try await entries.save(Array(Entry.batch(batch, note: note)[1...])) }
        }
      }
      tell("\(batch)")
    }
  }
}
