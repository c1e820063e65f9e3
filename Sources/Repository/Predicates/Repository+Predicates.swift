import Query

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Repository where Element: Entity {
  /// Finds all elements that a predicate of Foundation's means.
  ///
  /// ```swift
  /// let heavy = try await pokedex.findAll(where: #Predicate { $0.weight > 90 }, sortedBy: .descending(\.weight))
  /// ```
  ///
  /// - Parameters:
  ///   - predicate: what to find; <doc:Predicates> says what it may ask.
  ///   - sort: in which order; by primary key by default.
  ///   - limit: at most how many; all by default.
  ///   - offset: how many to leave out at the start.
  /// - Throws: as ``findAll(_:)`` does; ``RepositoryError/Code/invalidQuery`` also where the predicate can't be turned
  ///   into a query.
  public func findAll(
    where predicate: Predicate<Element>, sortedBy sort: Sort<Element> = .primaryKey, limit: Int? = nil, offset: Int = 0
  ) async throws(RepositoryError) -> [Element] {
    try await findAll(
      FetchRequest(
        query(predicate), sortedBy: sort.erased(by: Element.schema), limit: limit, offset: offset))
  }

  /// Finds the first element that a predicate of Foundation's means.
  ///
  /// - Returns: the element, or `nil` where there is none.
  /// - Throws: as ``findAll(_:)`` does, and where the predicate can't be turned into a query.
  public func first(
    where predicate: Predicate<Element>, sortedBy sort: Sort<Element> = .primaryKey
  ) async throws(RepositoryError) -> Element? {
    try await findAll(where: predicate, sortedBy: sort, limit: 1).first
  }

  /// Counts the elements that a predicate of Foundation's means.
  ///
  /// - Throws: as ``findAll(_:)`` does, and where the predicate can't be turned into a query.
  public func count(where predicate: Predicate<Element>) async throws(RepositoryError) -> Int {
    try await count(query(predicate))
  }

  private func query(_ predicate: Predicate<Element>) throws(RepositoryError) -> AnyQuery {
    do throws(QueryError) {
      return try AnyQuery(predicate)
    } catch {
      throw RepositoryError(error)
    }
  }
}
