import Query
import Repository
import RepositoryTesting

extension Fault<Specimen> {
  /// What is wrong where there is a row already, and with what writes return.
  static let conflicts: [Fault] = [
    Fault(
      "saves what conflicts should leave out",
      breaking: ["`insert` that ignores conflicts keeps existing elements, and returns the inserted elements"]
    ) {
      try FaultyRepository {
        $0.onConflict = { elements, rule, base throws(RepositoryError) in
          guard rule == .ignore else { return try base.blocking.insert(elements, onConflict: rule) }
          for element in elements where element.label != "specimen 2" { try base.blocking.save([element]) }
          return elements
        }
      }
    },
    Fault(
      "returns what conflicts left out",
      breaking: ["`insert` that ignores conflicts keeps existing elements, and returns the inserted elements"]
    ) {
      try FaultyRepository {
        $0.onConflict = { elements, rule, base throws(RepositoryError) in
          let kept = try base.blocking.insert(elements, onConflict: rule)
          return rule == .ignore ? elements : kept
        }
      }
    },
    Fault(
      "gives the element that is there another key",
      breaking: ["`insert` that updates by a unique column keeps the key of the existing element"]
    ) {
      try FaultyRepository {
        $0.onConflict = { elements, rule, base throws(RepositoryError) in
          if rule == .update(by: ["label"]) {
            for element in elements where try base.blocking.find(element.id) == nil {
              try base.blocking.delete(where: .equal(key: "label", value: element.label))
            }
          }
          return try base.blocking.insert(elements, onConflict: rule)
        }
      }
    },
    Fault(
      "saves an element whose key is another's",
      breaking: ["`insert` that updates refuses conflicts in other columns, and columns that are not unique"]
    ) {
      try FaultyRepository {
        $0.onConflict = { elements, rule, base throws(RepositoryError) in
          do throws(RepositoryError) {
            return try base.blocking.insert(elements, onConflict: rule)
          } catch {
            if error.code != .conflict { throw error }
            try base.blocking.save(elements)
            return elements
          }
        }
      }
    },
    Fault(
      "returns elements as they were before an update",
      breaking: ["`updateReturning` returns the changed elements with their new values, in the order of the keys"]
    ) {
      try FaultyRepository {
        $0.onUpdateReturning = { query, assignments, base throws(RepositoryError) in
          let found = try base.blocking.findAll(FetchRequest(query))
          try base.blocking.update(where: query, set: assignments)
          return found
        }
      }
    },
    Fault(
      "returns what an update's query matches afterwards",
      breaking: ["`updateReturning` returns the changed elements with their new values, in the order of the keys"]
    ) {
      try FaultyRepository {
        $0.onUpdateReturning = { query, assignments, base throws(RepositoryError) in
          try base.blocking.update(where: query, set: assignments)
          return try base.blocking.findAll(FetchRequest(query))
        }
      }
    },
    Fault(
      "returns what was deleted backwards",
      breaking: ["`deleteReturning` returns the deleted elements, in the order of the keys"]
    ) {
      try FaultyRepository {
        $0.onDeleteReturning = { query, base throws(RepositoryError) in
          try base.blocking.deleteReturning(where: query).reversed()
        }
      }
    },
    Fault(
      "returns what it should delete, and keeps it",
      breaking: ["`deleteReturning` returns the deleted elements, in the order of the keys"]
    ) {
      try FaultyRepository {
        $0.onDeleteReturning = { query, base throws(RepositoryError) in try base.blocking.findAll(FetchRequest(query)) }
      }
    },
  ]
}
