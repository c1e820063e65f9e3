import Query
import Repository
import SQLiteStore

extension Experiment {
  /// A value is never SQL, and neither is a key.
  static let injection = Experiment("injection", "hostile keys and values through every call, in both stores") { _ in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let file = try SQLiteStore(path: path)
    let other = try OtherProgram(path)
    try other.run(
      "CREATE TABLE bystander (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO bystander VALUES (1, 'x'), (2, 'y')")
    var finding = Finding()
    var calls = 0
    for (name, store) in [("SQLite", file as any Store), ("memory", MemoryStore())] {
      var trial = InjectionTrial(store: store)
      try await trial.run()
      for fault in trial.faults { finding.expect(false, "\(name): \(fault)") }
      calls += trial.calls
      if store is SQLiteStore {
        let schema = try other.texts("SELECT name FROM sqlite_schema WHERE name NOT LIKE '%hostile%' ORDER BY name")
        finding.expect(schema == ["bystander", "entry", "entry.batch"], "the schema is \(schema)")
        let rows = try other.texts("SELECT id || name FROM bystander ORDER BY id")
        finding.expect(rows == ["1x", "2y"], "the other rows are \(rows)")
        finding.expect(try other.isWhole(), "the database is damaged")
      }
    }
    finding.note("\(Hostile.texts.count) texts, \(calls) calls, schema and other rows unchanged")
    return finding
  }
}
