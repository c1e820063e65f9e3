import Query
import Repository
import RepositoryTesting

/// A repository in memory that does one thing otherwise than the contract says.
struct FaultyRepository<Element: Entity>: Repository {
  private let base: MemoryRepository<Element>
  var onRequest: @Sendable (inout FetchRequest) -> Void = { _ in }
  var onCondition: @Sendable (Condition<AnyExpression>) -> AnyQuery = { AnyQuery(.condition($0)) }
  var onFound: @Sendable ([Element]) -> [Element] = { $0 }
  var onCount: @Sendable (Int) -> Int = { $0 }
  var onAggregates: @Sendable (AggregateRequest, MemoryRepository<Element>) throws(RepositoryError) -> [AggregateRow] =
    {
      request, base throws(RepositoryError) in try base.blocking.aggregate(request)
    }
  var onRows: @Sendable (ProjectionRequest, MemoryRepository<Element>) throws(RepositoryError) -> [[Value]] = {
    request, base throws(RepositoryError) in try base.blocking.findRows(request)
  }
  var onError: @Sendable (RepositoryError) throws(RepositoryError) -> Void = {
    error throws(RepositoryError) in throw error
  }
  var onSave: @Sendable ([Element], MemoryRepository<Element>) throws(RepositoryError) -> Void = {
    try $1.blocking.save($0)
  }
  var onDelete: @Sendable (_ ids: [Element.ID], _ deleted: Int) -> Int = { $1 }

  var onInsert: @Sendable ([Element], MemoryRepository<Element>) throws(RepositoryError) -> [Element] = {
    try $1.blocking.insert($0)
  }
  var onUpdate: @Sendable (AnyQuery, [Assignment], MemoryRepository<Element>) throws(RepositoryError) -> Int = {
    try $2.blocking.update(where: $0, set: $1)
  }
  var onDeleteByQuery: @Sendable (AnyQuery, MemoryRepository<Element>) throws(RepositoryError) -> Int = {
    try $1.blocking.delete(where: $0)
  }

  var onConflict: @Sendable ([Element], ConflictRule, MemoryRepository<Element>) throws(RepositoryError) -> [Element] =
    {
      try $2.blocking.insert($0, onConflict: $1)
    }
  var onUpdateReturning:
    @Sendable (AnyQuery, [Assignment], MemoryRepository<Element>) throws(RepositoryError) -> [Element] = {
      try $2.blocking.updateReturning(where: $0, set: $1)
    }
  var onDeleteReturning: @Sendable (AnyQuery, MemoryRepository<Element>) throws(RepositoryError) -> [Element] = {
    try $1.blocking.deleteReturning(where: $0)
  }

  init(_ configure: (inout FaultyRepository) -> Void) throws(RepositoryError) {
    base = try MemoryRepository()
    configure(&self)
  }

  func find(_ id: Element.ID) throws(RepositoryError) -> Element? {
    try base.blocking.find(id).map { onFound([$0]) }?.first
  }

  func findAll(_ request: FetchRequest) throws(RepositoryError) -> [Element] {
    do {
      var request = request
      onRequest(&request)
      request.query = rewrite(request.query)
      return onFound(try base.blocking.findAll(request))
    } catch {
      try onError(error)
      return []
    }
  }

  func count(_ query: AnyQuery) throws(RepositoryError) -> Int {
    do {
      return onCount(try base.blocking.count(rewrite(query)))
    } catch {
      try onError(error)
      return 0
    }
  }

  func aggregate(_ request: AggregateRequest) throws(RepositoryError) -> [AggregateRow] {
    try onAggregates(request, base)
  }

  func findRows(_ request: ProjectionRequest) throws(RepositoryError) -> [[Value]] { try onRows(request, base) }

  func save(_ elements: [Element]) throws(RepositoryError) {
    try onSave(elements, base)
  }

  func delete(_ ids: [Element.ID]) throws(RepositoryError) -> Int {
    onDelete(ids, try base.blocking.delete(ids))
  }

  func insert(_ elements: [Element]) throws(RepositoryError) -> [Element] { try onInsert(elements, base) }

  func update(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> Int {
    try onUpdate(query, assignments, base)
  }

  func delete(where query: AnyQuery) throws(RepositoryError) -> Int { try onDeleteByQuery(query, base) }

  func insert(_ elements: [Element], onConflict rule: ConflictRule) throws(RepositoryError) -> [Element] {
    try onConflict(elements, rule, base)
  }

  func updateReturning(where query: AnyQuery, set assignments: [Assignment]) throws(RepositoryError) -> [Element] {
    try onUpdateReturning(query, assignments, base)
  }

  func deleteReturning(where query: AnyQuery) throws(RepositoryError) -> [Element] {
    try onDeleteReturning(query, base)
  }

  /// Changes the conditions of a query, unless it is deeper or longer than recursion can bear.
  private func rewrite(_ query: AnyQuery, levels: Int = 40) -> AnyQuery {
    if levels == 0 || query.conditionCount > 100 { return query }
    return switch query.form {
    case .condition(let condition): onCondition(condition)
    case .not(let query): !rewrite(query, levels: levels - 1)
    case .and(let lhs, let rhs): rewrite(lhs, levels: levels - 1) && rewrite(rhs, levels: levels - 1)
    case .or(let lhs, let rhs): rewrite(lhs, levels: levels - 1) || rewrite(rhs, levels: levels - 1)
    }
  }
}
