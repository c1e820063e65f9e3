import Foundation
import Query
import Repository
import RepositoryTesting

extension Fault<Specimen> {
  /// What is not saved as it was given.
  static let writes: [Fault] = [
    .keepingPartOfBatch(breaking: [
      "a conflict in a batch saves nothing of the batch",
      "a conflict within a batch saves nothing of it",
    ]),
    .losingConflicts(breaking: [
      "an element with another's unique value is a conflict, and nothing changes",
      "the error of a conflict names the column and contains no value",
      "a conflict in a batch saves nothing of the batch",
      "a conflict within a batch saves nothing of it",
      "a batch can be saved after a refused batch",
    ]),
    Fault(
      "replaces an element that has the same unique value",
      breaking: [
        "an element with another's unique value is a conflict, and nothing changes",
        "the error of a conflict names the column and contains no value",
        "a conflict in a batch saves nothing of the batch",
        "a batch can be saved after a refused batch",
        "an invalid value is refused, and nothing is saved",
        "an invalid element saves nothing of its batch",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          for specimen in specimens {
            let rivals = try base.blocking.findAll(FetchRequest(.equal(key: "label", value: specimen.label)))
            try base.blocking.delete(rivals.map(\.id))
          }
          try base.blocking.save(specimens)
        }
      }
    },
    Fault(
      "cuts texts at a NUL",
      breaking: [
        "text with U+0000 comes back whole",
        "text with U+0000 is stored whole, or refused as unsupported",
        "text is equal by bytes: an embedded NUL ends nothing",
        "text operators look beyond an embedded NUL",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          try base.blocking.save(
            specimens.map { specimen in
              var specimen = specimen
              specimen.name = String(specimen.name.prefix { $0 != "\0" })
              return specimen
            })
        }
      }
    },
    Fault(
      "composes characters",
      breaking: [
        "text comes back byte by byte",
        "text is equal by bytes: composed and decomposed characters differ",
        "text is in the order of its UTF-8 bytes",
        "`in` compares text by its bytes",
        "text operators compare bytes: composed and decomposed characters differ",
        "text operators match parts of a visible character",
        "`_` matches one Unicode scalar",
        "`like` compares bytes and knows no other wildcards",
        "ignoring case, composed and decomposed characters stay different",
        "text is sorted by its UTF-8 bytes",
        "text that differs only in its bytes has separate positions",
        "text is counted by scalars, and folded",
        "text is grouped by bytes",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          try base.blocking.save(
            specimens.map { specimen in
              var specimen = specimen
              specimen.name = specimen.name.precomposedStringWithCanonicalMapping
              return specimen
            })
        }
      }
    },
    Fault(
      "keeps dates to the millisecond",
      breaking: [
        "dates come back to the nanosecond, from the year 0000 to 9999",
        "dates further than 100 days from the reference date come back exactly",
      ]
    ) {
      try FaultyRepository {
        $0.onFound = { specimens in
          specimens.map { specimen in
            var specimen = specimen
            let seconds = specimen.found.timeIntervalSinceReferenceDate
            specimen.found = Date(timeIntervalSinceReferenceDate: (seconds * 1000).rounded() / 1000)
            return specimen
          }
        }
      }
    },
    Fault(
      "turns the sign of a zero round",
      breaking: ["a zero comes back as a zero, and 0.0 not as -0.0"]
    ) {
      try FaultyRepository {
        $0.onFound = { specimens in
          specimens.map { specimen in
            var specimen = specimen
            if specimen.mass == 0 { specimen.mass = -specimen.mass }
            return specimen
          }
        }
      }
    },
    Fault(
      "takes an empty blob for null",
      breaking: [
        "blobs come back byte by byte",
        "an empty text and an empty blob are not null",
        "a blob key and another are compared by their bytes",
        "blobs are sorted by their bytes",
        "the least and the greatest blobs are those by bytes",
      ]
    ) {
      try FaultyRepository {
        $0.onSave = { specimens, base throws(RepositoryError) in
          try base.blocking.save(
            specimens.map { specimen in
              var specimen = specimen
              if specimen.scan == [] { specimen.scan = nil }
              return specimen
            })
        }
      }
    },
    Fault(
      "counts the keys that it was to delete",
      breaking: [
        "`delete` returns the number of deleted elements",
        "a repeated key is deleted and counted once",
        "`delete` of one key counts the element if it existed",
      ]
    ) { try FaultyRepository { $0.onDelete = { ids, _ in ids.count } } },
  ]
}

extension Fault<Specimen> {
  /// What is inserted, updated or deleted by query otherwise than it has to be.
  static let updates: [Fault] = [
    Fault(
      "inserts over what exists", breaking: ["`insert` of a key that exists is a conflict, and nothing changes"]
    ) {
      try FaultyRepository {
        $0.onInsert = { specimens, base throws(RepositoryError) in
          try base.blocking.save(specimens)
          return specimens
        }
      }
    },
    Fault(
      "gives back what it inserted in the order of the keys", breaking: ["`insert` adds and returns elements"]
    ) {
      try FaultyRepository {
        $0.onInsert = { specimens, base throws(RepositoryError) in
          try base.blocking.insert(specimens).sorted { $0.id < $1.id }
        }
      }
    },
    Fault(
      "counts what changes alone",
      breaking: [
        "`update` counts elements that stay unchanged",
        "`update` that makes two elements alike is a conflict, and nothing changes",
      ]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          let before = try base.blocking.findAll(FetchRequest())
          try base.blocking.update(where: query, set: assignments)
          return zip(before, try base.blocking.findAll(FetchRequest())).count { $0 != $1 }
        }
      }
    },
    Fault(
      "updates one after another, and stops where there is a conflict",
      breaking: ["`update` that makes two elements alike is a conflict, and nothing changes"]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          _ = try base.blocking.update(where: .false, set: assignments)
          let found = try base.blocking.findAll(FetchRequest(query))
          for specimen in found {
            try base.blocking.update(where: .equal(key: "id", value: specimen.id), set: assignments)
          }
          return found.count
        }
      }
    },
    Fault(
      "sets columns of all elements",
      breaking: [
        "`update` counts elements that stay unchanged",
        "`update` sets columns of the elements that match a query",
      ]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          let count = try base.blocking.count(query)
          if assignments.contains(where: { $0.key == "age" }), count > 0 {
            try base.blocking.update(where: .true, set: assignments)
            return count
          }
          return try base.blocking.update(where: query, set: assignments)
        }
      }
    },
    Fault(
      "sets null where a value is not of the column's kind",
      breaking: ["`update` refuses invalid assignments, and nothing changes"]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          do throws(RepositoryError) {
            return try base.blocking.update(where: query, set: assignments)
          } catch {
            if error.code != .invalidValue { throw error }
            return try base.blocking.update(where: query, set: [Assignment("age", Value.null)])
          }
        }
      }
    },
    Fault(
      "sets 0 where an expression has no result",
      breaking: ["`update` computes values from each row before the update, and null without a result"]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          let total = assignments.map { assignment in
            assignment.value == nil
              ? Assignment(assignment.key, .coalesce(assignment.expression, .value(0))) : assignment
          }
          return try base.blocking.update(where: query, set: total)
        }
      }
    },
    Fault("never deletes by null", breaking: ["`delete` by a query deletes the matching elements"]) {
      try FaultyRepository {
        $0.onDeleteByQuery = { query, base throws(RepositoryError) in
          try base.blocking.delete(where: query && .isNotNull(key: "age"))
        }
      }
    },
  ]
}
