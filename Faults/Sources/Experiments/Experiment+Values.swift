import Query
import Repository
import SQLiteStore

extension Experiment {
  /// A value comes back as it was saved.
  static let oddValues = Experiment("values", "NUL in texts, infinities, the bounds of integers, empty and odd values")
  { _ in
    let folder = try Folder()
    let values: [Value] = [
      .text("a\0b"), .text("\0"), .text(""), .text("\u{10FFFF}"), .integer(.min), .integer(.max), .integer(0),
      .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .real(-0.0),
      .real(9_007_199_254_740_992), .blob([]), .blob([0]), .blob(Array(0...255)), .null,
    ]
    var finding = Finding()
    let stores: [(String, any Store)] = [
      ("file", try SQLiteStore(path: folder.file("a.sqlite"))), ("SQLite's memory", try SQLiteStore.inMemory()),
      ("memory", MemoryStore()),
    ]
    let table = try TableSchema(
      "odd", columns: [ColumnSchema("id", .integer), ColumnSchema("value", .any, isNullable: true, isIndexed: true)],
      primaryKey: ["id"])
    for (name, store) in stores {
      let records: AnyRepository<Record> = try store.repository(Schema(table))
      for (id, value) in values.enumerated() {
        let record = Record(values: [.integer(Int64(id)), value], in: table)
        try await records.save(record)
        let found = try await records.findAll(FetchRequest(.equal(key: "id", value: id))).first?.values[1]
        finding.expect(found == value, "\(name): \(value) comes back as \(found.map { "\($0)" } ?? "nothing")")
      }
      do throws(RepositoryError) {
        let record = Record(values: [1_000, .real(.nan)], in: table)
        try await records.save(record)
        finding.expect(false, "\(name): what is no number is saved")
      } catch {
        finding.expect(error.code == .invalidValue, "\(name): what is no number fails with \(error)")
      }
    }
    finding.note("\(values.count) values in 3 stores, unchanged; what is no number is refused")
    return finding
  }

  /// Bytes, as many as there may be.
  static let bigBlobs = Experiment("blobs", "0 bytes to 100 MB in a file") { scale in
    let folder = try Folder()
    let table = try TableSchema(
      "blob", columns: [ColumnSchema("id", .integer), ColumnSchema("bytes", .blob)], primaryKey: ["id"])
    let store = try SQLiteStore(path: folder.file("a.sqlite"))
    let records: AnyRepository<Record> = try store.repository(Schema(table))
    var finding = Finding()
    let sizes = [0, 1, 4_096, 1_000_000] + scale.pick(quick: [], full: [100_000_000])
    for (id, size) in sizes.enumerated() {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
      let watch = Stopwatch()
      try await records.save(Record(values: [.integer(Int64(id)), .blob(bytes)], in: table))
      let (saved, found) = (watch.elapsed, try await records.findAll(FetchRequest(.equal(key: "id", value: id))).first)
      finding.expect(found?.values[1] == .blob(bytes), "\(size) bytes come back as others")
      if size >= 1_000_000 {
        finding.note("\(size / 1_000_000) MB saved in \(saved.text), read in \((watch.elapsed - saved).text)")
      }
    }
    return finding
  }
}
