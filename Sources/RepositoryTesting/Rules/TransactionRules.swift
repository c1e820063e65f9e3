import Query
import Repository

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Rules of a store's transactions.
enum TransactionRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule(
      "a transaction commits its changes in all repositories, opened before or within", needs: [.transactions]
    ) { context in
      let (store, stations, loans) = try open(context)
      let count = try await store.transaction { transaction in
        try await stations.save([bonn, paris])
        let within = try transaction.repository(of: Loan.self)
        try await within.save(book)
        return try await stations.count() + loans.count() + within.count()
      }
      await context.expect("the result: the count that the transaction sees", 4) { count }
      await context.expect("count both afterwards", [2, 1]) { [try await stations.count(), try await loans.count()] }
    },
    ConformanceRule("a transaction that throws saves nothing, and throws the same error", needs: [.transactions]) {
      context in
      let (store, stations, loans) = try open(context)
      try await stations.save(bonn)
      await context.expect("the error", Refusal(number: 7)) {
        do {
          try await store.transaction { _ in
            try await stations.delete("Bonn")
            try await stations.save(paris)
            try await loans.save(book)
            throw Refusal(number: 7)
          }
          return Refusal(number: 0)
        } catch let error as Refusal { return error }
      }
      await context.expect("the remaining elements", ["Bonn"]) { try await stations.findAll().map(\.name) }
      await context.expect("count the other table", 0) { try await loans.count() }
      try await stations.save(paris)
      await context.expect("count after another save", 2) { try await stations.count() }
    },
    ConformanceRule("a transaction within a transaction fails alone", needs: [.transactions]) { context in
      let (store, stations, _) = try open(context)
      try await store.transaction { transaction in
        try await stations.save(bonn)
        _ = try? await transaction.transaction { inner in
          try await stations.delete("Bonn")
          let within = try inner.repository(of: Station.self)
          try await within.save(paris)
          throw Refusal(number: 1)
        }
        try await store.transaction { _ in try await stations.save(rome) }
      }
      await context.expect("the stored elements", ["Bonn", "Rome"]) { try await stations.findAll().map(\.name) }
    },
    ConformanceRule("the changes of a nested transaction roll back with the outer transaction", needs: [.transactions])
    { context in
      let (store, stations, _) = try open(context)
      _ = try? await store.transaction { transaction in
        try await transaction.transaction { inner in
          try await inner.transaction { _ in try await stations.save(bonn) }
          try await stations.save(paris)
        }
        throw Refusal(number: 1)
      }
      await context.expect("count", 0) { try await stations.count() }
    },
    ConformanceRule("a refused save within a transaction rolls back alone", needs: [.transactions]) { context in
      let (store, stations, _) = try open(context)
      let names = try context.subject.repository(Schema(try nameTable))
      try await store.transaction { _ in
        try await stations.save(bonn)
        try await names.save(Record(["id": 1, "name": "a"], for: try nameTable))
        await context.expect("save two records, of which one is a conflict", throws: .conflict) {
          try await names.save([
            Record(["id": 2, "name": "b"], for: try nameTable), Record(["id": 3, "name": "a"], for: try nameTable),
          ])
        }
        try await stations.save(paris)
      }
      await context.expect("count stations and names", [2, 1]) {
        [try await stations.count(), try await names.count()]
      }
    },
    ConformanceRule("no other task sees the changes of a running transaction", needs: [.transactions]) { context in
      let (store, stations, _) = try open(context)
      try await stations.save(bonn)
      try await store.transaction { _ in
        try await stations.save(paris)
        try await stations.delete("Bonn")
        await context.expect("the count that another task sees", ["Bonn"]) {
          try await Task.detached { try await stations.findAll().map(\.name) }.value
        }
        await context.expect("the count that the transaction sees", ["Paris"]) {
          try await stations.findAll().map(\.name)
        }
      }
      await context.expect("the count that another task sees at last", ["Paris"]) {
        try await Task.detached { try await stations.findAll().map(\.name) }.value
      }
    },
    ConformanceRule("reads within `read` see one state, whatever others write", needs: [.transactions]) { context in
      let (store, stations, loans) = try open(context)
      try await stations.save(bonn)
      try await store.read { transaction in
        try await Task.detached {
          try await stations.save(paris)
          try await loans.save(book)
        }.value
        let within = try transaction.repository(of: Station.self)
        await context.expect("the state, seen three times", [1, 1, 0]) {
          [try await stations.count(), try await within.count(), try await loans.count()]
        }
      }
      await context.expect("the state afterwards", [2, 1]) { [try await stations.count(), try await loans.count()] }
    },
    ConformanceRule("writes within `read` are refused", needs: [.transactions]) { context in
      let (store, stations, _) = try open(context)
      try await stations.save(bonn)
      try await store.read { transaction in
        let within = try transaction.repository(of: Station.self)
        for repository in [stations, within] {
          await context.expect("save within read", throws: .writeInsideRead) { try await repository.save(paris) }
          await context.expect("delete within read", throws: .writeInsideRead) { try await repository.delete("Bonn") }
          // A write is refused even if it would have no effect.
          await context.expect("save nothing within read", throws: .writeInsideRead) { try await repository.save([]) }
          await context.expect("insert nothing within read", throws: .writeInsideRead) {
            try await repository.insert([])
          }
          await context.expect("delete nothing within read", throws: .writeInsideRead) {
            try await repository.delete([])
          }
          await context.expect("delete by an invalid query within read", throws: .writeInsideRead) {
            try await repository.delete(where: .equal(key: "none", value: 1))
          }
        }
        await context.expect("begin a transaction within read", throws: .writeInsideRead) {
          try await store.transaction { _ in try await stations.save(paris) }
        }
        try await transaction.read { _ in
          await context.expect("count within read within read", 1) { try await stations.count() }
        }
      }
      try await store.transaction { transaction in
        try await stations.save(paris)
        try await transaction.read { _ in
          await context.expect("count within read within a transaction", 2) { try await stations.count() }
          await context.expect("save there", throws: .writeInsideRead) { try await stations.save(rome) }
        }
        try await stations.save(rome)
      }
      await context.expect("count", 3) { try await stations.count() }
    },
    ConformanceRule(
      "a transaction whose task is cancelled saves nothing, and the store stays usable", needs: [.transactions]
    ) { context in
      let (store, stations, _) = try open(context)
      let task = Task.detached {
        try await store.transaction { _ in
          try await stations.save(bonn)
          withUnsafeCurrentTask { $0?.cancel() }
        }
      }
      await context.expect("the cancelled transaction", throws: .cancelled) { try await task.value }
      await context.expect("count", 0) { try await stations.count() }
      try await store.transaction { _ in try await stations.save(paris) }
      await context.expect("count after another transaction", 1) { try await stations.count() }
    },
    ConformanceRule("a repository of a transaction is refused after it", needs: [.transactions]) { context in
      let (store, stations, _) = try open(context)
      let left = try await store.transaction { try $0.repository(of: Station.self) }
      await context.expect("save afterwards", throws: .transactionEnded) { try await left.save(bonn) }
      await context.expect("save nothing afterwards", throws: .transactionEnded) { try await left.save([]) }
      await context.expect("count afterwards", throws: .transactionEnded) { try await left.count() }
      await context.expect("count", 0) { try await stations.count() }
    },
    ConformanceRule("tasks that a transaction starts take part in it", needs: [.transactions]) { context in
      let (store, stations, _) = try open(context)
      _ = try? await store.transaction { _ in
        try await withThrowingTaskGroup { group in
          for station in [bonn, paris, rome] { group.addTask { try await stations.save(station) } }
          try await group.waitForAll()
        }
        await context.expect("count within", 3) { try await stations.count() }
        throw Refusal(number: 1)
      }
      await context.expect("count after it failed", 0) { try await stations.count() }
    },
    ConformanceRule("concurrent transactions do not lose each other's changes", needs: [.transactions]) { context in
      let (store, _, _) = try open(context)
      let table = try nameTable
      let names = try store.repository(Schema(table))
      try await names.save(Record(["id": 0, "name": "0"], for: table))
      try await withThrowingTaskGroup { group in
        for _ in 0..<40 {
          group.addTask {
            let backoff = Backoff.exponential(from: .milliseconds(1), atMost: .milliseconds(100))
            try await store.transaction(attempts: 1_000, backoff: backoff) { _ in
              let text: Value = try await names.find([0])?["name"] ?? .null
              guard case .text(let digits) = text, let number = Int(digits) else { throw Refusal(number: 0) }
              try await names.save(Record(["id": 0, "name": .text("\(number + 1)")], for: table))
            }
          }
        }
        try await group.waitForAll()
      }
      await context.expect("a number that 40 tasks counted up", "40") { try await names.find([0])?["name"] ?? .null }
    },
    ConformanceRule("a table that a transaction created is gone with it", needs: [.transactions]) { context in
      let store = context.subject
      _ = try? await store.transaction { transaction in
        let stations = try transaction.repository(of: Station.self)
        try await stations.save(bonn)
        throw Refusal(number: 1)
      }
      let stations = try store.repository(of: Station.self)
      await context.expect("count in a new one", 0) { try await stations.count() }
    },
  ]

  private struct Refusal: Error, Hashable {
    let number: Int
  }

  private static let bonn = Station(name: "Bonn", country: "DE")
  private static let paris = Station(name: "Paris", country: "FR")
  private static let rome = Station(name: "Rome", country: nil)
  private static let book = Loan(id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)), until: nil)

  private static var nameTable: TableSchema {
    get throws(QueryError) {
      try TableSchema(
        "name", columns: [.init("id", .integer), .init("name", .text, isUnique: true)], primaryKey: ["id"])
    }
  }

  private static func open(
    _ context: CheckContext<any Store>
  ) throws(RepositoryError) -> (any Store, AnyRepository<Station>, AnyRepository<Loan>) {
    (
      context.subject, try context.subject.repository(of: Station.self), try context.subject.repository(of: Loan.self)
    )
  }
}
