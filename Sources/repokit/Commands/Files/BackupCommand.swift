import Repository
import SQLiteStore
import Synchronization

/// `repokit backup`: copies a database while it is in use.
struct BackupCommand: Command {
  static let description = CommandDescription(
    name: "backup", summary: "Copy a database into a file while other programs write.",
    examples: [
      .init(
        arguments: "backup pokedex.sqlite monday.sqlite", meaning: "Copy the database as of now, and check the copy."
      ),
      .init(arguments: "backup pokedex.sqlite latest.sqlite --force", meaning: "Replace the previous copy."),
    ],
    positionals: [.databaseFile, file], options: [OutputFile.force],
    notes: [
      .paragraph(
        "The backup contains one state of the database, including the write-ahead log. repokit writes and checks a "
          + "temporary file, then renames the file, so FILE is always a complete backup.")
    ])

  private static let file = PositionalDescription(
    name: "FILE", help: "The file to create.", completion: .file)

  private static let refusal = ServerRefusal(
    summary: "repokit can't back up a database on a server",
    reason: "a backup copies the pages of an SQLite file",
    suggestion: "pg_dump backs up a server while others write; repokit export writes the rows of one table")

  private let database: DatabaseLocation
  private let file: String
  private let isForced: Bool

  init(_ arguments: Arguments) throws(Failure) {
    database = DatabaseLocation(try arguments.required(.databaseFile))
    file = try arguments.required(Self.file)
    isForced = arguments.has(OutputFile.force)
    if file.lowercased().hasSuffix(".gz") {
      throw arguments.command.usageError(
        "backup does not compress the file, although the name ends with .gz",
        suggestion: "omit .gz from the name, and compress the backup with gzip")
    }
    if file == "-" {
      throw arguments.command.usageError(
        "a backup can't go to the standard output", reason: "SQLite writes pages in any order",
        suggestion: "name a file; for a file called -, write ./-")
    }
  }

  func run(_ console: Console) async throws {
    let store = try database.openFile(.readOnly, orRefuse: Self.refusal)
    try database.checkIsOther(file)
    switch FileKind(ofPath: file) {
    case .missing: break
    case .regular where isForced: break
    case .regular:
      throw Failure("the file \(file) already exists", details: ["--force replaces the file"])
    case .directory: throw Failure("\(file) is a directory", details: ["name a file in the directory"])
    default: throw Failure("\(file) is not a regular file")
    }
    Interruption.postpone("repokit made no backup")
    let meter = BackupProgressLine(isShown: console.canRedraw)
    let problems: [IntegrityProblem]
    do {
      problems = try await Interruption.cancelling { [file, isForced] in
        try await store.checkedBackup(
          to: file, replacing: isForced, progress: { meter.show($0) }, check: { meter.showCheck() })
      }
    } catch {
      meter.clear()
      try Interruption.check()
      // The source database is busy, not the copy.
      if let error = error as? RepositoryError, error.code == .busy { throw database.failure(error) }
      // SQLite's own message does not name the file.
      let failure = Failure(translating: error)
      throw (error as? RepositoryError)?.storeCode == nil ? failure : failure.at(file)
    }
    meter.clear()
    if let problem = problems.first {
      throw Failure(
        "the copy has \(problems.count == 1 ? "a problem" : "\(problems.count) problems"), so repokit deleted the copy",
        details: ["\(problem)", "repokit check \(database.name) lists the problems"])
    }
    console.say("backed up \(database.name) as \(file)")
  }
}

/// Shows the progress of a backup on a terminal, on one line that is removed at the end.
final class BackupProgressLine: Sendable {
  private let isShown: Bool
  private let percentage = Atomic(-1)

  init(isShown: Bool) {
    self.isShown = isShown
  }

  func show(_ progress: WorkProgress) {
    guard isShown, let total = progress.total, total > 0 else { return }
    let percentage = progress.done * 100 / total
    // Redrawn whenever something has changed.
    if self.percentage.exchange(percentage, ordering: .relaxed) == percentage { return }
    StandardStreams.report("\rcopying: \(percentage) %\u{1B}[K")
  }

  func showCheck() {
    guard isShown else { return }
    StandardStreams.report("\rchecking the copy\u{1B}[K")
    ElapsedTime.begin("checking the copy", width: .max)
  }

  func clear() {
    guard isShown else { return }
    ElapsedTime.end()
    StandardStreams.report("\r\u{1B}[K")
  }
}
