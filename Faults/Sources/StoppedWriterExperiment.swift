import Foundation
import Repository
import SQLiteStore

extension Experiment {
  /// A process that waits to write, and is stopped meanwhile or killed, is in no other's way.
  static let stoppedWriter = Experiment("stopped-writer", "a process is stopped while it waits to write, then killed") {
    scale in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let entries = try SQLiteStore(path: path, timeout: .seconds(60)).sqlRepository(of: Entry.self)
    var finding = Finding()

    var holder = try Helper("holdLock", [path])
    _ = await holder.line()
    let writer = try await waitingWriter(1, path, folder)
    writer.send(SIGSTOP)
    holder.release()
    await holder.wait()
    let limit = scale.pick(quick: Duration.seconds(20), full: .milliseconds(200))
    for number in 0..<scale.pick(quick: 3, full: 100) {
      let watch = Stopwatch()
      try await entries.save([Entry(id: number, batch: 0, note: "")])
      let elapsed = watch.elapsed
      finding.expect(elapsed < limit, "write \(number) beside a stopped process took \(elapsed.text)")
      if number < 2 { finding.note("write \(number + 1) beside a stopped process: \(elapsed.text)") }
      // Each of the others would take as long.
      if elapsed >= limit { break }
    }
    writer.send(SIGCONT)
    let count = Int(await writer.line() ?? "") ?? 0
    await writer.wait()
    finding.expect(count > 0, "the process wrote nothing after it went on")
    finding.expect(try await entries.count(.equal(key: "batch", value: 1)) == count, "rows are missing")

    holder = try Helper("holdLock", [path])
    _ = await holder.line()
    let killed = try await waitingWriter(2, path, folder)
    killed.kill()
    await killed.wait()
    holder.release()
    await holder.wait()
    finding.expect(try folder.names.contains("a.sqlite-queue"), "the killed process left no file behind")
    try await entries.save([Entry(id: 0, batch: 0, note: "")])
    finding.expect(try !folder.names.contains("a.sqlite-queue"), "the file of a killed process is still there")
    return finding
  }

  /// A process that waits for the right to write, and has joined the queue.
  private static func waitingWriter(_ number: Int, _ path: String, _ folder: Folder) async throws -> Helper {
    let writer = try Helper("writeExclusively", [path, "\(number)", "0.05"])
    _ = await writer.line()
    writer.release()
    // The file begins with a header of 16 bytes.
    while folder.size("a.sqlite-queue") <= 16 { try await Task.sleep(for: .milliseconds(1)) }
    return writer
  }
}

extension Role {
  /// `writeExclusively DATABASE NUMBER SECONDS`: saves single rows in a tight loop from the moment when its input is closed,
  /// and tells how many.
  static let writeExclusively = Role("writeExclusively") { arguments in
    let store = try SQLiteStore(path: arguments[0], timeout: .seconds(30))
    let entries = try store.sqlRepository(of: Entry.self)
    let writer = Int(arguments[1]) ?? 0
    tell("ready")
    waitForRelease()
    let watch = Stopwatch()
    var count = 0
    while watch.elapsed < .seconds(Double(arguments[2]) ?? 0) {
      try await entries.save([Entry(id: writer * 10_000_000 + count, batch: writer, note: "")])
      count += 1
    }
    tell("\(count)")
  }
}
