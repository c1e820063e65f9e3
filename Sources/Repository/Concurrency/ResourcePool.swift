/// A typed ``ObjectPool``.
package struct ResourcePool<Resource: AnyObject & Sendable>: Sendable {
  @usableFromInline package let pool: ObjectPool

  /// See ``ObjectPool/init(_:capacity:isHeldByThisThread:make:)``.
  package init(
    _ idle: [Resource], capacity: Int, isHeldByThisThread: @escaping @Sendable (Resource) -> Bool = { _ in false },
    make: @escaping @Sendable () throws(RepositoryError) -> Resource
  ) {
    pool = ObjectPool(
      idle, capacity: capacity, isHeldByThisThread: { isHeldByThisThread(unsafeDowncast($0, to: Resource.self)) },
      make: { () throws(RepositoryError) in try make() })
  }

  /// Makes a pool of one resource.
  package init(only resource: Resource, isHeldByThisThread: @escaping @Sendable (Resource) -> Bool = { _ in false }) {
    pool = ObjectPool(only: resource) { isHeldByThisThread(unsafeDowncast($0, to: Resource.self)) }
  }

  /// See ``ObjectPool/popIdle()``.
  @inlinable
  package func popIdle() -> Resource? { pool.popIdle().map(Self.typed) }

  /// See ``ObjectPool/acquireIdle()``.
  @inlinable
  package func acquireIdle() throws(RepositoryError) -> Resource? { try pool.acquireIdle().map(Self.typed) }

  /// See ``ObjectPool/acquire(until:)``.
  @inlinable
  package func acquire(until deadline: @autoclosure () -> Deadline) async throws(RepositoryError) -> Resource {
    Self.typed(try await pool.acquire(until: deadline()))
  }

  /// See ``ObjectPool/acquireUncancellably()``.
  @inlinable
  package func acquireUncancellably() async -> Resource? { await pool.acquireUncancellably().map(Self.typed) }

  /// See ``ObjectPool/acquireBlocking(until:)``.
  @inlinable
  package func acquireBlocking(until deadline: @autoclosure () -> Deadline) throws(RepositoryError) -> Resource {
    Self.typed(try pool.acquireBlocking(until: deadline()))
  }

  /// See ``ObjectPool/release(_:)``.
  @inlinable
  package func release(_ resource: Resource) { pool.release(resource) }

  /// Returns a resource with its type: the pool holds no others.
  @usableFromInline
  static func typed(_ object: ObjectPool.Object) -> Resource { unsafeDowncast(object, to: Resource.self) }
}
