import Query
import Repository

/// Aggregates of tables that are described at run time, whose columns may hold values of any kind.
enum StoreAggregateRules {
  static let all: [ConformanceRule<any Store>] = [
    ConformanceRule("the least and the greatest of mixed values are those of the total order") { context in
      let mixed = try await records([.null, "a", 2, .blob([]), 0.5], in: context.subject)
      let aggregates: [AnyAggregate] = [.count(key: "value"), .min(key: "value"), .max(key: "value")]
      await context.expect(AggregateRequest(aggregates), of: mixed, ["4 0.5 x''"])
      await context.expect(AggregateRequest(aggregates, of: .lessThan(key: "id", value: 4)), of: mixed, ["2 2 'a'"])
    },
    ConformanceRule("of mixed values numbers alone are added, and one real makes the sum a real") { context in
      let mixed = try await records([.null, "7", .blob([1]), 1, 2, 0.5], in: context.subject)
      let aggregates: [AnyAggregate] = [.sum(key: "value"), .average(key: "value")]
      await context.expect(AggregateRequest(aggregates), of: mixed, ["3.5 1.1666666666666667"])
      await context.expect(AggregateRequest(aggregates, of: .lessThan(key: "id", value: 6)), of: mixed, ["3 1.5"])
      await context.expect(AggregateRequest(aggregates, of: .lessThan(key: "id", value: 4)), of: mixed, ["0 null"])
    },
    ConformanceRule("integers and reals are added exactly together") { context in
      let mixed = try await records(
        [.integer(.max), .integer(.max), -0.5, -9_223_372_036_854_775_808.0], in: context.subject)
      await context.expect(AggregateRequest([.sum(key: "value")]), of: mixed, ["\(Value.real(0x1p63))"])
      await context.expect(
        AggregateRequest([.sum(key: "value")], of: .notEqual(key: "id", value: 1)), of: mixed, ["-1.5"])
    },
    ConformanceRule("an integer and a real that are equal are one group, which is called by the integer") { context in
      for values in [[1.0, 1, 2.0, "1"], ["1", 2.0, 1, 1.0]] as [[Value]] {
        let mixed = try await records(values, in: context.subject)
        await context.expect(AggregateRequest([.count], groupedBy: ["value"]), of: mixed, ["1 2", "2.0 1", "'1' 1"])
        await context.expect(
          AggregateRequest([.min(key: "value"), .max(key: "value")], of: .lessThan(key: "value", value: 2)), of: mixed,
          ["1 1"])
      }
    },
    ConformanceRule("an integer and a real that are not quite equal are two groups") { context in
      let mixed = try await records(
        [9_007_199_254_740_993, 9_007_199_254_740_992.0, 9_007_199_254_740_992], in: context.subject)
      await context.expect(
        AggregateRequest([.count], groupedBy: ["value"]), of: mixed, ["9007199254740992 2", "9007199254740993 1"])
    },
  ]

  /// A table with these values and ids from 1 on, and nothing else.
  private static func records(_ values: [Value], in store: any Store) async throws -> AnyRepository<Record> {
    let table = try TableSchema(
      "mixed", columns: [.init("id", .integer), .init("value", .any, isNullable: true)], primaryKey: ["id"])
    let repository = try store.repository(Schema(table))
    for record in try await repository.findAll() { try await repository.delete(record.id) }
    var records: [Record] = []
    for (index, value) in values.enumerated() {
      records.append(try Record(["id": .integer(Int64(index + 1)), "value": value], for: table))
    }
    try await repository.save(records)
    return repository
  }
}
