package import Repository

/// A server that replicates the primary server, and from which `read { }` reads in its place.
package protocol ReadReplica: Sendable {
  /// The maximum number of connections to the replica.
  var connectionCount: Int { get }
  /// Opens another connection to the replica.
  func connect() throws(RepositoryError) -> any SQLConnection
  /// Whether the replica can currently be used.
  var isAvailable: Bool { get }
  /// Records a possible commit of this store, which later reads have to see.
  func noteCommit()
  /// Begins a snapshot that contains all commits of this store.
  ///
  /// - Returns: `false` if the replica has no such snapshot, or is not reachable: the primary server has to be read then.
  func beginSnapshot(on connection: Connection) -> Bool
}
