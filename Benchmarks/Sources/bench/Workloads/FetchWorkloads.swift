import Model
import Peers
import Raw
import SQLiteStore

/// All rows of the table.
enum FetchWorkloads {
  static let all = [structs, records]

  private static let structs = Workload(
    "fetch-all", unit: "row",
    [.init(to: "raw", most: 1.15), .init(to: "grdb", most: 0.3), .init(to: "grdb-usual", most: 0.3)]
  ) { bed in
    let count = bed.rows.count
    return [
      .blocking("subject", operations: count) { Answer(try bed.subject.findAll(FetchRequest())) },
      .blocking("raw", operations: count) { Answer(try bed.raw.all()) },
      .blocking("grdb", operations: count) { Answer(try bed.peer.all()) },
      .blocking("grdb-usual", operations: count) { Answer(try bed.peer.usualAll()) },
    ]
  }

  private static let records = Workload(
    "fetch-all-records", unit: "row", [.init(to: "raw", most: 2.0), .init(to: "grdb", most: 1.0)]
  ) { bed in
    let count = bed.rows.count
    let records = try bed.store.blocking.repository(Schema(try bed.store.schema(ofTable: "pokemon")))
    return [
      .blocking("subject", operations: count) {
        let found = try records.findAll(FetchRequest())
        return Answer { digest in
          for record in found { digest.feed(record.values) }
        }
      },
      .blocking("raw", operations: count) {
        let found = try bed.raw.allValues()
        return Answer { digest in
          for row in found { digest.feed(row) }
        }
      },
      .blocking("grdb", operations: count) {
        let found = try bed.peer.allRows()
        return Answer { digest in
          for row in found { digest.feed(Peer.values(of: row)) }
        }
      },
    ]
  }
}

extension Digest {
  fileprivate mutating func feed(_ values: [Value]) {
    for value in values {
      switch value {
      case .null, .blob: feed(nil as String?)
      case .integer(let number): feed(Int(number))
      case .real(let number): feed(number)
      case .text(let text): feed(text)
      }
    }
  }

  fileprivate mutating func feed(_ values: [RawValue]) {
    for value in values {
      switch value {
      case .null: feed(nil as String?)
      case .integer(let number): feed(Int(number))
      case .real(let number): feed(number)
      case .text(let text): feed(text)
      }
    }
  }
}
