import Query
import Repository
import TestSupport
import Testing

@testable import PostgresStore

@Suite("Live results", .requiresServer)
struct NotificationTests {
  @Test("follow the changes of programs without this library that notify")
  func notifications() async throws {
    try await TestServer.withSchema { connection in
      let store = try PostgresStore(connection)
      let notes: AnyRepository<Note> = try store.repository()
      try await notes.save(Note(id: 1, text: "a"))
      var results = notes.changes().makeAsyncIterator()
      #expect(try await results.next()?.count == 1)
      // What another program may do, which this store does not see as its own.
      let options = PostgresOptions(timeout: .seconds(20), statementTimeout: nil, idleTransactionTimeout: nil)
      let other = try PostgresServer(connection, options).connect()
      try other.run("BEGIN; INSERT INTO note VALUES (2, 'b'); NOTIFY repokit; COMMIT")
      #expect(try await results.next()?.count == 2)
      let trigger = """
        CREATE FUNCTION notify_repokit() RETURNS trigger LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_notify('repokit', ''); RETURN NULL; END $$;
        CREATE TRIGGER notify_repokit AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON note
          FOR EACH STATEMENT EXECUTE FUNCTION notify_repokit();
        """
      try other.run(trigger)
      for count in [3, 4] {
        try other.run("INSERT INTO note VALUES (\(count), 'c')")
        #expect(try await results.next()?.count == count)
      }
    }
  }

  @Test("follow each change of another store")
  func changes() async throws {
    try await TestServer.withSchema { connection in
      let notes: AnyRepository<Note> = try PostgresStore(connection).repository()
      let others: AnyRepository<Note> = try PostgresStore(connection).repository()
      var results = notes.changes().makeAsyncIterator()
      #expect(try await results.next()?.isEmpty == true)
      for count in 1...3 {
        try await others.save(Note(id: count, text: "a"))
        #expect(try await results.next()?.count == count)
      }
    }
  }

  @Test("take up what was changed while the session that listens was lost", .timeLimit(.minutes(5)))
  func lostSession() async throws {
    // Notifications are those of a database, and other tests have theirs.
    try await TestServer.withDatabase { connection in
      let store = try PostgresStore(connection)
      let notes: AnyRepository<Note> = try store.repository()
      // No notification tells of what it changes.
      let others: AnyRepository<Note> = try PostgresStore(connection, notifies: false).repository()
      var results = notes.changes().makeAsyncIterator()
      #expect(try await results.next()?.isEmpty == true)
      try await others.save(Note(id: 1, text: "a"))
      try await TestServer.endSessions(of: try await store.label())
      #expect(try await results.next()?.count == 1)
    }
  }
}
