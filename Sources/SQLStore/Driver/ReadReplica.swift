package import Repository

/// A server that replicates the one that takes the writes, and from which `read { }` reads in its place.
package protocol ReadReplica: Sendable {
  /// The maximum number of connections to it.
  var connectionCount: Int { get }
  /// Opens another connection to it.
  func connect() throws(RepositoryError) -> any SQLConnection
  /// Whether it can currently be used.
  var isAvailable: Bool { get }
  /// Records a possible commit of this store, which later reads have to see.
  func noteCommit()
  /// Begins a snapshot that contains all commits of this store.
  ///
  /// - Returns: `false` if the replica has no such snapshot, or is not reachable: the primary server has to be read then.
  func beginSnapshot(on connection: Connection) -> Bool
}
