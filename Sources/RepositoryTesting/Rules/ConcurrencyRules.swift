import Query
import Repository

/// Rules of the concurrent use of a repository by any number of tasks.
enum ConcurrencyRules {
  static let all: [SpecimenRule] = [
    SpecimenRule("every element is stored if many tasks save at once", needs: [.concurrency]) { context in
      let repository = context.subject
      try await withThrowingTaskGroup { group in
        for task in 0..<20 {
          group.addTask { @concurrent in
            for number in 1...10 { try await repository.save(Specimen(task * 10 + number)) }
          }
        }
        try await group.waitForAll()
      }
      await context.expect(.true, findsAll: Array(1...200))
    },
    SpecimenRule(
      "many tasks may find, count, save and delete at once", among: .series(50), needs: [.concurrency]
    ) { context in
      let repository = context.subject
      let found = try await withThrowingTaskGroup(of: Bool.self) { group in
        for id in 1...50 {
          group.addTask { @concurrent in
            let isFound = try await repository.find(id) != nil
            try await repository.save([Specimen(100 + id), Specimen(200 + id)])
            let count = try await repository.count(.lessThanOrEqual(key: "id", value: 50))
            let wasThere = try await repository.delete(id) == 1
            return isFound && wasThere && (1...50).contains(count)
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      await context.expect("the number of successful tasks", 50) { found }
      await context.expect(.true, findsAll: Array(101...150) + Array(201...250))
    },
    SpecimenRule(
      "a reader during a save sees all of a batch or nothing", among: .series(\.age, 0, 0),
      needs: [.concurrency]
    ) {
      context in
      let repository = context.subject
      let torn = try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { @concurrent in
          for age in 1...50 { try await repository.save([Specimen(1).with(\.age, age), Specimen(2).with(\.age, age)]) }
          return 0
        }
        for _ in 0..<3 {
          group.addTask { @concurrent in
            var torn = 0
            for _ in 0..<50 where Set(try await repository.findAll().map(\.age)).count > 1 { torn += 1 }
            return torn
          }
        }
        return try await group.reduce(0, +)
      }
      await context.expect("the number of reads that saw half of a batch", 0) { torn }
    },
  ]
}
