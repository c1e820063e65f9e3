import Repository
import SQLiteStore

extension Experiment {
  /// How long is waited is what the timeout says.
  static let busy = Experiment("busy", "another process holds the lock, each way of writing, timeouts 0, 0.5 and 2 s") {
    scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    _ = try SQLiteStore(path: path).repository(of: Entry.self)
    let holder = try Helper("holdLock", [path])
    _ = await holder.line()
    defer { holder.release() }
    var finding = Finding()
    for seconds in scale.pick(quick: [0, 0.1], full: [0, 0.5, 2]) {
      var latest = Duration.zero
      for way in WayOfWriting.allCases {
        let store = try SQLiteStore(path: path, timeout: .seconds(seconds))
        let entries = try store.repository(of: Entry.self)
        let watch = Stopwatch()
        let code = await way.errorCode(store, entries)
        let over = watch.elapsed - .seconds(seconds)
        latest = max(latest, over)
        finding.expect(code == .busy, "\(way) with \(seconds) s: \(code?.rawValue ?? "no error")")
        finding.expect(over >= .zero, "\(way) with \(seconds) s gave up \((.zero - over).text) early")
        if scale == .full {
          finding.expect(over <= .milliseconds(20), "\(way) with \(seconds) s came back \(over.text) late")
        }
      }
      finding.note("\(seconds) s: at most \(latest.text) late")
    }
    return finding
  }
}
