import Query
import Repository
import SQLiteStore

extension Experiment {
  /// Bytes that another program wrote as a text: the row is refused, never shown as something else; all others are read.
  static let invalidText = Experiment("utf-8", "texts of another program that are not UTF-8") { _ in
    let folder = try Folder()
    let path = folder.file("a.sqlite")
    let store = try SQLiteStore(path: path)
    let entries: AnyRepository<Entry> = try store.repository()
    try await entries.save(Entry.batch(0, note: "plain"))
    let other = try OtherProgram(path)
    let invalid = ["ff", "c3", "c0af", "eda080", "f4908080", "41ff42", "80", "e2982861", "00ff"]
    for (number, bytes) in invalid.enumerated() {
      try other.run("INSERT INTO entry VALUES (\(100 + number), 9, CAST(x'\(bytes)' AS TEXT))")
    }
    var finding = Finding()
    func code(_ body: () async throws(RepositoryError) -> Void) async -> RepositoryError.Code? {
      do throws(RepositoryError) {
        try await body()
        return nil
      } catch {
        return error.code
      }
    }
    for number in invalid.indices {
      let id = 100 + number
      let found = await code { () async throws(RepositoryError) in _ = try await entries.find(id) }
      finding.expect(found == .unreadableRow, "text \(number): \(found?.rawValue ?? "no error")")
    }
    let all = await code { () async throws(RepositoryError) in _ = try await entries.findAll() }
    finding.expect(all == .unreadableRow, "all rows: \(all?.rawValue ?? "no error")")
    let others = try await entries.findAll(FetchRequest(.equal(key: "batch", value: 0)))
    finding.expect(others == Entry.batch(0, note: "plain"), "the other rows are \(others)")
    finding.expect(try await entries.count(.true) == invalid.count + 3, "they are not counted")
    for query in [
      AnyQuery.contains(key: "note", value: "a", ignoringCase: true), .like(key: "note", value: "%a%"),
      .equal(key: "note", value: "plain"), .in(key: "note", values: ["plain", "x"]),
    ] {
      let count = try await entries.count(query && .equal(key: "batch", value: 0))
      finding.expect(count == 3, "\(query) finds \(count)")
    }
    let problems = try await store.integrityCheck()
    finding.expect(problems.map(\.kind) == [.invalidText], "the check finds \(problems)")
    try await entries.save(Entry(id: 100, batch: 9, note: "mended"))
    finding.expect(try await entries.find(100)?.note == "mended", "a row can't be mended")
    finding.expect(try await entries.delete(invalid.indices.map { 100 + $0 }) == invalid.count, "rows can't be deleted")
    finding.expect(try await entries.findAll() == Entry.batch(0, note: "plain"), "they are not gone")
    finding.note("\(invalid.count) texts: an error at each, all other rows read, the check names the column")
    return finding
  }
}
