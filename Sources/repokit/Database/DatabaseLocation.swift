import PostgresStore
import Query
import Repository
import RowImport
import SQLStore
import SQLiteStore

/// The location of a database, as the command line names it: a file of SQLite, or the URI of a PostgreSQL server.
struct DatabaseLocation {
  /// The text as written, for code that parses it again. It may contain a password, and is never shown.
  let text: String
  private let server: ConnectionURI?
  /// The files of rows that are used as the database, if any.
  private let files: DataFiles?
  /// The files of rows that are read beside the database, if any.
  private let joined: JoinedFiles?
  /// Whether nothing changes the file while it is read.
  private let isImmutable: Bool
  /// Whether the command has the option for that.
  private let mayBeImmutable: Bool
  /// The rows of a full-text table that are meant; `nil` for all.
  private let match: FullTextMatch?

  init(_ text: String) {
    self.text = text
    (isImmutable, mayBeImmutable) = (false, false)
    match = nil
    server = ConnectionURI(text)
    (files, joined) = (nil, nil)
  }

  /// Reads the location of a database, which may be a file of rows.
  ///
  /// - Throws: ``Failure`` where options are invalid.
  init(source arguments: Arguments) throws(Failure) {
    text = try arguments.required(.source)
    isImmutable = arguments.has(InputArguments.immutable)
    mayBeImmutable = arguments.command.takesFiles
    match = try FullTextMatch(arguments)
    server = ConnectionURI(text)
    if arguments.command.takesFiles, InputArguments.isDataFile(text, hasFormat: arguments.has(InputArguments.from)) {
      (files, joined) = (try DataFiles(text, arguments), nil)
    } else {
      (files, joined) = (nil, try JoinedFiles(arguments))
      if joined == nil, let option = InputArguments.options.first(where: arguments.has) {
        throw arguments.command.usageError(
          "\(option.name) requires a file of rows, but \(name) is a database",
          suggestion: "name a file instead, such as sales.csv")
      }
    }
    if match != nil, joined != nil {
      throw arguments.command.usageError(
        "\(FullTextMatch.option.name) and \(InputArguments.with.name) can't be combined",
        suggestion: "import the file into the database with repokit import, and omit \(InputArguments.with.name)")
    }
    if match != nil, server != nil || files != nil {
      throw arguments.command.usageError(
        "\(FullTextMatch.option.name) requires a full-text table of an SQLite file",
        suggestion: "column contains 'word' searches any table row by row")
    }
  }

  /// The name that messages use.
  var name: String { server?.description ?? text }
  /// The name that a prompt shows.
  var shortName: String { server?.databaseName ?? Self.fileName(text) }
  /// The file's path; `nil` for a server.
  var path: String? { server == nil ? text : nil }

  private static func fileName(_ path: String) -> String {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let suffix = [".sqlite", ".sqlite3", ".db", ".db3"].first { file.hasSuffix($0) && file.count > $0.count }
    return String(file.dropLast(suffix?.count ?? 0))
  }

  /// Refuses a file that is not there.
  func checkIsThere() throws(Failure) {
    guard let path, path != "-", FileKind(ofPath: path) == .missing else { return }
    if ConnectionURI.isMistyped(path) { throw ConnectionURI.mistyped }
    if let foreign = ConnectionURI.foreign(path) { throw foreign }
    throw Failure("there is no file \(path)", details: files == nil ? ["repokit import creates a database"] : [])
  }

  // MARK: Opening

  /// The purpose for which a database is opened.
  enum Mode {
    case readOnly
    /// To change existing data.
    case existing
    /// To create something. A missing file is created.
    case create

    fileprivate var ofFile: OpenMode {
      switch self {
      case .readOnly: .readOnly
      case .existing: .existing
      case .create: .create
      }
    }
  }

  /// Whether processing all rows may take longer than a moment, so that the progress is shown at once.
  var isLarge: Bool { path.map { FileSize.bytes(of: $0) > 1 << 24 } ?? (server != nil) }

  /// Opens the database as it is.
  func open(_ mode: Mode) throws(Failure) -> SQLDatabase {
    if let files { return try files.open() }
    let database = try openDatabase(mode)
    return try joined?.open(beside: database, self) ?? database
  }

  private func openDatabase(_ mode: Mode) throws(Failure) -> SQLDatabase {
    guard let server else { return try match(in: try openFile(text, mode), mode) }
    if server.isMalformed { throw ConnectionURI.unreadable }
    do throws(RepositoryError) {
      let store = try PostgresStore(server.text, preparedStatements: server.keepsStatements)
      OpenStores.add(store)
      return store
    } catch {
      // The error names the server.
      throw Failure(error)
    }
  }

  /// Opens the file, for features that only SQLite has.
  ///
  /// - Parameter refusal: the message for a server.
  func openFile(_ mode: Mode, orRefuse refusal: ServerRefusal) throws(Failure) -> SQLiteStore {
    guard let path else { throw refusal.failure }
    return try openFile(path, mode)
  }

  private func openFile(_ path: String, _ mode: Mode) throws(Failure) -> SQLiteStore {
    let kind = FileKind(ofPath: path)
    if kind == .missing, ConnectionURI.isMistyped(path) { throw ConnectionURI.mistyped }
    if kind == .missing, mode == .create, InputFormat(ofPath: path) != nil {
      throw Failure(
        "\(path) would be a database with the name of a file of rows",
        details: ["choose a name such as \(InputArguments.tableName(of: path)).sqlite"], status: .usageError)
    }
    if mode != .create { try checkIsThere() }
    if let name = kind.nameUnlessDatabase { throw Failure("\(path) is \(name), not a database") }
    do throws(RepositoryError) {
      do throws(RepositoryError) {
        let store = try store(path, mode)
        if isImmutable, mode == .readOnly {
          for note in PendingChanges(beside: path).notes {
            StandardStreams.say("note: \(note)")
          }
        }
        return store
      } catch {
        guard mode == .readOnly, error.storeCode == Self.unfinishedChange else { throw error }
        // A program was stopped during a change. Opening the file for writing undoes that.
        _ = try store(path, .existing)
        return try store(path, mode)
      }
    } catch {
      if mode == .readOnly, error.isOfUnwritableLog {
        throw Failure(
          "\(path): \(error.summary)",
          details: [
            error.reason,
            mayBeImmutable
              ? "\(InputArguments.immutable.name) reads the file without the log, if no program changes the file meanwhile"
              : "query and export can read the file without the log: add \(InputArguments.immutable.name), if no "
                + "program changes the file meanwhile",
            "or copy the file and its -wal file into a writable folder",
          ])
      }
      if mode == .readOnly, [.readOnly, .cannotOpen].contains(error.code),
        let journal = PendingChanges(beside: path).journal
      {
        throw Failure(
          "\(path): \(error.summary)",
          details: [
            "a program stopped during a change; SQLite must roll back \(journal) before any read",
            "copy both files into a writable folder",
            mayBeImmutable
              ? "\(InputArguments.immutable.name) reads the file without the journal, and can show half of that change"
              : nil,
          ].compactMap(\.self))
      }
      // Commands that only read take such a file as it is.
      let isFileOfRows = InputFormat(ofPath: path) != nil && error.code == .notADatabase
      if isFileOfRows {
        throw Failure(
          "\(path) is a file of rows, not a database",
          details: [
            "query, count, group, describe and export read the file directly",
            "repokit import makes a database from the file",
          ])
      }
      if error.code == .notADatabase, try BinaryFile.prefix(of: path, byteCount: 2) == [0x1F, 0x8B] {
        throw Failure("\(path) is compressed by gzip", details: ["unpack the database first: gunzip --keep"])
      }
      throw failure(error).adding(
        mayBeImmutable && error.code == .notADatabase
          ? "\(InputArguments.from.name) csv, tsv, json or ndjson reads a file of rows" : nil)
    }
  }

  /// The same database, with the rows of a full-text table that are meant.
  private func match(in store: SQLiteStore, _ mode: Mode) throws(Failure) -> SQLiteStore {
    guard let match else { return store }
    try match.check(in: store)
    do throws(RepositoryError) {
      return try self.store(text, mode) { connection in
        try Self.caution(connection)
        try match.prepare(connection)
      }
    } catch {
      throw failure(error)
    }
  }

  private func store(
    _ path: String, _ mode: Mode, prepare: @escaping @Sendable (ConnectionSetup) throws -> Void = caution
  ) throws(RepositoryError) -> SQLiteStore {
    // The file may be another program's, so its journal mode is left alone.
    let mode = isImmutable && mode == .readOnly ? .immutable : mode.ofFile
    let store = try SQLiteStore(path: path, mode: mode, journal: .unchanged, prepare: prepare)
    OpenStores.add(store)
    return store
  }

  /// Looks at each page as it is read, in case a damaged or hostile file says something about it that can't be. It takes a
  /// fifteenth of the time of reading a table through. https://www.sqlite.org/security.html
  private static let caution: @Sendable (ConnectionSetup) throws -> Void = { connection in
    try connection.execute("PRAGMA cell_size_check = ON")
  }

  /// Opens the database for a completion, which must not change it nor wait for it; `nil` where it can't be read at once.
  func openForCompletion() -> SQLDatabase? {
    if InputArguments.isDataFile(text, hasFormat: false) {
      return FileSize.isSmall(text) ? try? DataFiles(text).open(isQuiet: true) : nil
    }
    let timeout = Duration.milliseconds(100)
    if let server {
      return server.isMalformed
        ? nil
        : try? PostgresStore(
          server.text, connections: 1, timeout: timeout, preparedStatements: server.keepsStatements)
    }
    guard FileKind(ofPath: text) == .regular else { return nil }
    return try? SQLiteStore(
      path: text, mode: .readOnly, journal: .unchanged, timeout: timeout, prepare: Self.caution)
  }

  /// Refuses to write to the database itself, or to a file that belongs to it or to another database.
  func checkIsOther(_ path: String) throws(Failure) {
    if let own = self.path, FileIdentity.belongs(path, toDatabase: own) {
      let isItself = FileIdentity.areSame(path, own)
      throw Failure("\(path) \(isItself ? "is the database itself" : "belongs to the database")", status: .usageError)
    }
    if let database = FileIdentity.database(withFile: path) {
      throw Failure("\(path) would become a file of the database \(database)", status: .usageError)
    }
  }

  /// SQLite's code for a journal that has to be rolled back: https://www.sqlite.org/rescode.html#readonly_rollback
  private static let unfinishedChange = 776
}

/// Files beside an SQLite database that hold changes which are not in it yet, or were not finished.
private struct PendingChanges {
  /// The path of a journal of a change that has to be undone; `nil` where there is none.
  let journal: String?
  /// The path of a write-ahead log with changes; `nil` where there is none.
  let log: String?

  init(beside path: String) {
    // A journal that is kept begins with zeros when its change is done: https://www.sqlite.org/pragma.html#pragma_journal_mode
    let start = try? BinaryFile.prefix(of: path + "-journal", byteCount: 1)
    journal = start?.first ?? 0 == 0 ? nil : path + "-journal"
    // A log is a header of 32 bytes, and pages: https://www.sqlite.org/fileformat2.html#walformat
    log = FileSize.bytes(of: path + "-wal") > 32 ? path + "-wal" : nil
  }

  /// The consequences of leaving these files out, a line each.
  var notes: [String] {
    [
      journal.map {
        "skipped \($0): a program stopped during a change, so the file can contain half of that change"
      },
      log.map { "skipped \($0): changes in the log are missing from the result" },
    ].compactMap(\.self)
  }
}

/// The reason why something can't be done with a server.
struct ServerRefusal {
  /// The operation that is not possible.
  let summary: String
  /// The reason.
  let reason: String
  /// The alternative.
  let suggestion: String

  var failure: Failure { Failure(summary, details: [reason, suggestion], status: .usageError) }
}

extension DatabaseLocation {
  /// Returns the failure for an error of the database.
  func failure(_ error: RepositoryError) -> Failure {
    // A server's own messages name the server.
    server == nil && Interruption.failure(for: error) == nil ? Failure(error).at(name) : Failure(error)
  }

  /// Any error, of which one of the database, rather than of a row or of the command, says which one.
  func failure(translating error: any Error) -> Failure {
    guard let error = error as? RepositoryError else { return Failure(translating: error) }
    if let cause = error.underlying as? QueryError { return Failure(cause) }
    let ofRows: [RepositoryError.Code] = [
      .conflict, .constraint, .foreignKeyViolation, .restrictViolation, .invalidValue, .invalidQuery, .missingTable,
      .unsupported,
    ]
    return ofRows.contains(error.code) ? Failure(error) : failure(error)
  }

  /// Runs a closure, and translates its errors into failures that name the database.
  func translating<Result>(_ body: () throws -> Result) throws(Failure) -> Result {
    do {
      return try body()
    } catch {
      throw failure(translating: error)
    }
  }
}
