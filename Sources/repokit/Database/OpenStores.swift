import SQLiteStore
import Synchronization

/// The databases that commands have opened, so that the shell can stop what is being done with them.
enum OpenStores {
  private struct Entry {
    weak var store: SQLiteStore?
  }
  private static let entries = Mutex<[Entry]>([])

  /// Remembers a database for as long as somebody has it.
  static func add(_ store: SQLiteStore) {
    entries.withLock { entries in
      entries.removeAll { $0.store == nil }
      entries.append(Entry(store: store))
    }
  }

  /// Stops what is being done with any of them. Each has to be opened anew then.
  static func stop() {
    let stores = entries.withLock { entries in entries.compactMap(\.store) }
    for store in stores { store.stop() }
  }
}
