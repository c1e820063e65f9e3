import Foundation
import Query
import Repository
import RepositoryTesting
import Testing

/// Something that a repository can get wrong, and the rules under which the suite has to report it, and no others.
struct Fault<Element: Entity>: CustomTestStringConvertible {
  let testDescription: String
  let rules: [String]
  let makeRepository: @Sendable () throws -> FaultyRepository<Element>

  init(
    _ description: String, breaking rules: [String],
    makeRepository: @escaping @Sendable () throws -> FaultyRepository<Element>
  ) {
    testDescription = description
    self.rules = rules
    self.makeRepository = makeRepository
  }
}

extension Fault<Specimen> {
  static let all: [Fault] = conditions + pages + aggregates + projections + writes + updates + conflicts
}

/// Faults of a repository of a model of one's own, which samples have to show.
extension Fault<WebPokemon> {
  static let all: [Fault] = [
    .droppingNulls(breaking: [
      "`!=` is true for rows whose value is null",
      "the negation of `=` and of `!=` is the other one",
      "`not` before a connective counts rows with nulls in",
    ]),
    .ignoringOffset(breaking: [
      "an offset skips the first elements",
      "an offset beyond the end gives nothing",
      "limit and offset count the elements found, in their order",
      "a negative limit or offset is refused",
      "pages never overlap and skip nothing",
      "before a cursor alone, limit and offset count back from it",
      "between two cursors, limit and offset count from the first",
      "query, limit and offset count after the cursor",
    ]),
    .leavingTiesToChance(breaking: [
      "keys decide between rows that are equal in a sort, in ascending order",
      "pages never overlap and skip nothing",
    ]),
    .ignoringCase(breaking: [
      "text is equal by bytes: case and blanks differ"
    ]),
    .losingConflicts(breaking: [
      "an element with another's unique value is a conflict, and nothing changes",
      "the error of a conflict names the column and contains no value",
      "a conflict in a batch saves nothing of the batch",
      "a conflict within a batch saves nothing of it",
      "a batch can be saved after a refused batch",
    ]),
    .keepingPartOfBatch(breaking: [
      "a conflict in a batch saves nothing of the batch",
      "a conflict within a batch saves nothing of it",
    ]),
    .placingNullsLast(breaking: [
      "null is the least value unless told otherwise",
      "nulls come first or last as told",
    ]),
    Fault(
      "composes characters",
      breaking: [
        "text is equal by bytes: composed and decomposed characters differ"
      ]
    ) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.operator == .equal,
            case .value(.text(let text)) = comparison.operand
          else { return AnyQuery(.condition(condition)) }
          return .equal(key: comparison.key.plainKey ?? "", value: text.precomposedStringWithCanonicalMapping)
        }
      }
    },
    Fault(
      "keeps old values where an element that takes the place has none",
      breaking: [
        "an element with an existing key replaces the stored element"
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { elements, base throws(RepositoryError) in
          var merged: [WebPokemon] = []
          for var element in elements {
            if let old = try base.blocking.find(element.id) {
              element.second = element.second ?? old.second
              element.weight = element.weight ?? old.weight
            }
            merged.append(element)
          }
          try base.blocking.save(merged)
        }
      }
    },
  ]
}

// MARK: - Faults of any model

extension Fault {
  static func droppingNulls(breaking rules: [String]) -> Fault {
    Fault("drops nulls on `!=`", breaking: rules) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.operator == .notEqual,
            case .value(let value) = comparison.operand, !value.isNull
          else { return AnyQuery(.condition(condition)) }
          return .isNotNull(comparison.key) && AnyQuery(.condition(condition))
        }
      }
    }
  }

  static func ignoringOffset(breaking rules: [String]) -> Fault {
    Fault("ignores the offset", breaking: rules) {
      try FaultyRepository {
        $0.onRequest = { $0.offset = 0 }
      }
    }
  }

  static func leavingTiesToChance(breaking rules: [String]) -> Fault {
    Fault("leaves the order of ties to chance", breaking: rules) {
      try FaultyRepository {
        $0.onRequest = { request in
          if request.sort.terms.isEmpty || request.after != nil || request.before != nil { return }
          request.sort = request.sort + .descending(key: "id")
        }
      }
    }
  }

  static func ignoringCase(breaking rules: [String]) -> Fault {
    Fault("compares texts without regard to case", breaking: rules) {
      try FaultyRepository {
        $0.onCondition = { condition in
          guard case .comparison(let comparison) = condition, comparison.operator == .equal,
            let key = comparison.key.plainKey, case .value(.text(let text)) = comparison.operand
          else { return AnyQuery(.condition(condition)) }
          return .hasPrefix(key: key, value: text, ignoringCase: true)
            && .hasSuffix(key: key, value: text, ignoringCase: true)
        }
      }
    }
  }

  static func losingConflicts(breaking rules: [String]) -> Fault {
    Fault("loses a batch without a word where there is a conflict", breaking: rules) {
      try FaultyRepository {
        $0.onSave = { elements, base throws(RepositoryError) in
          do throws(RepositoryError) {
            try base.blocking.save(elements)
          } catch {
            if error.code != .conflict { throw error }
          }
        }
      }
    }
  }

  static func keepingPartOfBatch(breaking rules: [String]) -> Fault {
    Fault("keeps a part of a batch where there is a conflict", breaking: rules) {
      try FaultyRepository {
        $0.onSave = { elements, base throws(RepositoryError) in
          do throws(RepositoryError) {
            try base.blocking.save(elements)
          } catch {
            if error.code != .conflict { throw error }
            for element in elements { try base.blocking.save([element]) }
          }
        }
      }
    }
  }

  static func placingNullsLast(breaking rules: [String]) -> Fault {
    Fault("places nulls last, as PostgreSQL does", breaking: rules) {
      try FaultyRepository {
        $0.onRequest = { request in
          if request.after != nil || request.before != nil { return }
          request.sort = AnySort(
            request.sort.terms.map { SortTerm($0.key, direction: $0.direction, nulls: .last) })
        }
      }
    }
  }
}
