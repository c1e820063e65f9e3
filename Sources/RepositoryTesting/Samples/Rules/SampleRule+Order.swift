import Query
import Repository

extension SampleRule {
  /// `<`, `<=`, `>` and `>=`.
  static var order: [SampleRule] {
    [
      order("`<`, `<=`, `>` and `>=` compare numbers", .number),
      order("texts are in the order of their UTF-8 bytes", .text),
      order("blobs are in the order of their bytes", .blob),
      SampleRule("`<`, `<=`, `>` and `>=` are false for a null, their negations true") { examination in
        for column in examination.columnsWithNulls {
          for relation in relations {
            for value in column.someValues.prefix(3) {
              await examination.ask(.compare(key: column.key, relation, value: value))
              await examination.ask(!.compare(key: column.key, relation, value: value))
            }
          }
        }
      },
      SampleRule("nothing stands before or after null, not even null itself") { examination in
        for column in examination.columns {
          for relation in relations {
            await examination.ask(.compare(key: column.key, relation, value: Value.null))
            await examination.ask(!.compare(key: column.key, relation, value: Value.null))
          }
        }
      },
    ]
  }

  private static var relations: [Relation] { [.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual] }

  /// A rule about the values of one kind, nulls apart.
  private static func order(_ name: String, _ kind: Value.Kind) -> SampleRule {
    SampleRule(name) { examination in
      for column in examination.columns where column.schema.kinds.contains(kind) && !column.hasNull {
        for relation in relations {
          for value in column.probes.filter({ $0.kind == kind }).prefix(10) {
            await examination.ask(.compare(key: column.key, relation, value: value))
          }
        }
      }
    }
  }

  /// `between`, both bounds included.
  static var between: [SampleRule] {
    [
      SampleRule("`between` includes both bounds") { examination in
        for column in examination.columns where !column.hasNull {
          for (lower, upper) in bounds(of: column) {
            await examination.ask(.between(key: column.key, lhs: lower, rhs: upper))
            await examination.ask(!.between(key: column.key, lhs: lower, rhs: upper))
          }
        }
      },
      SampleRule("`between` with reversed bounds finds nothing") { examination in
        for column in examination.columns {
          for (lower, upper) in bounds(of: column) where lower < upper {
            await examination.ask(.between(key: column.key, lhs: upper, rhs: lower))
            await examination.ask(!.between(key: column.key, lhs: upper, rhs: lower))
          }
        }
      },
      SampleRule("`between` is false for a null, its negation true") { examination in
        for column in examination.columnsWithNulls {
          for (lower, upper) in bounds(of: column) {
            await examination.ask(.between(key: column.key, lhs: lower, rhs: upper))
            await examination.ask(!.between(key: column.key, lhs: lower, rhs: upper))
          }
        }
      },
      SampleRule("`between` is false for a bound that is null") { examination in
        for column in examination.columns {
          guard let value = column.values.first else { continue }
          await examination.ask(.between(key: column.key, lhs: Value.null, rhs: value))
          await examination.ask(!.between(key: column.key, lhs: value, rhs: Value.null))
        }
      },
      SampleRule("a bound of `between` may be another key") { examination in
        for (lhs, rhs) in examination.pairs {
          guard let value = rhs.values.first else { continue }
          await examination.ask(.between(key: lhs.key, lower: .key(rhs.key), upper: .key(lhs.key)))
          await examination.ask(!.between(key: lhs.key, lower: .value(value), upper: .key(rhs.key)))
        }
      },
    ]
  }

  private static func bounds(of column: SampleColumn) -> [(Value, Value)] {
    let values = column.someValues
    return values.isEmpty ? [] : zip(values, values.dropFirst(values.count / 2)).map { ($0, $1) }
  }

  /// `in`.
  static var membership: [SampleRule] {
    [
      SampleRule("`in` finds what equals one of the values") { examination in
        for column in examination.columns where !column.hasNull {
          let values = column.someValues
          for list in [values, Array(values.prefix(1)), Array(values.suffix(2)) + values.suffix(2)] where !list.isEmpty
          {
            await examination.ask(.in(key: column.key, values: list))
            await examination.ask(!.in(key: column.key, values: list))
          }
        }
      },
      SampleRule("`in` with an empty list finds nothing") { examination in
        for column in examination.columns {
          await examination.ask(.in(key: column.key, values: [Value]()))
          await examination.ask(!.in(key: column.key, values: [Value]()))
        }
      },
      SampleRule("a null in the list of `in` finds nulls") { examination in
        for column in examination.columns {
          let list = column.someValues.prefix(1) + [.null]
          await examination.ask(.in(key: column.key, values: list))
          await examination.ask(!.in(key: column.key, values: list))
        }
      },
      SampleRule("`in` without a null in its list is false for a null, its negation true") { examination in
        for column in examination.columnsWithNulls where !column.values.isEmpty {
          let list = column.someValues.prefix(2)
          await examination.ask(.in(key: column.key, values: list))
          await examination.ask(!.in(key: column.key, values: list))
        }
      },
    ]
  }
}
