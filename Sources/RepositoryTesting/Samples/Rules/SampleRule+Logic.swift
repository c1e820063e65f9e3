import Query
import Repository

extension SampleRule {
  /// A key that is compared with another key of the same row.
  static var keys: [SampleRule] {
    [
      SampleRule("two keys are compared row by row") { examination in
        for (lhs, rhs) in examination.pairs where !lhs.hasNull && !rhs.hasNull {
          for relation in Relation.allCases {
            await examination.ask(.compare(key: lhs.key, relation, otherKey: rhs.key))
          }
        }
      },
      SampleRule("two keys that are both null are equal, one null differs from a value") { examination in
        for (lhs, rhs) in examination.pairs where lhs.hasNull || rhs.hasNull {
          for relation in [Relation.equal, .notEqual] {
            await examination.ask(.compare(key: lhs.key, relation, otherKey: rhs.key))
            await examination.ask(!.compare(key: lhs.key, relation, otherKey: rhs.key))
          }
        }
      },
      SampleRule("a key compared with a null key is neither less nor greater, the negations are true") { examination in
        for (lhs, rhs) in examination.pairs where lhs.hasNull || rhs.hasNull {
          for relation in [Relation.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual] {
            await examination.ask(.compare(key: lhs.key, relation, otherKey: rhs.key))
            await examination.ask(!.compare(key: lhs.key, relation, otherKey: rhs.key))
          }
        }
      },
      SampleRule("a key equals itself, null or not") { examination in
        for column in examination.columns {
          for relation in [Relation.equal, .notEqual, .lessThanOrEqual] {
            await examination.ask(.compare(key: column.key, relation, otherKey: column.key))
          }
        }
      },
    ]
  }

  /// `and`, `or` and `not`.
  static var logic: [SampleRule] {
    [
      SampleRule("`true` finds all and `false` nothing") { examination in
        for query in [AnyQuery.true, .false, !.true, !.false] { await examination.ask(query) }
      },
      SampleRule("`and` finds what both queries find, `or` what either finds") { examination in
        for (lhs, rhs) in examination.equalities {
          await examination.ask(lhs && rhs)
          await examination.ask(lhs || rhs)
        }
      },
      SampleRule("`not` finds the others") { examination in
        for (lhs, rhs) in examination.equalities {
          await examination.ask(!(lhs && rhs))
          await examination.ask(!(lhs || rhs))
          await examination.ask(!lhs && rhs)
        }
      },
      SampleRule("two negations cancel out") { examination in
        for (lhs, rhs) in examination.equalities.prefix(4) {
          await examination.ask(!(!lhs))
          await examination.ask(!(!(lhs || rhs)))
        }
      },
      SampleRule("a nested query is grouped as it was built") { examination in
        let equalities = examination.equalities
        for (index, (one, two)) in equalities.enumerated() {
          let three = equalities[(index + 1) % equalities.count].1
          await examination.ask(one || two && three)
          await examination.ask((one || two) && three)
          await examination.ask(one && !(two || three))
        }
      },
    ]
  }
}

extension Examination {
  /// Columns that can be compared with each other, each way round.
  var pairs: [(SampleColumn, SampleColumn)] {
    let most = 24
    return Array(
      columns.flatMap { lhs in
        columns.filter { $0.position != lhs.position && !$0.schema.kinds.isDisjoint(with: lhs.schema.kinds) }
          .map { (lhs, $0) }
      }.prefix(most))
  }

  /// Equalities of one column with those of the next; they need no more than `=` does.
  fileprivate var equalities: [(AnyQuery, AnyQuery)] {
    let queries = columns.flatMap { column in
      [column.values.last, column.values.first].compactMap(\.self).map { AnyQuery.equal(key: column.key, value: $0) }
    }
    let most = 12
    return Array(zip(queries, queries.dropFirst(2) + queries.prefix(2)).prefix(most))
  }
}
