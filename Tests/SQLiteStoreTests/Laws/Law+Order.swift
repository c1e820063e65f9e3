import Query
import Repository

extension Law {
  static let order: [Law] = [
    Law(description: "rows stand in one order, whichever was saved first") { draw, subject throws(RepositoryError) in
      let request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let rows = try subject.find(request)
      for arena in subject.shuffled {
        let others = try subject.find(request, in: arena)
        if others != rows { return Breach("\(request.query) sorted by \(request.sort)", rows, others) }
      }
      return nil
    },
    Law(description: "a sort only changes the order") { draw, subject throws(RepositoryError) in
      let request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let rows = [try subject.find(request), try subject.find(FetchRequest(request.query))]
      let numbers = rows.map { rows in rows.reduce(into: [:]) { numbers, row in numbers[row, default: 0] += 1 } }
      return numbers[0] == numbers[1] ? nil : Breach("\(request.query) sorted by \(request.sort)", rows[0], rows[1])
    },
    Law(description: "rows are in the order of the first key that tells them apart") {
      draw, subject throws(RepositoryError) in
      let request = FetchRequest(draw.answerableQuery(), sortedBy: draw.sort())
      let rows = try subject.find(request)
      for (row, next) in zip(rows, rows.dropFirst()) where !draw.mayFollow(row, next, request.sort) {
        return Breach("\(request.query) sorted by \(request.sort)", [row], [next])
      }
      return nil
    },
  ]
}

extension RandomRequests {
  /// Whether a row may stand before another, in words of its own rather than the sort's.
  fileprivate func mayFollow(_ row: [Value], _ next: [Value], _ sort: AnySort) -> Bool {
    for term in sort.terms {
      guard let column = table.columns.firstIndex(where: { $0.name.utf8.elementsEqual(term.key.utf8) }) else {
        return false
      }
      let (value, other) = (row[column], next[column])
      if value == other { continue }
      if value.isNull { return term.nulls == .first }
      if other.isNull { return term.nulls == .last }
      return (value < other) == (term.direction == .ascending)
    }
    return true
  }
}
