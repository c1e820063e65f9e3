import Query
import Repository

extension Fault {
  /// Requests whose sort or range is changed, and numbers that are not right.
  static let pages: [Fault] = [
    Fault(
      "ignores the offset",
      breaking: [
        "an offset leaves the first ones out",
        "an offset beyond the end gives nothing",
        "limit and offset count what was found, in its order",
        "pages never overlap and leave nothing out",
        "before a cursor alone, limit and offset count back from it",
        "between two cursors, limit and offset count from the first",
        "query, limit and offset count after the cursor",
        "a negative limit or offset is refused",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { $0.offset = 0 }
      }
    },
    Fault(
      "takes a negative limit for none, as SQLite does",
      breaking: [
        "a request is refused in an empty repository as well",
        "a negative limit or offset is refused",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          if let limit = request.limit, limit < 0 { request.limit = nil }
        }
      }
    },
    Fault(
      "leaves the order of ties to chance",
      breaking: [
        "nulls stand first or last as told",
        "where a sort does not decide, the key does, from small to great",
        "numbers are sorted by value",
        "enums and Booleans are sorted by what they are kept as",
        "pages never overlap and leave nothing out",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          if request.sort.terms.isEmpty || request.after != nil || request.before != nil { return }
          request.sort = request.sort + .descending(key: "id")
        }
      }
    },
    Fault(
      "places nulls last, as PostgreSQL does",
      breaking: [
        "null is the least value unless told otherwise",
        "nulls stand first or last as told",
        "of several sort keys the first one decides first",
        "blobs are sorted by their bytes",
        "what a query finds is sorted too",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          if request.after != nil || request.before != nil { return }
          request.sort = AnySort(
            request.sort.terms.map { SortTerm(key: $0.key, direction: $0.direction, nulls: .last) })
        }
      }
    },
    Fault(
      "begins every page at the start",
      breaking: [
        "a page after a cursor gives what the same page by offset gives",
        "what stands between two cursors is found without them",
        "between two cursors, limit and offset count from the first",
        "query, limit and offset count after the cursor",
        "a cursor stays where it is when its element is gone and others come",
        "texts that differ in their bytes alone have places of their own",
        "a cursor of another sort is refused",
      ]
    ) {
      try FaultyRepository {
        $0.onRequest = { $0.after = nil }
      }
    },
    Fault(
      "ignores the offset before a cursor",
      breaking: ["before a cursor alone, limit and offset count back from it"]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          if request.before != nil, request.after == nil, request.offset > 0 { request.offset = 0 }
        }
      }
    },
    Fault(
      "ignores the limit between two cursors",
      breaking: ["between two cursors, limit and offset count from the first"]
    ) {
      try FaultyRepository {
        $0.onRequest = { if $0.after != nil, $0.before != nil { $0.limit = nil } }
      }
    },
    Fault(
      "counts back from the second of two cursors",
      breaking: ["between two cursors, limit and offset count from the first"]
    ) {
      try FaultyRepository {
        $0.onRequest = { request in
          let isCut = request.limit != nil || request.offset > 0
          if request.after != nil, request.before != nil, isCut { request.after = nil }
        }
      }
    },
    Fault(
      "counts no further than to a hundred",
      breaking: [
        "a batch of a thousand is saved"
      ]
    ) { try FaultyRepository { $0.onCount = { min($0, 100) } } },
  ]
}
