import Model
import Peers
import Raw
import SQLiteStore

/// A new database: opened, its table made, a first query asked.
enum OpenWorkloads {
  static let all = [onDisk, inMemory]

  private static let onDisk = Workload(
    "open", unit: "database",
    [.init(to: "raw", most: 1.5), .init(to: "grdb", most: 1.0), .init(to: "grdb-usual", most: 1.0)], stopwatch: .wall
  ) { bed in contenders(bed) { bed.newDiskPath() } }

  /// Where no disk is waited for, which takes most of the time otherwise.
  private static let inMemory = Workload(
    "open-without-disk", unit: "database", [.init(to: "raw"), .init(to: "grdb"), .init(to: "grdb-usual")]
  ) { bed in contenders(bed) { bed.newPath() } }

  private static func contenders(_ bed: Bed, newPath: @escaping () -> String) -> [Contender] {
    let request = FetchRequest(.equal(key: "id", value: 1))
    func contender(
      _ name: String, _ open: @escaping (String) throws -> (found: [Pokemon], keptOpen: Any)
    ) -> Contender {
      Contender(name, operations: repetitions) {
        let paths = (0..<repetitions).map { _ in newPath() }
        return .blocking {
          let opened = try paths.map(open)
          // Databases are closed and removed outside the time.
          return Answer { digest in
            for (found, _) in opened { digest.feed(found.count) }
            for path in paths { bed.remove(path) }
          }
        }
      }
    }
    return [
      contender("subject") { path in
        let repository = try SQLiteStore(path: path).blocking.repository(of: Pokemon.self)
        return (try repository.findAll(request), repository)
      },
      contender("raw") { path in
        let raw = try RawPokedex(path: path, pragmas: bed.settings, creating: bed.definitions)
        return ((try raw.find(1)).map { [$0] } ?? [], raw)
      },
      contender("grdb") { path in
        let peer = try Peer(path: path, pragmas: bed.settings, creating: bed.definitions)
        return ((try peer.find(1)).map { [$0] } ?? [], peer)
      },
      contender("grdb-usual") { path in
        let peer = try Peer(path: path, pragmas: bed.settings, creating: bed.definitions)
        return ((try peer.usualFind(1)).map { [$0] } ?? [], peer)
      },
    ]
  }

  private static let repetitions = 10
}
