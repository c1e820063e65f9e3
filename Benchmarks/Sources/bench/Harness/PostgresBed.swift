#if canImport(RawPostgres)
  import Foundation
  import Model
  import PostgresStore
  import RawPostgres

  /// What the workloads of PostgreSQL stand on: a server, in whose database the rows are, and a second table that is written.
  final class PostgresBed {
    let connection: String
    let writtenConnection: String
    let raw: RawServer
    let rawWriter: RawServer
    let store: PostgresStore
    let writtenStore: PostgresStore
    /// The subject, called without suspending.
    let subject: BlockingRepository<Pokemon>
    let writer: BlockingRepository<Pokemon>

    /// - Parameter connection: a connection string to a database that is empty.
    init(_ connection: String, with rows: [Pokemon]) throws {
      self.connection = connection
      raw = try RawServer(connection)
      try raw.execute("CREATE SCHEMA written")
      writtenConnection = "\(connection) options='-c search_path=written'"
      rawWriter = try RawServer(writtenConnection)
      store = try PostgresStore(connection)
      writtenStore = try PostgresStore(writtenConnection)
      subject = try store.blocking.repository(of: Pokemon.self)
      writer = try writtenStore.blocking.repository(of: Pokemon.self)
      for server in [raw, rawWriter] { try server.execute("ALTER TABLE pokemon SET (autovacuum_enabled = off)") }
      try raw.insert(rows)
      try raw.execute("VACUUM ANALYZE pokemon")
    }

    /// Makes the second table ready to be written.
    func prepare(with existing: [Pokemon] = []) throws {
      try rawWriter.execute("TRUNCATE pokemon")
      if !existing.isEmpty { try rawWriter.insert(existing) }
    }

    /// What is in the second table, read outside the time that is measured.
    func content() -> Answer {
      Answer { digest in
        for pokemon in try self.rawWriter.all() { digest.feed(pokemon) }
      }
    }
  }

  extension Contender {
    /// A program of PostgreSQL's, whose answer goes nowhere.
    static func program(_ name: String, _ arguments: [String], operations: Int) -> Contender {
      var contender = Contender.blocking(name, operations: operations) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [name] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw ProgramFailure(name: name, status: process.terminationStatus) }
        return Answer { _ in }
      }
      contender.isCompared = false
      return contender
    }
  }

  /// A program that failed.
  private struct ProgramFailure: Error, CustomStringConvertible {
    let name: String
    let status: Int32

    var description: String { "\(name) failed: \(status)" }
  }
#endif
