import Query

extension FetchRequest {
  /// Reads a request from a query and the options that go with it.
  init(
    _ query: AnyQuery, _ arguments: Arguments, sort: OptionDescription, limit: OptionDescription,
    offset: OptionDescription
  ) throws(Failure) {
    let order: AnySort
    do throws(ParseError) {
      order = try arguments[sort].map { text throws(ParseError) in try AnySort(parsing: text) } ?? .primaryKey
    } catch {
      throw Failure(error).at(sort.name)
    }
    self.init(
      query, sortedBy: order, limit: try arguments.integer(limit), offset: try arguments.integer(offset) ?? 0)
  }
}
