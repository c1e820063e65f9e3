import SQLiteStore
import Synchronization

/// The databases that commands have opened, so that the shell can stop what is being done with them.
enum OpenStores {
  private struct Entry {
    weak var store: SQLiteStore?
  }
  private struct State {
    var entries: [Entry] = []
    var isStopped = false
  }
  private static let state = Mutex(State())

  /// Remembers a database for as long as somebody has it.
  static func add(_ store: SQLiteStore) {
    let isStopped = state.withLock { state in
      state.entries.removeAll { $0.store == nil }
      state.entries.append(Entry(store: store))
      return state.isStopped
    }
    if isStopped { store.stop() }
  }

  /// Stops what is being done with any of them, also with those that are opened from now on.
  static func stop() {
    let stores = state.withLock { state in
      state.isStopped = true
      return state.entries.compactMap(\.store)
    }
    for store in stores { store.stop() }
  }

  /// Lets databases be opened and used again. Those that were stopped stay so.
  static func resume() { state.withLock { $0.isStopped = false } }
}
