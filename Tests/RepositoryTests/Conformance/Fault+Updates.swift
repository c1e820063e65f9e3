import Query
import Repository
import RepositoryTesting

extension Fault {
  /// What is inserted, updated or deleted by query otherwise than it has to be.
  static let updates: [Fault] = [
    Fault(
      "inserts over what exists", breaking: ["`insert` of a key that exists is a conflict, and nothing changes"]
    ) {
      try FaultyRepository {
        $0.onInsert = { specimens, base throws(RepositoryError) in
          try base.save(specimens)
          return specimens
        }
      }
    },
    Fault(
      "gives back what it inserted in the order of the keys", breaking: ["`insert` adds elements and gives them back"]
    ) {
      try FaultyRepository {
        $0.onInsert = { specimens, base throws(RepositoryError) in
          try base.insert(specimens).sorted { $0.id < $1.id }
        }
      }
    },
    Fault(
      "counts what changes alone",
      breaking: [
        "`update` counts elements that stay as they were",
        "`update` that makes two elements alike is a conflict, and nothing changes",
      ]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          let before = try base.findAll(FetchRequest())
          try base.update(where: query, set: assignments)
          return zip(before, try base.findAll(FetchRequest())).count { $0 != $1 }
        }
      }
    },
    Fault(
      "updates one after another, and stops where there is a conflict",
      breaking: ["`update` that makes two elements alike is a conflict, and nothing changes"]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          _ = try base.update(where: .false, set: assignments)
          let found = try base.findAll(FetchRequest(query))
          for specimen in found { try base.update(where: .equal(key: "id", value: specimen.id), set: assignments) }
          return found.count
        }
      }
    },
    Fault(
      "sets columns of all elements", breaking: ["`update` sets columns of the elements that a query means"]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          let count = try base.count(query)
          if assignments.contains(where: { $0.key == "age" }), count > 0 {
            try base.update(where: .true, set: assignments)
            return count
          }
          return try base.update(where: query, set: assignments)
        }
      }
    },
    Fault(
      "sets null where a value is not of the column's kind",
      breaking: ["`update` refuses what it can't set, and nothing changes"]
    ) {
      try FaultyRepository {
        $0.onUpdate = { query, assignments, base throws(RepositoryError) in
          do throws(RepositoryError) {
            return try base.update(where: query, set: assignments)
          } catch {
            if error.code != .invalidValue { throw error }
            return try base.update(where: query, set: [Assignment("age", Value.null)])
          }
        }
      }
    },
    Fault("never deletes by null", breaking: ["`delete` by a query deletes what it means"]) {
      try FaultyRepository {
        $0.onDeleteByQuery = { query, base throws(RepositoryError) in
          try base.delete(where: query && .isNotNull(key: "age"))
        }
      }
    },
  ]
}
