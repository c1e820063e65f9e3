import SQLiteStore

extension Role {
  /// `countUp DATABASE READERS WRITERS SECONDS`: a ``Crowd`` at a database, from the moment when its input is closed.
  static let countUp = Role("countUp") { arguments in
    let numbers = arguments.dropFirst().map { Double($0) ?? 0 }
    let store = try SQLiteStore(path: arguments[0])
    tell("ready")
    waitForRelease()
    let crowd = Crowd(
      store: store, readers: Int(numbers[0]), writers: Int(numbers[1]), duration: .seconds(numbers[2]))
    let counts = try await crowd.run()
    var finding = Finding()
    for failure in counts.failures { finding.expect(false, failure) }
    tell("counts \(counts.writes) \(counts.reads) \(counts.torn)")
    tell(finding)
  }
}
