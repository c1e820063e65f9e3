package import Repository

/// A server that follows the one which takes the writes, and from which `read { }` reads in its place.
package protocol ReadReplica: Sendable {
  /// How many connections to it may be in use at once.
  var connectionCount: Int { get }
  /// Opens another connection to it.
  func connect() throws(RepositoryError) -> any SQLConnection
  /// Whether it is worth being asked now.
  var isAvailable: Bool { get }
  /// Notes that this store may have committed something, which reads that begin from here on have to see.
  func noteCommit()
  /// Begins to read a state that holds all that this store has committed.
  ///
  /// - Returns: `false` where the replica has none, or is gone: the other server has to be read then.
  func beginSnapshot(on connection: Connection) -> Bool
}
