import Query
import Repository

extension SampleRule {
  /// Aggregates of all rows, or of those that a query means.
  static var aggregates: [SampleRule] {
    [
      SampleRule("aggregates leave nulls out, and `count` of the rows does not") { examination in
        for column in examination.columns {
          await examination.ask(AggregateRequest([.count] + columnAggregates(of: column)))
          for aggregate in columnAggregates(of: column) { await examination.ask(AggregateRequest([aggregate])) }
        }
      },
      SampleRule("of nothing, counts and sums are 0, and the other aggregates are null") { examination in
        for column in examination.columns {
          await examination.ask(AggregateRequest([.count] + columnAggregates(of: column), of: .false))
          await examination.ask(AggregateRequest([.count] + columnAggregates(of: column), of: .isNull(key: column.key)))
          await examination.ask(AggregateRequest([.count], of: .false, groupedBy: [column.key]))
        }
      },
      SampleRule("aggregates are of the rows that the query means") { examination in
        for column in examination.columns {
          for value in column.someValues.prefix(2) {
            let query = AnyQuery.notEqual(key: column.key, value: value)
            for other in examination.columns.prefix(5) + [column] {
              await examination.ask(AggregateRequest([.count] + columnAggregates(of: other), of: query))
            }
          }
        }
      },
      SampleRule("a sum of reals is exact and then rounded, in any order") { examination in
        for column in examination.columns where column.values.contains(where: isReal) {
          let aggregates: [AnyAggregate] = [.sum(key: column.key), .average(key: column.key)]
          await examination.ask(AggregateRequest(aggregates))
          // Some rows alone, since any of them may make up for what the others lose.
          for value in column.someValues {
            await examination.ask(AggregateRequest(aggregates, of: .notEqual(key: column.key, value: value)))
            await examination.ask(AggregateRequest(aggregates, of: .lessThanOrEqual(key: column.key, value: value)))
          }
        }
      },
      SampleRule("a sum of integers overflows only where the total does") { examination in
        for column in examination.columns where column.values.contains(where: isHuge) {
          await examination.ask(AggregateRequest([.sum(key: column.key)]))
          for value in column.someValues {
            await examination.ask(
              AggregateRequest([.sum(key: column.key)], of: .lessThanOrEqual(key: column.key, value: value)))
          }
          await examination.ask(AggregateRequest([.average(key: column.key)]))
        }
      },
    ]
  }

  /// Groups of rows.
  static var groups: [SampleRule] {
    [
      SampleRule("groups come in the order of their keys, nulls first") { examination in
        for column in examination.columns {
          await examination.ask(AggregateRequest([.count], groupedBy: [column.key]))
          await examination.ask(AggregateRequest([.count], groupedBy: [column.key], limit: 2))
        }
      },
      SampleRule("rows are grouped by several keys") { examination in
        for (column, next) in examination.neighbours {
          await examination.ask(
            AggregateRequest([.count] + columnAggregates(of: next), groupedBy: [column.key, next.key]))
        }
      },
      SampleRule("keys alone give each combination once") { examination in
        for (column, next) in examination.neighbours {
          await examination.ask(AggregateRequest([], groupedBy: [next.key, column.key]))
        }
      },
      SampleRule("groups are sorted by an aggregate as told, and then by their keys") { examination in
        for (column, next) in examination.neighbours {
          for aggregate in [AnyAggregate.count, .max(key: next.key)] {
            for order in [AggregateOrder.ascending(aggregate), .descending(aggregate)] {
              await examination.ask(AggregateRequest([aggregate], groupedBy: [column.key], sortedBy: order))
              await examination.ask(AggregateRequest([aggregate], groupedBy: [column.key], sortedBy: order, limit: 1))
            }
          }
        }
      },
      SampleRule("what can't be worked out is refused") { examination in
        for column in examination.columns {
          let unknown = examination.unknownKey
          await examination.ask(AggregateRequest([.max(key: unknown)]))
          await examination.ask(AggregateRequest([.count], groupedBy: [column.key, unknown]))
          await examination.ask(AggregateRequest([.count], of: .isNull(key: unknown)))
          await examination.ask(AggregateRequest([.count], sortedBy: .descending(.max(key: column.key))))
          if !column.schema.kinds.contains(.number) {
            await examination.ask(AggregateRequest([.sum(key: column.key)]))
            await examination.ask(AggregateRequest([.average(key: column.key)]))
          }
        }
        await examination.ask(AggregateRequest([]))
        await examination.ask(AggregateRequest([.count], limit: -1))
      },
    ]
  }

  private static func columnAggregates(of column: SampleColumn) -> [AnyAggregate] {
    let aggregates: [AnyAggregate] = [.count(key: column.key), .min(key: column.key), .max(key: column.key)]
    if !column.schema.kinds.contains(.number) { return aggregates }
    return aggregates + [.sum(key: column.key), .average(key: column.key)]
  }

  private static func isReal(_ value: Value) -> Bool {
    if case .real = value { true } else { false }
  }

  /// Whether two such integers may have a sum that is none.
  private static func isHuge(_ value: Value) -> Bool {
    if case .integer(let integer) = value { integer.magnitude >= 1 << 62 } else { false }
  }
}

extension Examination {
  /// Each column with the next one.
  fileprivate var neighbours: [(SampleColumn, SampleColumn)] {
    columns.count < 2 ? [] : Array(zip(columns, columns.dropFirst() + columns.prefix(1)))
  }
}
