import Query
import Repository
import TestSupport

extension Law {
  static let pages: [Law] = [
    Law(description: "pages by offset, joined, are the whole") { draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let whole = try subject.find(request)
      let size = draw.pageSize()
      request.limit = size
      var joined: [[Value]] = []
      // No more pages than there can be, for a store that never comes to an end.
      while request.offset <= whole.count {
        joined += try subject.find(request)
        request.offset += size
      }
      return joined == whole ? nil : Breach(request.text(inPagesOf: size), joined, whole)
    },
    Law(description: "pages after a cursor, joined, are the whole", needsKey: true) {
      draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let whole = try subject.find(request)
      let size = draw.pageSize()
      request.limit = size
      var joined: [[Value]] = []
      while true {
        let page = try subject.find(request)
        joined += page
        guard let last = page.last, joined.count <= whole.count else { break }
        request.after = try subject.cursor(at: last, sortedBy: request.sort)
      }
      return joined == whole ? nil : Breach(request.text(inPagesOf: size), joined, whole)
    },
    Law(description: "pages before a cursor, joined, are the whole", needsKey: true) {
      draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let whole = try subject.find(request)
      let size = draw.pageSize()
      request.limit = size
      var joined = Array(whole.suffix(1))
      while let first = joined.first, joined.count <= whole.count {
        request.before = try subject.cursor(at: first, sortedBy: request.sort)
        let page = try subject.find(request)
        if page.isEmpty { break }
        joined = page + joined
      }
      return joined == whole ? nil : Breach(request.text(inPagesOf: size), joined, whole)
    },
    Law(description: "between two cursors stands what stands between their rows", needsKey: true) {
      draw, subject throws(RepositoryError) in
      var request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let whole = try subject.find(request)
      if whole.isEmpty { return nil }
      let ends = [
        Int.random(in: whole.indices, using: &draw.random), Int.random(in: whole.indices, using: &draw.random),
      ]
      request.after = try subject.cursor(at: whole[ends[0]], sortedBy: request.sort)
      request.before = try subject.cursor(at: whole[ends[1]], sortedBy: request.sort)
      request.offset = draw.random.pick([0, 0, 1])
      request.limit = draw.random.pick([nil, 5])
      let expected = whole.prefix(ends[1]).dropFirst(ends[0] + 1 + request.offset).prefix(request.limit ?? .max)
      let found = try subject.find(request)
      return found == Array(expected)
        ? nil : Breach(request.text(inPagesOf: request.limit ?? whole.count), found, Array(expected))
    },
  ]
}

extension RandomRequests {
  fileprivate mutating func pageSize() -> Int { random.pick([1, 7, 10, 39, 40, 100]) }
}

extension FetchRequest {
  fileprivate func text(inPagesOf size: Int) -> String {
    "\(query) sorted by \(sort) in pages of \(size), offset: \(offset) after: \(after?.description ?? "none") "
      + "before: \(before?.description ?? "none")"
  }
}
