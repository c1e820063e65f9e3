import Query

/// What holds for every sort that was read.
enum SortLaws {
  static func check(_ sort: AnySort) {
    let text = sort.description
    let again = Law.mustSucceed("what a sort prints is read", [text]) { try AnySort(parsing: text) }
    Law.require(again == sort, "what a sort prints is read as an equal one", [text, again.description])
    Law.require(again.description == text, "what is read prints the same", [text, again.description])
    JSONLaws.check(sort)
    Arena.shared.ask(FetchRequest(sortedBy: sort))
    Arena.shared.page(sort)
  }
}
