/// Hands resources of one type to one user at a time: see ``ObjectPool``, which does so.
package struct ResourcePool<Resource: AnyObject & Sendable>: Sendable {
  @usableFromInline package let pool: ObjectPool

  /// See ``ObjectPool/init(_:capacity:isLentHere:make:)``.
  package init(
    _ idle: [Resource], capacity: Int, isLentHere: @escaping @Sendable (Resource) -> Bool = { _ in false },
    make: @escaping @Sendable () throws(RepositoryError) -> Resource
  ) {
    pool = ObjectPool(
      idle, capacity: capacity, isLentHere: { isLentHere(unsafeDowncast($0, to: Resource.self)) },
      make: { () throws(RepositoryError) in try make() })
  }

  /// Makes a pool of one resource.
  package init(only resource: Resource, isLentHere: @escaping @Sendable (Resource) -> Bool = { _ in false }) {
    pool = ObjectPool(only: resource) { isLentHere(unsafeDowncast($0, to: Resource.self)) }
  }

  /// See ``ObjectPool/takeIdle()``.
  @inlinable
  package func takeIdle() throws(RepositoryError) -> Resource? { try pool.takeIdle().map(Self.typed) }

  /// See ``ObjectPool/take(within:)``.
  @inlinable
  package func take(within timeout: Duration) async throws(RepositoryError) -> Resource {
    Self.typed(try await pool.take(within: timeout))
  }

  /// See ``ObjectPool/take(until:)``.
  @inlinable
  package func take(until deadline: Deadline) async throws(RepositoryError) -> Resource {
    Self.typed(try await pool.take(until: deadline))
  }

  /// See ``ObjectPool/reclaim()``.
  @inlinable
  package func reclaim() async -> Resource? { await pool.reclaim().map(Self.typed) }

  /// See ``ObjectPool/takeBlocking(within:)``.
  @inlinable
  package func takeBlocking(within timeout: Duration?) throws(RepositoryError) -> Resource {
    Self.typed(try pool.takeBlocking(within: timeout))
  }

  /// See ``ObjectPool/takeBlocking(until:)``.
  @inlinable
  package func takeBlocking(until deadline: Deadline) throws(RepositoryError) -> Resource {
    Self.typed(try pool.takeBlocking(until: deadline))
  }

  /// See ``ObjectPool/giveBack(_:)``.
  @inlinable
  package func giveBack(_ resource: Resource) { pool.giveBack(resource) }

  /// A resource by its type: the pool holds no others.
  @usableFromInline
  static func typed(_ object: ObjectPool.Object) -> Resource { unsafeDowncast(object, to: Resource.self) }
}
