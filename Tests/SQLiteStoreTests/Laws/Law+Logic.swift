import Query
import Repository

extension Law {
  static let logic: [Law] = [
    Law(description: "a query and its negation count every row once") { draw, subject throws(RepositoryError) in
      let query = draw.answerableQuery()
      let counts = [try subject.count(query), try subject.count(!query), try subject.count(.true)]
      return counts[0] + counts[1] == counts[2]
        ? nil : Breach(asked: "\(query)", answers: "\(counts[0]) rows, \(counts[1]) others, \(counts[2]) in all")
    },
    Law(description: "as many rows are counted as found") { draw, subject throws(RepositoryError) in
      let query = draw.answerableQuery()
      let (count, found) = (try subject.count(query), try subject.find(FetchRequest(query)).count)
      return count == found ? nil : Breach(asked: "\(query)", answers: "\(count) counted, \(found) found")
    },
    same("not not q is q") { draw in
      let query = draw.query(depth: 2)
      return (!(!query), query)
    },
    same("not (p and q) is not p or not q") { draw in
      let (p, q) = (draw.query(depth: 2), draw.query(depth: 2))
      return (!(p && q), !p || !q)
    },
    same("not (p or q) is not p and not q") { draw in
      let (p, q) = (draw.query(depth: 2), draw.query(depth: 2))
      return (!(p || q), !p && !q)
    },
  ]
}
