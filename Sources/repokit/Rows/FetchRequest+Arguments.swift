import Query

extension FetchRequest {
  /// Reads a request from a query and the options that go with it.
  init(_ query: AnyQuery, _ arguments: Arguments) throws(Failure) {
    self.init(
      query, sortedBy: try arguments.sort(), limit: try arguments.integer(.limit),
      offset: try arguments.integer(.offset) ?? 0)
  }
}

extension Arguments {
  /// The order that `--sort` says, by primary key where it is left out.
  func sort() throws(Failure) -> AnySort {
    do throws(ParseError) {
      return try self[.sort].map { text throws(ParseError) in try AnySort(parsing: text) } ?? .primaryKey
    } catch {
      throw Failure(error).at(OptionDescription.sort.name)
    }
  }
}
